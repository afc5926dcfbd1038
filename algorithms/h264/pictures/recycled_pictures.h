// SPDX-License-Identifier: Apache-2.0

// Reuses the memory of parsed pictures that have no macroblocks.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_RECYCLED_PICTURES_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_RECYCLED_PICTURES_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace millrace::h264 {

// Unlike a PicturePool it does not lock. It allocates nothing for pictures of one slice once it has
// as many pictures as are in use at a time. All owners of its pictures and the pool itself are used
// by one thread at a time.
class RecycledPictures {
 public:
  // Fetches the picture that is made next into the caches.
  void prefetch() const;
  // Returns a picture without slices and macroblocks that nobody else owns.
  std::shared_ptr<ParsedPicture> make();
  // Gives the empty lists the memory of earlier pictures' lists.
  void lend_lists(SliceHeader& header);
  void lend_lists(Slice& slice);

 private:
  struct Entry {
    std::shared_ptr<ParsedPicture> picture;
    const Slice* slices = nullptr;  // The memory of its slices, where it is known.
  };

  std::vector<Entry> pictures_;
  std::size_t next_ = 0;  // The picture that was made longest ago.
  std::vector<Reference> references_[2];
  std::vector<ReferenceOperation> operations_[3];
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_RECYCLED_PICTURES_H_
