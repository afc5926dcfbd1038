#include <millrace/backends/tbb/parallel_copy.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <millrace/backends/tbb/cache_size.h>
#include <millrace/runtime/streaming_copy.h>

namespace millrace::tbb_backend {
namespace {

void cached_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
  std::memcpy(target, source, bytes);
}

}  // namespace

void parallel_copy(void* target, const void* source, std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  auto* const to = static_cast<std::uint8_t*>(target);
  const auto* const from = static_cast<const std::uint8_t*>(source);
  if (bytes <= kPiece) {
    std::memcpy(to, from, bytes);
    return;
  }
  const auto copy_piece = bytes > last_level_cache_bytes() / 2 ? streaming_copy : cached_copy;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, (bytes + kPiece - 1) / kPiece),
                    [=](const tbb::blocked_range<std::size_t>& pieces) {
                      const std::size_t begin = pieces.begin() * kPiece;
                      const std::size_t end = std::min(bytes, pieces.end() * kPiece);
                      copy_piece(to + begin, from + begin, end - begin);
                    });
}

}  // namespace millrace::tbb_backend
