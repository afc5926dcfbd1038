// SPDX-License-Identifier: Apache-2.0

// Sorting arrays of the host on a device with memory of its own, faster than to copy them there,
// sort, and copy them back: the link is what takes the time, so it carries fewer bytes, both ways
// at once, and is never idle.
//
// * Keys come up in chunks that get smaller. Each is sorted while the next comes, and merged with
//   those before it, so that little is left to do when the last one has come.
// * Sorted keys go down coded as the differences between them, where that is faster by the rates
//   that earlier sorts have measured; the last of them raw, while the host decodes the others.
// * With values, the keys come up first, are sorted with their places, and go down while the values
//   come up; the values are gathered by those places. Values of the first part of the input go
//   down while the others come up: the host weaves the two parts together by a mask.
// * Places (argsort) never come up.
// * What does not fit on the device is sorted in runs, which the host merges.
// * Few records are not worth the way: the calling thread sorts them.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_HOST_ARRAY_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_HOST_ARRAY_SORT_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

enum class HostSortScheme : std::uint8_t {
  kAuto,      // kHost for few records, kSerial for more, kStreamed for many.
  kHost,      // By the calling thread: fewer than 2^32 records.
  kSerial,    // Copy, sort, copy.
  kStreamed,  // As above.
};

struct HostSortOptions {
  HostSortScheme scheme = HostSortScheme::kAuto;
  CodecUse codec = CodecUse::kMeasured;  // Of keys on their way down, whatever the arguments say.
  // Of coded keys without values, the part that goes raw; below 0: measured.
  double raw_share = -1;
  bool attends = true;           // Whether threads wait for coded keys without sleeping.
  std::size_t most_records = 0;  // At once on the device; 0: as many as it has memory for.
  std::size_t least_run = 0;     // Fewer are not halved where memory is short; 0: kLeastRun.
  std::size_t chunks = 0;        // Of the keys' way up, at most; 0: chosen by their bytes.
  std::size_t segments = 0;      // Of ways down, at most; 0: chosen by the count.
  std::size_t memories = 0;      // Coded segments that have pinned memory at a time; 0: chosen.
  int threads = 0;               // Threads of the host that decode keys; 0: chosen.
};

// As radix_sort.h's sort(), of at least one key with arguments that have been checked; their arrays
// are in pinned or pageable memory. Sorting in runs takes as much host memory again. Returns when
// the outputs are there.
void sort_on_host(Queue& queue, const SortArguments& arguments, const HostSortOptions& options,
                  SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_HOST_ARRAY_SORT_H_
