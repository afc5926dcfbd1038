// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/decoded_pictures.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace millrace::h264 {

void DecodedPictures::set_capacity(int frames, int max_reorder) {
  capacity_ = frames;
  max_reorder_ = max_reorder;
}

void DecodedPictures::store(StoredPicture picture) {
  release_unused();
  while (stored_.size() >= static_cast<std::size_t>(capacity_)) {
    StoredPicture* const next = next_for_output();
    if (!picture.is_reference() &&
        (next == nullptr || picture.picture_order < next->picture_order)) {
      break;
    }
    // A buffer full of references alone: damage, which marking has limited.
    if (next == nullptr) break;
    output(*next);
    release_unused();
  }
  const bool is_full = stored_.size() >= static_cast<std::size_t>(capacity_);
  stored_.push_back(std::move(picture));
  StoredPicture& last = stored_.back();
  if (is_full && !last.is_reference() && last.awaits_output) output(last);
  while (max_reorder_ >= 0 && waiting_count() > max_reorder_) output(*next_for_output());
  release_unused();
}

void DecodedPictures::flush() {
  while (StoredPicture* const next = next_for_output()) output(*next);
  discard();
}

void DecodedPictures::discard() {
  for (const StoredPicture& picture : stored_) sink_.release(picture.id);
  stored_.clear();
}

StoredPicture* DecodedPictures::next_for_output() {
  StoredPicture* next = nullptr;
  for (StoredPicture& picture : stored_) {
    if (picture.awaits_output && (next == nullptr || picture.picture_order < next->picture_order)) {
      next = &picture;
    }
  }
  return next;
}

int DecodedPictures::waiting_count() const {
  return static_cast<int>(std::count_if(stored_.begin(), stored_.end(),
                                        [](const StoredPicture& p) { return p.awaits_output; }));
}

void DecodedPictures::output(StoredPicture& picture) {
  sink_.output(picture.id);
  picture.awaits_output = false;
}

void DecodedPictures::release_unused() {
  std::erase_if(stored_, [this](StoredPicture& picture) {
    if (picture.is_reference()) return false;
    picture.parsed.reset();  // Nothing reads its macroblocks any more.
    if (picture.awaits_output) return false;
    sink_.release(picture.id);
    return true;
  });
}

}  // namespace millrace::h264
