// SPDX-License-Identifier: Apache-2.0

// The second stage of a stream: searches the pictures of a chunk in their references.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_CHUNK_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_CHUNK_SEARCH_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/algorithms/motion_estimation/stream/picture_memory.h>
#include <millrace/algorithms/motion_estimation/stream/picture_upload.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::motion {

// A picture whose search is enqueued.
template <class Sample>
struct SearchedPicture {
  DeviceMotion<Sample> motion;
  SearchFrame<Sample> first_frame;  // Its reference is the first one.
  MacroblockMode* modes = nullptr;  // Memory for them.
};

// One run of a stream.
template <class Sample>
class PictureChunkSearch {
 public:
  // Pictures before `first` are references alone. `zero` is a zero vector in device memory. The
  // arguments but the number outlive this object.
  PictureChunkSearch(const PictureLayout<Sample>& layout, const EstimatorOptions& options,
                     PictureMemory<Sample>& memory, const MotionVector* zero, std::uint64_t first);

  // Uploads, by `queue`, the vectors of picture first - 1 in each of its references: the next
  // search refers to them as to those of a picture of the run.
  void put_vectors(Queue& queue, std::span<const std::span<const MotionVector>> vectors);

  // Returns the number of references of a picture.
  int references_of(std::uint64_t picture) const;

  // Enqueues the searches of all pictures of a chunk that is on the device, to blocks as in
  // PictureLayout. The result is valid until the next call.
  std::span<SearchedPicture<Sample>> search(Queue& queue, const PictureChunk& chunk,
                                            std::byte* output);

  // Enqueues the choice of a picture's modes, if they are wanted.
  void decide_modes(Queue& queue, SearchedPicture<Sample>& picture) const;

 private:
  // Vectors of a picture.
  struct Fields {
    std::array<MotionField, kMostReferences> fields{};
    int count = 0;
  };

  void add_picture(std::uint64_t picture, std::byte* output);
  SearchFrame<Sample> frame_of(const DeviceMotion<Sample>& motion, int reference);

  const PictureLayout<Sample>& layout_;
  const EstimatorOptions& options_;
  PictureMemory<Sample>& memory_;
  const MotionVector* const zero_;
  const std::uint64_t first_;
  Buffer<MotionVector> start_vectors_;
  Fields before_;  // Fields of the last picture.

  // A chunk's pictures, and their searches.
  std::vector<SearchedPicture<Sample>> pictures_;
  std::vector<SearchFrame<Sample>> frames_;
  std::vector<MotionField> fields_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_CHUNK_SEARCH_H_
