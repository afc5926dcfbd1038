// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/side_upload.h>
#include <millrace/runtime/core/memory_space.h>

#include <cstring>
#include <utility>

namespace millrace::idct {

SideUpload::SideUpload(std::shared_ptr<Device> device, std::size_t chunk_macroblocks, int slots)
    : device_(std::move(device)),
      copies_(!device_->info().shares_host_memory),
      chunk_macroblocks_(chunk_macroblocks),
      chunks_(slots),
      queue_(device_->make_queue()) {
  if (!copies_) return;
  for (ChunkMemory& memory : chunks_) {
    memory.pinned_sizes =
        Buffer<TransformSize>(device_->pool(MemorySpace::kPinned), chunk_macroblocks);
    memory.sizes = Buffer<TransformSize>(device_->pool(MemorySpace::kDevice), chunk_macroblocks);
  }
}

void SideUpload::begin(const HostRun& run) {
  bytes_ = 0;
  if (!copies_ || run.host_prediction() == nullptr) return;
  for (ChunkMemory& memory : chunks_) {
    if (memory.prediction.size() > 0) continue;
    memory.prediction = Buffer<std::uint8_t>(device_->pool(MemorySpace::kDevice),
                                             kMacroblockSamples * chunk_macroblocks_);
  }
}

HostChunk SideUpload::upload(int slot, const HostChunk& chunk) {
  if (!copies_) return chunk;
  ChunkMemory& memory = chunks_[slot];
  HostChunk on_device = chunk;
  const std::size_t count = chunk.macroblocks.count;
  std::memcpy(memory.pinned_sizes.data(), chunk.macroblocks.sizes, count);
  queue_->copy(memory.sizes.data(), memory.pinned_sizes.data(), count);
  on_device.macroblocks.sizes = memory.sizes.data();
  bytes_ += count;
  if (chunk.prediction != nullptr) {
    queue_->copy(memory.prediction.data(), chunk.prediction, kMacroblockSamples * count);
    on_device.prediction = memory.prediction.data();
    bytes_ += kMacroblockSamples * count;
  }
  memory.uploaded = queue_->record();
  return on_device;
}

}  // namespace millrace::idct
