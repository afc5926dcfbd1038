// SPDX-License-Identifier: Apache-2.0

// Tables I to III of Lee, Lo, Chen, Chung and Chung, "GPU Performance Enhancement via Communication
// Cost Reduction", 2012, as a workload: radix sort as it was (original) and with output that
// overlaps sorting (modified), and this library's own.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_WORKLOAD_H_

#include <millrace/algorithms/radix_sort/paper/paper_sort.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

inline constexpr char kSortPaper[] = "sort-paper";

// Strategies. The first two need a device with memory of its own.
inline constexpr char kSortOriginal[] = "original";
inline constexpr char kSortModified[] = "modified";
inline constexpr char kSortOurs[] = "sort";

// The operations of tables II and III by the names that a measurement's values have, in seconds.
// Each waits for the one before it, so that their sum is more than the time of a run.
struct SortPaperOperation {
  const char* name;
  double (*seconds)(const radix_sort::PaperSortProfile&);
};

inline constexpr SortPaperOperation kSortPaperOperations[] = {
    {"reduction",
     [](const radix_sort::PaperSortProfile& profile) { return profile.passes.reduction; }},
    {"scan", [](const radix_sort::PaperSortProfile& profile) { return profile.passes.scan; }},
    {"scatter", [](const radix_sort::PaperSortProfile& profile) { return profile.passes.scatter; }},
    {"copy to device", [](const radix_sort::PaperSortProfile& profile) { return profile.upload; }},
    {"copy to host", [](const radix_sort::PaperSortProfile& profile) { return profile.download; }},
    {"bucketing", [](const radix_sort::PaperSortProfile& profile) { return profile.bucketing; }},
    {"load balance", [](const radix_sort::PaperSortProfile& profile) { return profile.balance; }}};

// Two more values of kSortModified: passes that make buckets, and these.
inline constexpr char kSortPartitions[] = "partitions";
inline constexpr char kSortBuckets[] = "buckets";

// Pairs of u32 keys and values, from pinned memory and back.
Workload sort_paper_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_SORT_SORT_PAPER_WORKLOAD_H_
