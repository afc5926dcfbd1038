// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace millrace::radix_sort {
namespace {

// The link transfers this many bytes in about the time a GPU takes to begin a sort.
constexpr std::size_t kLeastChunkBytes = std::size_t{4} << 20;

// Least bytes of pinned keys that are uploaded in 2, 3, 4 and 5 chunks. On an H200, 2e7 u32 keys
// take 0.74 of copy, sort, copy in 3 chunks and 0.76 in 5, 3e7 0.70 in 4 and 0.72 in 5, 1e8 0.66 in
// 5 and 0.67 in 4 or 6 (docs/experiments/streamed_sort_chunk_count.md).
constexpr std::size_t kBytesOfChunks[] = {std::size_t{24} << 20, std::size_t{30} << 20,
                                          std::size_t{96} << 20, std::size_t{256} << 20};

// The mean chunk of pageable memory, whose copies are staged by all threads of the host from some
// megabytes on, and reach their rate at 32 MiB (`bench micro-upload`). On an H200, 1e8 u32 keys
// take 0.168, 0.166, 0.177 and 0.222 of the driver's copy, sort, copy in 3, 4, 5 and 8 chunks
// (docs/experiments/streamed_sort_chunk_count.md).
constexpr std::size_t kMeanPageableChunkBytes = std::size_t{28} << 20;
constexpr std::size_t kMostPageableChunks = 4;

// Raw and decoded keys share the host's memory bandwidth. On an H200, 1e7 u32 keys take 0.78 to
// 0.79 of copy, sort, copy with 5 % of them raw, 0.79 to 0.80 with 9.5 % and 0.80 to 0.82 with
// none; 1e8 take the least with none (docs/experiments/code_keys_on_the_link.md).
constexpr double kMostRaw = 0.05;
constexpr std::size_t kMostBytesWithRaw = std::size_t{192} << 20;

std::size_t count_chunks(std::size_t bytes, MemorySpace space) {
  if (space == MemorySpace::kHost) {
    return std::clamp<std::size_t>(bytes / kMeanPageableChunkBytes, 1, kMostPageableChunks);
  }
  const auto reached = std::ranges::upper_bound(kBytesOfChunks, bytes);
  return 1 + static_cast<std::size_t>(reached - std::begin(kBytesOfChunks));
}

}  // namespace

std::vector<RecordSpan> plan_key_chunks(std::size_t count, std::size_t key_bytes,
                                        std::size_t most_chunks, MemorySpace space) {
  const std::size_t wanted_chunks =
      most_chunks == 0 ? count_chunks(count * key_bytes, space) : most_chunks;
  const std::size_t chunks = std::min(wanted_chunks, count);
  std::vector<RecordSpan> plan;
  std::size_t first = 0;
  for (std::size_t left = chunks; left > 0; --left) {
    // The chunks left are a geometric series, of which this is the first.
    double fraction = (1 - kChunkShrink) / (1 - std::pow(kChunkShrink, left));
    if (left == 3 && chunks == 3) {
      fraction = kFirstOfThree * fraction / (1 + (kFirstOfThree - 1) * fraction);
    }
    const auto rest = count - first;
    const auto wanted = static_cast<std::size_t>(static_cast<double>(rest) * fraction);
    const std::size_t size = left == 1 ? rest : std::clamp<std::size_t>(wanted, 1, rest - left + 1);
    plan.push_back({first, size});
    first += size;
  }
  return plan;
}

std::vector<RecordSpan> plan_segments(std::size_t count, std::size_t unit,
                                      std::size_t most_segments, MemorySpace space) {
  if (count == 0) return {};
  std::size_t segments = most_segments;
  if (most_segments == 0) {
    const double millions = static_cast<double>(count) / 1e6;
    // From pageable memory on that H200, 1e8 keys take 0.166 in 20 segments and 0.176 in 8 or 12
    // (docs/experiments/streamed_sort_chunk_count.md).
    constexpr double kMany = 50;
    const double factor = space == MemorySpace::kPinned ? 1.2 : millions < kMany ? 0.8 : 2;
    segments = std::max<std::size_t>(2, std::llround(factor * std::sqrt(millions)));
  }
  const std::size_t size = ((count + segments - 1) / segments + unit - 1) / unit * unit;
  std::vector<RecordSpan> plan;
  for (std::size_t first = 0; first < count; first += size) {
    plan.push_back({first, std::min(size, count - first)});
  }
  return plan;
}

