// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/codecs/codecs.h>
#include <millrace/algorithms/idct/stream/coded_queue.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace::idct {
namespace {

constexpr std::size_t kMacroblockBytes = kMacroblockSamples * sizeof(std::int16_t);

std::shared_ptr<Device> open_host() {
  for (Backend* const backend : linked_backends()) {
    for (const DeviceInfo& info : backend->list_devices()) {
      if (info.shares_host_memory && !info.is_simulated) return open_device(info.name);
    }
  }
  throw Error(
      ErrorCode::kUnsupported,
      "macroblocks are coded on the CPU, but no CPU backend is linked; link one, such as TBB's");
}

}  // namespace

HostCoder::HostCoder(std::size_t most_macroblocks)
    : host_(open_host()),
      queue_(host_->make_queue()),
      scratch_(host_->pool(MemorySpace::kHost),
               codecs::sparse_codec().scratch_bytes(most_macroblocks)),
      result_(host_->pool(MemorySpace::kHost), 1) {}

std::size_t HostCoder::encode(const std::int16_t* coefficients, std::size_t count,
                              std::span<std::byte> output) {
  codecs::sparse_codec().encode(*queue_, {.items = coefficients,
                                          .count = count,
                                          .coded = output.data(),
                                          .capacity = output.size(),
                                          .scratch = scratch_.data(),
                                          .result = result_.data()});
  queue_->wait();
  throw_if_failed(*result_.data());
  return result_.data()->bytes;
}

CodedQueue::CodedQueue(Device& device, const MacroblockQueue& macroblocks,
                       std::size_t chunk_macroblocks)
    : chunk_macroblocks_(chunk_macroblocks),
      sizes_(device.pool(MemorySpace::kPinned), macroblocks.count) {
  if (chunk_macroblocks == 0) {
    reject("chunk_macroblocks is 0; it must be at least 1");
  }
  if (macroblocks.count == 0) return;
  if (macroblocks.sizes == nullptr || macroblocks.coefficients == nullptr) {
    reject(std::string("macroblocks.") + (macroblocks.sizes == nullptr ? "sizes" : "coefficients") +
           " is null; pass the address of its memory");
  }
  std::memcpy(sizes_.data(), macroblocks.sizes, macroblocks.count);
  HostCoder coder(chunk_macroblocks);
  Buffer<std::byte> output(device.pool(MemorySpace::kHost), chunk_macroblocks * kMacroblockBytes);
  for (std::size_t first = 0; first < macroblocks.count; first += chunk_macroblocks) {
    const std::size_t count = std::min(chunk_macroblocks, macroblocks.count - first);
    const std::int16_t* const coefficients = macroblocks.coefficients + kMacroblockSamples * first;
    const std::size_t coded =
        coder.encode(coefficients, count, {output.data(), count * kMacroblockBytes});
    const std::size_t bytes = coded > 0 ? coded : count * kMacroblockBytes;
    const void* const from = coded > 0 ? static_cast<const void*>(output.data()) : coefficients;
    CodedChunk& chunk = chunks_.emplace_back(
        CodedChunk{Buffer<std::byte>(device.pool(MemorySpace::kPinned), bytes), coded > 0});
    std::memcpy(chunk.data.data(), from, bytes);
  }
}

std::size_t CodedQueue::bytes() const {
  std::size_t sum = 0;
  for (const CodedChunk& chunk : chunks_) sum += chunk.data.size();
  return sum;
}

}  // namespace millrace::idct
