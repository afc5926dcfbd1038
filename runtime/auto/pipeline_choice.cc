// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/pipeline_choice.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace millrace {
namespace {

constexpr std::size_t kLeastChunk = std::size_t{1} << 16;
constexpr int kMostDepth = 8;
constexpr double kAsGood = 1.01;  // Factor on the shortest time.

double link_seconds(double bytes, double rate) { return rate > 0 ? bytes / rate : 0; }

double stream_bytes(const PipelineWork& work) {
  return work.bytes_up > 0 ? work.bytes_up : work.bytes_down;
}

bool is_better_coded(const PipelineWork& work, std::size_t chunk_bytes) {
  const CodecChoice choice = choose_codec(work.codec, chunk_bytes);
  return choice.is_coded && !choice.is_trial;
}

}  // namespace

double predict_pipeline_seconds(const PipelineWork& work, const LinkCosts& link, double chunk_bytes,
                                int depth, bool is_coded) {
  const double chunks = std::max(std::ceil(stream_bytes(work) / chunk_bytes), 1.0);
  const double up_bytes = work.bytes_up * (is_coded ? work.codec.ratio : 1);
  const double decoding = is_coded ? link_seconds(work.bytes_up, work.codec.decode) : 0;
  const double up = link.chunk_seconds + link_seconds(up_bytes, link.up) / chunks;
  const double compute = link.chunk_seconds + (work.compute_seconds + decoding) / chunks;
  const double down = link.chunk_seconds + link_seconds(work.bytes_down, link.down) / chunks;
  const double all = up + compute + down;
  return all + (chunks - 1) * std::max({up, compute, down, all / depth});
}

PipelineChoice choose_pipeline(const PipelineWork& work, const LinkCosts& link) {
  std::vector<PipelineChoice> choices;
  double least = std::numeric_limits<double>::infinity();
  const auto most_chunk = static_cast<std::size_t>(stream_bytes(work));
  for (std::size_t chunk = kLeastChunk;; chunk *= 2) {
    const bool is_coded = is_better_coded(work, chunk);
    for (int depth = 1; depth <= kMostDepth; ++depth) {
      const bool is_least = chunk == kLeastChunk && depth == 1;
      if (!is_least && chunk * static_cast<std::size_t>(depth) > work.memory_bytes) break;
      const double seconds =
          predict_pipeline_seconds(work, link, static_cast<double>(chunk), depth, is_coded);
      choices.push_back({chunk, depth, is_coded, seconds});
      least = std::min(least, seconds);
    }
    if (chunk >= most_chunk || 2 * chunk > work.memory_bytes) break;
  }
  std::erase_if(choices, [&](const auto& choice) { return choice.seconds > kAsGood * least; });
  return *std::ranges::min_element(choices, {}, [](const PipelineChoice& choice) {
    return choice.chunk_bytes * static_cast<std::size_t>(choice.depth);
  });
}

}  // namespace millrace
