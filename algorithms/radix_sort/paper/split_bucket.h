// SPDX-License-Identifier: Apache-2.0

// The buckets of the paper's streamed radix sort, and how the host balances them: Lee, Lo, Chen,
// Chung and Chung, "GPU Performance Enhancement via Communication Cost Reduction", 2012, III.B.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_SPLIT_BUCKET_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_SPLIT_BUCKET_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::radix_sort {

// Records to be sorted by the `bits` low bits of their keys; the bits above are equal.
struct Bucket {
  std::size_t first = 0;
  std::size_t count = 0;
  int bits = 0;
  int side = 0;  // Index of the array that holds them, 0 or 1.
};

inline constexpr int kPaperDigitBits = 4;  // The paper's radix is 16.

// A bucket of more than twice the average is split by its highest digit; neighbours are merged up
// to the average.
struct BucketLimits {
  explicit BucketLimits(std::size_t count)
      : largest(count >> (kPaperDigitBits - 1)), merged(count >> kPaperDigitBits) {}

  bool is_too_large(const Bucket& bucket) const {
    return bucket.count > largest && bucket.bits >= kPaperDigitBits && bucket.count > 1;
  }

  std::size_t largest;
  std::size_t merged;
};

// Returns the buckets of `parent` after a pass by its highest digit: digit d starts starts[d]
// records behind its first. No bucket is empty. Merged ones are also sorted by that digit.
std::vector<Bucket> split_bucket(const Bucket& parent, std::span<const std::uint32_t> starts,
                                 const BucketLimits& limits);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_SPLIT_BUCKET_H_
