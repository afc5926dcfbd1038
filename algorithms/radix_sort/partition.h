// One pass of partitioning on the CPU: what is counted and where it goes.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_H_

#include <hwy/aligned_allocator.h>
#include <millrace/algorithms/radix_sort/bucket_tasks.h>
#include <millrace/algorithms/radix_sort/radix_sort_simd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// Elements of `range` are split into chunks of about the same size, each with counts of its own,
// so that equal digits keep their order.
struct Partition {
  Partition(const ElementRange& range, ElementRange::Place to, std::size_t chunks)
      : range(range), to(to), chunks(chunks) {}

  std::size_t chunk_begin(std::size_t chunk) const {
    return range.begin + range.size() / chunks * chunk + std::min(range.size() % chunks, chunk);
  }
  std::size_t chunk_size(std::size_t chunk) const {
    return chunk_begin(chunk + 1) - chunk_begin(chunk);
  }
  std::uint32_t* counts_of(std::size_t chunk) { return counts.get() + stride() * chunk; }
  std::uint64_t* places_of(std::size_t chunk) { return places.get() + stride() * chunk; }

  // Begins to count by a digit.
  void start_counting(Digit by) {
    digit = by;
    counts = hwy::AllocateAligned<std::uint32_t>(stride() * chunks);
    differing = 0;
    chunks_left = chunks;
  }

  // Turns counts into places.
  void start_scattering() {
    places = hwy::AllocateAligned<std::uint64_t>(stride() * chunks);
    std::uint64_t place = range.begin;
    for (std::size_t d = 0; d < digit.values(); ++d) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        places_of(chunk)[d] = place;
        place += counts_of(chunk)[d];
      }
    }
    chunks_left = chunks;
  }

  // Ends a chunk's part of a phase; whether it was the last.
  bool finish_chunk() { return chunks_left.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // Where the elements of a digit's value end, once all are scattered.
  std::size_t bucket_end(std::size_t value) { return places_of(chunks - 1)[value]; }

  // Elements from one chunk's counts or places to the next one's: whole cache lines, because a
  // chunk's thread writes them all the time.
  std::size_t stride() const {
    constexpr std::size_t kElements = kCacheLine / sizeof(std::uint32_t);
    return (digit.values() + kElements - 1) / kElements * kElements;
  }

  const ElementRange range;
  const ElementRange::Place to;
  const std::size_t chunks;
  Digit digit;
  std::uint64_t reference = 0;               // One of the keys, ordered.
  std::atomic<std::uint64_t> differing = 0;  // Bits in which a key differs from it.
  std::atomic<std::size_t> chunks_left = 0;
  hwy::AlignedFreeUniquePtr<std::uint32_t[]> counts;
  hwy::AlignedFreeUniquePtr<std::uint64_t[]> places;
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_PARTITION_H_
