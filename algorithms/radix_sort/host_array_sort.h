// SPDX-License-Identifier: Apache-2.0

// Sorts host arrays on a device with memory of its own, faster than an upload, a sort and a
// download: the link takes most of the time, so it carries fewer bytes, in both directions at once,
// and is never idle.
//
// * Keys are uploaded in chunks that get smaller. Each is sorted while the next arrives, and merged
//   with those before it, so that little is left to do when the last one has arrived.
// * Sorted keys are downloaded coded as the differences between them, where that is faster by the
//   rates that earlier sorts have measured; the last keys raw, while the host decodes the others.
// * With values, the keys are uploaded first, sorted with their indices, and downloaded while the
//   values are uploaded; the values are gathered by those indices. Values of the first part of the
//   input are downloaded while the others are uploaded: the host interleaves the two by a mask.
// * Indices (argsort) are never uploaded.
// * Arrays larger than the device's memory are sorted in runs, which the host merges.
// * Below a threshold (is_profitable_on_host) the calling thread sorts the records.
//
// Defined in stream/, which holds the schemes.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_HOST_ARRAY_SORT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_HOST_ARRAY_SORT_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec_choice.h>

#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

enum class HostArraySortScheme : std::uint8_t {
  kAuto,      // The number of records selects kHost, kSerial or kStreamed.
  kHost,      // The calling thread sorts; fewer than 2^32 records.
  kSerial,    // Upload, sort, download.
  kStreamed,  // Same as above.
};

struct HostArraySortOptions {
  HostArraySortScheme scheme = HostArraySortScheme::kAuto;
  CodecUse codec = CodecUse::kMeasured;  // For downloaded keys; the arguments' codec is ignored.
  double raw_fraction = -1;  // Fraction of coded keys without values sent raw; below 0: measured.
  bool attends = true;       // True if threads poll for coded keys instead of sleeping.
  std::size_t most_records = 0;  // Limit on the device at once; 0: all that its memory holds.
  std::size_t least_run = 0;     // Smaller runs are not halved if memory is short; 0: kLeastRun.
  std::size_t chunks = 0;        // Most chunks of uploaded keys; 0: chosen by their bytes.
  std::size_t segments = 0;      // Most segments of a download; 0: chosen by the count.
  std::size_t memories = 0;      // Coded segments with pinned memory at a time; 0: chosen.
  int threads = 0;               // Threads of the host that decode keys; 0: chosen.
};

// Sorts like sort() of radix_sort.h: at least one key, with checked arguments whose arrays are in
// pinned or pageable memory. `steps` are the queue's (sort_steps_of). A sort in runs takes as much
// host memory again. Returns when the outputs are complete.
void sort_host_arrays(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                      const HostArraySortOptions& options, SortReport& report);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_HOST_ARRAY_SORT_H_
