// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cpu/star_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/three_star/cpu/star_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <millrace/algorithms/three_star/cpu/corner_search_inl.h>

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace millrace::three_star {
namespace HWY_NAMESPACE {
namespace {

struct CountStars {
  static constexpr bool kAll = false;
  std::uint64_t& stars;

  HWY_INLINE void operator()(std::uint32_t /*j*/, std::uint32_t mask, std::uint32_t /*k*/) const {
    stars += hwy::PopCount(mask);
  }
};

StarCounts count_run(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                     StarScratch& scratch) {
  CornerSearch search(grid, run, radius, scratch);
  StarCounts counts;
  for (std::uint32_t corner = run.points.begin; corner < run.points.end; ++corner) {
    counts.pairs += search.begin(corner);
    CountStars count{counts.three_stars};
    search.search(IndexRange{0, search.count()}, count);
  }
  return counts;
}

// Writes 3-stars as the bits of a record, a window after another. Up to eight bytes behind the last
// are overwritten.
class StarWriter {
 public:
  static constexpr bool kAll = true;

  explicit StarWriter(std::byte* bits) : next_(bits) {}

  std::uint64_t stars() const { return stars_; }

  HWY_INLINE void begin(const IndexRange& window) {
    begin_ = window.begin;
    bits_ = next_;
    next_ += bytes_of(window);
    if (lanes() < 8) std::memset(bits_, 0, bytes_of(window));
  }

  HWY_INLINE void operator()(std::uint32_t /*j*/, std::uint32_t mask, std::uint32_t k) {
    stars_ += hwy::PopCount(mask);
    const std::uint32_t bit = k - begin_;
    std::byte* const to = bits_ + bit / 8;
    if (lanes() < 8) {
      *to |= static_cast<std::byte>(mask << (bit % 8));
    } else {
      std::memcpy(to, &mask, sizeof mask);  // Bytes behind the window are overwritten later.
    }
  }

 private:
  std::uint64_t stars_ = 0;
  std::uint32_t begin_ = 0;
  std::byte* bits_ = nullptr;
  std::byte* next_;
};

// Returns how many neighbours from `first` on one record has, and the bytes of their bits.
HWY_INLINE IndexRange seconds_from(const CornerSearch& search, const StarScratch& scratch,
                                   std::uint32_t first, std::uint32_t count, std::size_t& bytes) {
  bytes = 0;
  std::uint32_t end = first;
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    const std::uint32_t bucket_end = scratch.begins[bucket + 1];
    if (bucket_end <= end) continue;
    const std::size_t each = bytes_of(search.window(bucket));
    const std::size_t capacity =
        bytes < ChunkWriter::kMostBytes ? ChunkWriter::kMostBytes - bytes : 0;
    const std::size_t fit = each == 0 ? bucket_end - end : capacity / each;
    const auto taken = static_cast<std::uint32_t>(
        std::min<std::size_t>(bucket_end - end, std::max<std::size_t>(fit, end == first ? 1 : 0)));
    bytes += taken * each;
    end += taken;
    if (end < bucket_end) break;
  }
  return {first, std::min(end, count)};
}

StarCounts compress_run(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                        StarScratch& scratch, const ChunkVisitor& visitor) {
  CornerSearch search(grid, run, radius, scratch);
  StarCounts counts;
  ChunkWriter& writer = scratch.writer;
  const auto hand_on = [&] {
    visitor(StarChunk(grid, writer.finish()));
    writer.start();
  };
  writer.start();
  for (std::uint32_t corner = run.points.begin; corner < run.points.end; ++corner) {
    const std::uint32_t count = search.begin(corner);
    counts.pairs += count;
    for (std::uint32_t first = 0; first < count;) {
      std::size_t bytes = 0;
      const IndexRange seconds = seconds_from(search, scratch, first, count, bytes);
      const ChunkWriter::Record record =
          writer.add({corner, count, seconds.begin, seconds.end}, run.neighbours.size(), bytes);
      scratch.put_neighbours(run.neighbours, count, record);
      StarWriter write(record.bits);
      search.search(seconds, write);
      std::memset(record.bits + bytes, 0, padded(bytes) - bytes);
      writer.count(write.stars());
      if (write.stars() == 0) writer.drop();
      counts.three_stars += write.stars();
      first = seconds.end;
      if (writer.size() >= ChunkWriter::kMostBytes) hand_on();
    }
  }
  if (!writer.empty()) hand_on();
  return counts;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::three_star
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::three_star {

HWY_EXPORT(count_run);
HWY_EXPORT(compress_run);

StarCounts count_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                       StarScratch& scratch) {
  return HWY_DYNAMIC_DISPATCH(count_run)(grid, run, radius, scratch);
}

StarCounts compress_stars(const CellGrid& grid, const PointRun& run, std::int32_t radius,
                          StarScratch& scratch, const ChunkVisitor& visitor) {
  return HWY_DYNAMIC_DISPATCH(compress_run)(grid, run, radius, scratch, visitor);
}

void StarScratch::put_neighbours(const CellGrid::Neighbours& around, std::uint32_t count,
                                 const ChunkWriter::Record& record) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t index = around.local_index(sorted.indices[i]);
    if (id_bytes(around.size()) == 2) {
      const auto id = static_cast<std::uint16_t>(index);
      std::memcpy(record.ids + 2 * i, &id, sizeof id);
    } else {
      std::memcpy(record.ids + 4 * i, &index, sizeof index);
    }
  }
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    std::memset(record.buckets + begins[bucket], bucket, begins[bucket + 1] - begins[bucket]);
  }
}

}  // namespace millrace::three_star
#endif  // HWY_ONCE
