#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>

#include <millrace/algorithms/codecs/host_tiles.h>
#include <millrace/backends/tbb/cache_size.h>

namespace millrace::codecs {

void for_each_tile(std::size_t tiles, const std::function<void(std::size_t tile)>& work) {
  constexpr std::size_t kGrain = 8;  // Some 10 us of work.
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tiles, kGrain), [&](const auto& range) {
    for (std::size_t tile = range.begin(); tile < range.end(); ++tile) work(tile);
  });
}

Stores stores_for(std::size_t output_bytes) {
  return output_bytes > tbb_backend::last_level_cache_bytes() ? Stores::kStreaming
                                                              : Stores::kCached;
}

}  // namespace millrace::codecs
