// SPDX-License-Identifier: Apache-2.0

// The paper's streamed radix sort (split_bucket.h), for comparison with its tables: the whole
// input is uploaded; one pass by the highest digit makes buckets, which the host balances; each
// bucket is sorted by passes from the lowest digit on, and downloaded while others are sorted.
//
// A bucket is a task too large for a worker of a GPU: its passes take the whole device. So the host
// launches them, bucket after bucket, on two queues: while one runs the scan of its counts, which
// is a single block, the other counts or scatters. sort() of radix_sort.h takes less than half the
// time (docs/experiments/paper_sort_against_streaming.md).
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_PAPER_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_PAPER_SORT_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>

namespace millrace::radix_sort {

// The rows of the paper's tables II and III, in seconds.
struct PaperSortProfile {
  PassTimes passes;  // Reduction, scan and scatter.
  double upload = 0;
  double download = 0;
  double bucketing = 0;  // Host: makes buckets from the first pass's counts,
  double balance = 0;    // and from the counts of buckets that were split.

  double sum() const {
    return passes.reduction + passes.scan + passes.scatter + upload + download + bucketing +
           balance;
  }
};

enum class PaperSortScheme {
  kOriginal,  // One bucket, and nothing overlaps.
  kModified,  // Same as above.
};

// Sorts at least one and fewer than 2^32 records of host arrays, with checked arguments. With a
// profile each step waits for the one before it and is timed; without, steps overlap.
void sort_as_paper(Queue& queue, const SortArguments& arguments, PaperSortScheme scheme,
                   SortReport& report, PaperSortProfile* profile = nullptr);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_PAPER_PAPER_SORT_H_
