// SPDX-License-Identifier: Apache-2.0

// Memory of a stream's pictures: on the device those in flight and their references, on the host
// those that are being uploaded.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_MEMORY_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_MEMORY_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::motion {

// Blocks as in PictureLayout, which outlives this object.
template <class Sample>
class PictureMemory {
 public:
  PictureMemory(Device& device, const PictureLayout<Sample>& layout,
                const EstimatorOptions& options, int chunk_size);

  // Returns true if pictures are copied from the host's memory to the device's.
  bool copies() const { return copies_; }

  // Returns the block of a picture on the device.
  std::byte* on_device(std::uint64_t picture) { return resident(picture).block.data(); }

  // Returns the block that the host writes picture `index` of a slot's chunk to; the device's if
  // nothing is copied.
  std::byte* on_host(int slot, int index, std::uint64_t picture) {
    return copies_ ? pinned_[slot][index].data() : on_device(picture);
  }

  // Says that a picture's samples are in the caller's memory, which the device reads; null: in its
  // block.
  void set_source(std::uint64_t picture, const Sample* source);

  LumaPlane<Sample> current(std::uint64_t picture) { return plane(resident(picture).current); }

  // Returns a picture as others refer to it.
  LumaPlane<Sample> reference(std::uint64_t picture);

  // Returns the predictors that were given for a picture in a reference.
  const MotionVector* predictors(std::uint64_t picture, int reference);

 private:
  struct Resident {
    Buffer<std::byte> block;
    const Sample* current = nullptr;  // Points into the block or the caller's memory.
  };

  Resident& resident(std::uint64_t picture) { return pictures_[picture % pictures_.size()]; }
  LumaPlane<Sample> plane(const Sample* samples) const {
    return {samples, layout_.width, layout_.width, layout_.height};
  }

  const PictureLayout<Sample>& layout_;
  const bool copies_;
  const bool has_reconstruction_;
  std::vector<Resident> pictures_;  // A ring.
  // Indexed by slot; empty if nothing is copied.
  std::vector<std::vector<Buffer<std::byte>>> pinned_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_MEMORY_H_
