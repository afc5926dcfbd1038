// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/paper/split_bucket.h>

namespace millrace::radix_sort {

std::vector<Bucket> split_bucket(const Bucket& parent, std::span<const std::uint32_t> starts,
                                 const BucketLimits& limits) {
  std::vector<Bucket> buckets;
  for (std::size_t d = 0; d < starts.size(); ++d) {
    const std::size_t end = d + 1 < starts.size() ? starts[d + 1] : parent.count;
    const std::size_t count = end - starts[d];
    if (count == 0) continue;
    if (!buckets.empty() && buckets.back().count + count <= limits.merged) {
      buckets.back().count += count;
      buckets.back().bits = parent.bits;
    } else {
      buckets.push_back(
          {parent.first + starts[d], count, parent.bits - kPaperDigitBits, 1 - parent.side});
    }
  }
  return buckets;
}

}  // namespace millrace::radix_sort
