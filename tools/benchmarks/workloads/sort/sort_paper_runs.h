// SPDX-License-Identifier: Apache-2.0

// Tables I to III of Lee, Lo, Chen, Chung and Chung, "GPU Performance Enhancement via Communication
// Cost Reduction", 2012, measured: radix sort as it was (original) and with output that overlaps
// sorting (modified).
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <millrace/algorithms/radix_sort/key_distributions.h>
#include <millrace/algorithms/radix_sort/paper/paper_sort.h>
#include <millrace/runtime/core/device.h>

namespace millrace::tools {

// A column of tables II and III, in seconds.
struct SortPaperColumn {
  radix_sort::PaperProfile profile;
  double total = 0;  // Without the waits that the profile takes.

  // Time of the operations that ran at the same time as others.
  double overlap() const { return profile.sum() - total; }
};

struct SortPaperRow {
  const char* name;
  double (*seconds)(const SortPaperColumn&);
};

inline constexpr SortPaperRow kSortPaperRows[] = {
    {"reduction", [](const SortPaperColumn& column) { return column.profile.passes.reduction; }},
    {"scan", [](const SortPaperColumn& column) { return column.profile.passes.scan; }},
    {"scatter", [](const SortPaperColumn& column) { return column.profile.passes.scatter; }},
    {"copy to device", [](const SortPaperColumn& column) { return column.profile.upload; }},
    {"copy to host", [](const SortPaperColumn& column) { return column.profile.download; }},
    {"bucketing", [](const SortPaperColumn& column) { return column.profile.bucketing; }},
    {"load balance", [](const SortPaperColumn& column) { return column.profile.balance; }},
    {"overlap of output", [](const SortPaperColumn& column) { return column.overlap(); }},
    {"total", [](const SortPaperColumn& column) { return column.total; }},
};

// Times of sorting; the paper's schemes are present where sort_paper_limit() is empty.
struct SortPaperRun {
  radix_sort::KeyDistribution keys{};
  std::size_t count = 0;
  std::optional<SortPaperColumn> original{};
  std::optional<SortPaperColumn> modified{};
  double ours = 0;               // Time of sort(), in seconds.
  double ratio = 0;              // Ratio of modified to original: median over rounds.
  std::uint64_t partitions = 0;  // Passes of the modified sort that make buckets,
  std::uint64_t buckets = 0;     // and these.
};

// Why the paper's schemes cannot run on a device; empty where they can.
std::string sort_paper_limit(const DeviceInfo& info);

// At least so many rounds of a contest: large sorts are steady, and take long.
std::size_t sort_paper_rounds(std::size_t count);

// Sorts pairs of u32 keys and values between pinned memory and the device, in turns (contest.h).
// Every output is checked: throws kInternal where one is wrong.
SortPaperRun measure_sort_paper(const std::shared_ptr<Device>& device,
                                radix_sort::KeyDistribution keys, std::size_t count, double seconds,
                                std::size_t least_rounds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_RUNS_H_
