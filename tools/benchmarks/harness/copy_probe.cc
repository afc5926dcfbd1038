// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/sampler.h>

#include <utility>

namespace millrace::tools {

CopyProbe::Memory CopyProbe::make_memory(Queue& queue, MemorySpace space, std::size_t bytes) {
  const auto device = queue.device().shared_from_this();
  auto memory = std::make_shared<Buffer<std::byte>>(device, space, bytes);
  fill_bytes(queue, memory->span(), std::byte{1});
  queue.wait();
  return memory;
}

CopyProbe::CopyProbe(Queue& queue, Memory from, Memory to, std::size_t bytes, std::size_t copies)
    : queue_(queue), from_(std::move(from)), to_(std::move(to)), bytes_(bytes), copies_(copies) {}

double CopyProbe::bytes() const {
  const double ways = from_->space() == to_->space() ? 2 : 1;
  return ways * static_cast<double>(copies_ * bytes_);
}

void CopyProbe::copy() const {
  for (std::size_t i = 0; i < copies_; ++i) {
    queue_.copy(to_->data(), from_->data(), bytes_);
  }
  queue_.wait();
}

double CopyProbe::run() const {
  return seconds_of([this] { copy(); });
}

double CopyProbe::best_seconds(int runs) const {
  return tools::best_seconds([this] { copy(); }, runs);
}

}  // namespace millrace::tools
