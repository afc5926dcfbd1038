// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/copy_rate.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include <millrace/runtime/core/buffer.h>

namespace millrace::tools {

double measure_copy_rate(Queue& queue) {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr int kCopies = 7;
  const auto device = queue.device().shared_from_this();
  Buffer<std::byte> source(device, MemorySpace::kDevice, kBytes);
  Buffer<std::byte> target(device, MemorySpace::kDevice, kBytes);
  fill_bytes(queue, source.span(), std::byte{1});
  fill_bytes(queue, target.span(), std::byte{2});
  queue.wait();

  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kCopies; ++i) {
    const auto start = std::chrono::steady_clock::now();
    copy(queue, target.span(), source.span());
    queue.wait();
    const auto end = std::chrono::steady_clock::now();
    best = std::min(best, std::chrono::duration<double>(end - start).count());
  }
  return 2.0 * kBytes / best;
}

}  // namespace millrace::tools
