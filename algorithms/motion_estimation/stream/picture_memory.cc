// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/picture_memory.h>
#include <millrace/runtime/core/memory_space.h>

namespace millrace::motion {

template <class Sample>
PictureMemory<Sample>::PictureMemory(Device& device, const PictureLayout<Sample>& layout,
                                     const EstimatorOptions& options, int chunk_size)
    : layout_(layout),
      copies_(!device.info().shares_host_memory),
      has_reconstruction_(options.has_reconstruction),
      pictures_(options.depth * chunk_size + options.references),
      pinned_(options.depth) {
  const auto make = [&](MemorySpace space) {
    return Buffer<std::byte>(device.pool(space), layout_.input_bytes);
  };
  for (Resident& picture : pictures_) picture.block = make(MemorySpace::kDevice);
  for (std::vector<Buffer<std::byte>>& chunk : pinned_) {
    for (int i = 0; copies_ && i < chunk_size; ++i) chunk.push_back(make(MemorySpace::kPinned));
  }
}

template <class Sample>
void PictureMemory<Sample>::set_source(std::uint64_t picture, const Sample* source) {
  Resident& entry = resident(picture);
  entry.current = source != nullptr ? source : layout_.current.in(entry.block.data()).data();
}

template <class Sample>
LumaPlane<Sample> PictureMemory<Sample>::reference(std::uint64_t picture) {
  if (!has_reconstruction_) return current(picture);
  return plane(layout_.reconstruction.in(on_device(picture)).data());
}

template <class Sample>
const MotionVector* PictureMemory<Sample>::predictors(std::uint64_t picture, int reference) {
  return layout_.predictors.in(on_device(picture)).data() + reference * layout_.macroblocks;
}

template class PictureMemory<std::uint8_t>;
template class PictureMemory<std::uint16_t>;

}  // namespace millrace::motion
