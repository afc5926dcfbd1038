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
      slots_(slots),
      queue_(device_->make_queue()) {
  if (!copies_) return;
  for (Slot& slot : slots_) {
    slot.pinned_sizes =
        Buffer<TransformSize>(device_->pool(MemorySpace::kPinned), chunk_macroblocks);
    slot.sizes = Buffer<TransformSize>(device_->pool(MemorySpace::kDevice), chunk_macroblocks);
  }
}

void SideUpload::begin(const HostRun& run) {
  bytes_ = 0;
  if (!copies_ || run.host_prediction() == nullptr) return;
  for (Slot& slot : slots_) {
    if (slot.prediction.size() > 0) continue;
    slot.prediction = Buffer<std::uint8_t>(device_->pool(MemorySpace::kDevice),
                                           kMacroblockSamples * chunk_macroblocks_);
  }
}

HostChunk SideUpload::upload(int index, const HostChunk& chunk) {
  if (!copies_) return chunk;
  Slot& slot = slots_[index];
  HostChunk on_device = chunk;
  const std::size_t count = chunk.macroblocks.count;
  std::memcpy(slot.pinned_sizes.data(), chunk.macroblocks.sizes, count);
  queue_->copy(slot.sizes.data(), slot.pinned_sizes.data(), count);
  on_device.macroblocks.sizes = slot.sizes.data();
  bytes_ += count;
  if (chunk.prediction != nullptr) {
    queue_->copy(slot.prediction.data(), chunk.prediction, kMacroblockSamples * count);
    on_device.prediction = slot.prediction.data();
    bytes_ += kMacroblockSamples * count;
  }
  slot.uploaded = queue_->record();
  return on_device;
}

}  // namespace millrace::idct
