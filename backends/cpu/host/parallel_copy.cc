// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/backends/cpu/host/parallel_copy.h>
#include <millrace/runtime/host/host_memory.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace millrace::cpu {
namespace {

// Bytes that a thread copies or fills at a time.
constexpr std::size_t kPiece = std::size_t{256} << 10;

// Calls work(begin, end) for the pieces of `bytes` bytes on the threads.
template <class Work>
void for_pieces(CpuThreads& threads, std::size_t bytes, const Work& work) {
  threads.for_ranges((bytes + kPiece - 1) / kPiece, 1,
                     [&work, bytes](std::size_t first, std::size_t last, int /*thread*/) {
                       work(first * kPiece, std::min(bytes, last * kPiece));
                     });
}

void cached_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}

}  // namespace

void parallel_copy(CpuThreads& threads, void* target, const void* source, std::size_t bytes) {
  auto* const to = static_cast<std::uint8_t*>(target);
  const auto* const from = static_cast<const std::uint8_t*>(source);
  if (bytes <= kPiece) {
    std::memcpy(to, from, bytes);
    return;
  }
  const auto copy_piece = bytes > last_level_cache_bytes() / 2 ? streaming_copy : cached_copy;
  for_pieces(threads, bytes, [=](std::size_t begin, std::size_t end) {
    copy_piece(to + begin, from + begin, end - begin);
  });
}

void parallel_fill(CpuThreads& threads, void* target, std::byte value, std::size_t bytes) {
  auto* const to = static_cast<std::uint8_t*>(target);
  const int byte = std::to_integer<int>(value);
  if (bytes <= kPiece) {
    std::memset(to, byte, bytes);
    return;
  }
  for_pieces(threads, bytes, [=](std::size_t begin, std::size_t end) {
    std::memset(to + begin, byte, end - begin);
  });
}

}  // namespace millrace::cpu
