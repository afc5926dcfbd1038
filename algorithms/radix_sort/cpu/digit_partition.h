// SPDX-License-Identifier: Apache-2.0

// One pass of partitioning on the CPU: its counts, and the indices to which elements move.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_DIGIT_PARTITION_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_DIGIT_PARTITION_H_

#include <millrace/algorithms/radix_sort/cpu/bucket_tasks.h>
#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::radix_sort {

// An array for each chunk, in cache lines that no other chunk's thread writes.
template <class T>
class ArrayOfEach {
 public:
  void resize(std::size_t chunks, std::size_t values) {
    lines_of_each_ = (values + kLineValues - 1) / kLineValues;
    lines_.resize(chunks * lines_of_each_);
  }

  T* of(std::size_t chunk) { return lines_[chunk * lines_of_each_].values; }

 private:
  static constexpr std::size_t kLineValues = kCacheLine / sizeof(T);
  struct alignas(kCacheLine) Line {
    T values[kLineValues];
  };

  std::size_t lines_of_each_ = 0;
  std::vector<Line> lines_;
};

// Elements of `range` are split into chunks of about the same size, each with counts of its own,
// so that equal digits keep their order.
struct DigitPartition {
  DigitPartition(const ElementRange& range, ElementRange::Memory to, std::size_t chunks)
      : range(range), to(to), chunks(chunks) {}

  std::size_t chunk_begin(std::size_t chunk) const {
    return range.begin + range.size() / chunks * chunk + std::min(range.size() % chunks, chunk);
  }
  std::size_t chunk_size(std::size_t chunk) const {
    return chunk_begin(chunk + 1) - chunk_begin(chunk);
  }
  std::uint32_t* counts_of(std::size_t chunk) { return counts.of(chunk); }
  std::uint64_t* next_indices_of(std::size_t chunk) { return next_indices.of(chunk); }

  // Begins to count by a digit.
  void start_counting(Digit by) {
    digit = by;
    counts.resize(chunks, digit.values());
    differing = 0;
    chunks_left = chunks;
  }

  // Replaces counts by the output index of the first element of each value.
  void start_scattering() {
    next_indices.resize(chunks, digit.values());
    std::uint64_t index = range.begin;
    for (std::size_t d = 0; d < digit.values(); ++d) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        next_indices_of(chunk)[d] = index;
        index += counts_of(chunk)[d];
      }
    }
    chunks_left = chunks;
  }

  // Ends a phase of a chunk. Returns true if the chunk was the last.
  bool finish_chunk() { return chunks_left.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  // Returns the end of the elements of a digit's value, once all are scattered.
  std::size_t bucket_end(std::size_t value) { return next_indices_of(chunks - 1)[value]; }

  const ElementRange range;
  const ElementRange::Memory to;
  const std::size_t chunks;
  Digit digit;
  bool is_by_splitters = false;              // Each value of the digit is a bucket's number.
  std::uint64_t reference = 0;               // One of the keys, ordered.
  std::atomic<std::uint64_t> differing = 0;  // Bits in which a key differs from it.
  std::atomic<std::size_t> chunks_left = 0;
  ArrayOfEach<std::uint32_t> counts;
  ArrayOfEach<std::uint64_t> next_indices;  // Output indices of the next elements.
};

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_DIGIT_PARTITION_H_
