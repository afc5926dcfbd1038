// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/pictures/recycled_pictures.h>
#include <millrace/algorithms/h264/prefetch_object.h>

#include <utility>

namespace millrace::h264 {
namespace {

// Makes `to` an empty list with the larger memory of both.
template <class T>
void take_memory(std::vector<T>& from, std::vector<T>& to) {
  if (from.capacity() <= to.capacity()) return;
  to.swap(from);
  to.clear();
}

}  // namespace

void RecycledPictures::prefetch() const {
  if (pictures_.empty()) return;
  prefetch_object(*pictures_[next_].picture);
  if (pictures_[next_].slices != nullptr) prefetch_object(*pictures_[next_].slices);
}

std::shared_ptr<ParsedPicture> RecycledPictures::make() {
  for (std::size_t tried = 0; tried < pictures_.size(); ++tried) {
    Entry& entry = pictures_[next_];
    if (++next_ == pictures_.size()) next_ = 0;
    ParsedPicture& picture = *entry.picture;
    if (entry.picture.use_count() > 1) continue;
    if (!picture.slices.empty()) {
      Slice& slice = picture.slices.front();
      for (int list = 0; list < 2; ++list) {
        take_memory(slice.references[list], references_[list]);
        take_memory(slice.header.list_operations[list], operations_[list]);
      }
      take_memory(slice.header.marking_operations, operations_[2]);
    }
    ParsedPicture fresh;
    fresh.picture_parameters.swap(picture.picture_parameters);
    fresh.slices.swap(picture.slices);
    fresh.picture_parameters.clear();
    fresh.slices.clear();
    entry.slices = fresh.slices.data();
    picture = std::move(fresh);
    return entry.picture;
  }
  next_ = 0;
  return pictures_.emplace_back(Entry{std::make_shared<ParsedPicture>()}).picture;
}

void RecycledPictures::lend_lists(SliceHeader& header) {
  for (int list = 0; list < 2; ++list) header.list_operations[list].swap(operations_[list]);
  header.marking_operations.swap(operations_[2]);
}

void RecycledPictures::lend_lists(Slice& slice) {
  for (int list = 0; list < 2; ++list) slice.references[list].swap(references_[list]);
}

}  // namespace millrace::h264
