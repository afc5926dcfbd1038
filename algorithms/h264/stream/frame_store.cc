// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/frame_store.h>

#include <cstddef>
#include <utility>

namespace millrace::h264 {
namespace {

// Samples of released pictures that are kept for further ones.
constexpr std::size_t kMostUnusedPictures = 2;

bool has_size(const SamplePicture& samples, const SequenceParameters& sequence) {
  return samples.width(0) == 16 * sequence.width_in_macroblocks &&
         samples.height(0) == 16 * sequence.height_in_macroblocks;
}

}  // namespace

std::unique_ptr<SamplePicture> FrameStore::take_samples(const SequenceParameters& sequence) {
  while (!unused_.empty()) {
    std::unique_ptr<SamplePicture> samples = std::move(unused_.back());
    unused_.pop_back();
    if (has_size(*samples, sequence)) return samples;
  }
  return std::make_unique<SamplePicture>(sequence.width_in_macroblocks,
                                         sequence.height_in_macroblocks);
}

void FrameStore::store(std::int64_t picture, StoredFrame frame) {
  if (is_last_released_) {
    is_last_released_ = false;
    drop(last_);
  }
  last_ = picture;
  frames_[picture] = std::move(frame);
}

const SamplePicture* FrameStore::find(std::int64_t picture) const {
  const auto found = frames_.find(picture);
  return found == frames_.end() ? nullptr : found->second.samples.get();
}

DecodedFrame FrameStore::frame(std::int64_t picture) const {
  const auto found = frames_.find(picture);
  if (found == frames_.end()) return {.picture = picture};
  const StoredFrame& stored = found->second;
  return {.picture = picture,
          .samples = stored.samples.get(),
          .sequence = stored.sequence.get(),
          .concealed_macroblocks = stored.concealed_macroblocks,
          .damage = stored.damage};
}

void FrameStore::release(std::int64_t picture) {
  if (picture == last_) {
    is_last_released_ = true;
  } else {
    drop(picture);
  }
}

void FrameStore::drop(std::int64_t picture) {
  const auto found = frames_.find(picture);
  if (found == frames_.end()) return;
  if (unused_.size() < kMostUnusedPictures) unused_.push_back(std::move(found->second.samples));
  frames_.erase(found);
}

}  // namespace millrace::h264