double plan_raw_fraction(const CodecRates& rates, std::size_t bytes) {
  if (bytes > kMostBytesWithRaw) return 0;
  if (!(rates.link > 0 && rates.decode > 0 && rates.ratio > 0)) return 0;
  const double raw = 1 / rates.link;
  const double coded = rates.ratio / rates.link;
  const double decode = 1 / rates.decode;
  return decode > coded ? std::min((decode - coded) / (raw + decode - coded), kMostRaw) : 0;
}

std::size_t plan_attended_segments(std::size_t count) {
  const double millions = static_cast<double>(count) / 1e6;
  return std::max<std::size_t>(2, std::llround(1.9 * std::sqrt(millions)));
}

int plan_decoding_threads(int threads, bool has_values) {
  // Each polls for keys without sleeping. With one on every core, they hold up the thread that
  // drives the device: 1e7 u32 keys take 1.00 of copy, sort, copy by 32 threads on a host of 32
  // cores with H100s, and 0.86 by 16 (docs/experiments/how_many_threads_decode_keys.md).
  constexpr int kMost = 16;
  return has_values ? std::max(4, threads / 2) : std::min(threads, kMost);
}

std::vector<RecordSpan> cut_first(std::vector<RecordSpan> segments, std::size_t unit) {
  if (segments.size() < 2) return segments;
  const RecordSpan all = segments.front();
  const std::size_t quarter = all.count / 4 / unit * unit;
  if (quarter == 0) return segments;
  segments.front() = {all.first + quarter, all.count - quarter};
  segments.insert(segments.begin(), {all.first, quarter});
  return segments;
}

std::vector<RecordSpan> plan_jobs(std::size_t count, std::size_t least, int threads) {
  const auto team = static_cast<std::size_t>(threads);
  std::vector<RecordSpan> jobs;
  std::size_t size = 0;
  for (std::size_t first = 0; first < count; first += size) {
    const std::size_t left = count - first;
    if (jobs.size() % team == 0) size = std::max(left / (2 * team), least);
    size = std::min(size, left);
    jobs.push_back({first, size});
  }
  return jobs;
}

bool is_profitable_on_host(std::size_t count, bool has_values, bool is_argsort) {
  // A core of an H200's host sorts ten thousand keys in 42 to 45 us and pairs in 76 to 82, a
  // thousand in 6 to 8; a copy, a sort and a copy take 24 to 35 us for a thousand, 63 to 74 for ten
  // thousand. An argsort of ten thousand takes 0.80 to 0.85 of that here and 1.05 on the device,
  // which has to number them (docs/experiments/when_to_stream_a_sort.md).
  constexpr std::size_t kMostKeys = std::size_t{16} << 10;
  constexpr std::size_t kMostPairs = std::size_t{8} << 10;
  constexpr std::size_t kMostIndices = std::size_t{10} << 10;
  return count <= (is_argsort ? kMostIndices : has_values ? kMostPairs : kMostKeys);
}

bool is_profitable_to_stream(std::size_t count, std::size_t record_bytes, MemorySpace space,
                             bool has_values, bool is_argsort) {
  // From pinned memory, decoding a small number of keys takes the host longer than coding saves: on
  // an H200, 12 MB of keys take as long as a copy, a sort and a copy, 20 MB 0.94 of it, 28 MB 0.85,
  // 400 MB 0.67 (docs/experiments/when_to_stream_a_sort.md). Indices are never uploaded, and
  // pageable memory has to be staged anyway.
  constexpr std::size_t kLeastPinnedKeys = std::size_t{24} << 20;
  constexpr std::size_t kLeastPinnedPairs = std::size_t{36} << 20;
  std::size_t least = 4 * kLeastChunkBytes;
  if (space == MemorySpace::kPinned && !is_argsort) {
    least = has_values ? kLeastPinnedPairs : kLeastPinnedKeys;
  }
  return count * record_bytes >= least;
}

std::size_t most_records_on_device(std::size_t memory_bytes, std::size_t key_bytes,
                                   std::size_t value_bytes) {
  // Keys and indices uploaded, sorted, merged and in the sort's scratch; coded keys; values
  // uploaded and gathered.
  const std::size_t index_bytes = value_bytes == 0 ? 0 : std::max<std::size_t>(value_bytes, 4);
  const std::size_t each = 5 * (key_bytes + index_bytes) + 2 * value_bytes;
  constexpr std::size_t kMost = (std::size_t{1} << 32) - 1;
  return std::clamp<std::size_t>(memory_bytes / 10 * 9 / each, 1, kMost);
}

}  // namespace millrace::radix_sort
