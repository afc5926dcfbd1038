// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/parallel_copy.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/runtime/host/host_memory.h>

namespace millrace::cpu {
namespace {

void cached_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}

}  // namespace

void parallel_copy(CpuThreads& threads, void* target, const void* source, std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  auto* const to = static_cast<std::uint8_t*>(target);
  const auto* const from = static_cast<const std::uint8_t*>(source);
  if (bytes <= kPiece) {
    std::memcpy(to, from, bytes);
    return;
  }
  const auto copy_piece = bytes > last_level_cache_bytes() / 2 ? streaming_copy : cached_copy;
  threads.for_ranges((bytes + kPiece - 1) / kPiece, 1,
                     [=](std::size_t first, std::size_t last, int /*thread*/) {
                       const std::size_t begin = first * kPiece;
                       const std::size_t end = std::min(bytes, last * kPiece);
                       copy_piece(to + begin, from + begin, end - begin);
                     });
}

}  // namespace millrace::cpu
