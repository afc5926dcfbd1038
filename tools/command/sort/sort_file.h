// SPDX-License-Identifier: Apache-2.0

// Sorts a file of any size on a group of devices: in runs that fit into memory, which are then
// merged.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_FILE_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_FILE_H_

#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/stream/codec_choice.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/sort/sort_input.h>
#include <millrace/tools/command/sort/sort_watch.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace millrace::tools {

struct SortFileOptions {
  radix_sort::SortOrder order = radix_sort::SortOrder::kAscending;
  bool is_argsort = false;                 // Sorts keys without values.
  bool keeps_keys = false;                 // An argsort writes each key ahead of its position.
  std::uint64_t top_records = UINT64_MAX;  // Wanted records, the first of the result.
  Policy policy = Policy::kAuto;
  CodecUse codec = CodecUse::kMeasured;
  // Limit of all arrays together; those on the device are not counted.
  std::size_t memory_bytes = 0;
  std::string folder;  // Holds runs that wait to be merged; empty: the current one.
};

// The runs in which the records of an input are sorted within the memory.
class SortPlan {
 public:
  SortPlan(const SortInput& input, const SortFileOptions& options);

  // Returns the shape of a run's records: the input's, or keys with their positions. A position has
  // 4 bytes if that is enough for all keys.
  const RecordShape& run_shape() const { return run_shape_; }

  std::uint64_t run_records() const { return run_records_; }
  std::uint64_t runs() const { return runs_; }
  std::size_t runs_at_once() const {
    return runs_at_once_;
  }  // Number of runs that are merged at once.
  std::size_t merge_bytes() const { return merge_bytes_; }

  // Returns the number of times sort_file passes every record to SortWatch.
  int passes() const;

 private:
  RecordShape run_shape_;
  std::uint64_t run_records_;
  std::uint64_t runs_;
  std::size_t runs_at_once_;
  std::size_t merge_bytes_;
};

struct SortFileReport {
  double sort_seconds = 0;        // Seconds in radix_sort::sort, for all runs.
  Policy policy = Policy::kAuto;  // See radix_sort::SortReport.
  std::set<std::string> codecs;   // Codecs of all runs; "raw" alone if nothing was coded.
  std::uint64_t coded_segments = 0;
  std::uint64_t raw_segments = 0;
  std::uint64_t codec_trials = 0;
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  // Work of each device in all runs, if there are several devices.
  std::vector<DevicePortion> portions;

  void add(const radix_sort::SortReport& run);
};

// Writes the input's records in order, or their positions in the input, by the plan. Throws Error:
// kIo, kCancelled from the watch, and what radix_sort::sort throws.
SortFileReport sort_file(const DeviceGroup& group, const SortInput& input,
                         const SortFileOptions& options, const SortPlan& plan, std::ostream& out,
                         SortWatch& watch);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_FILE_H_
