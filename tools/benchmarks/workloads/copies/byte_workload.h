// SPDX-License-Identifier: Apache-2.0

// A workload whose size is a number of bytes.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_WORKLOAD_H_

#include <millrace/tools/benchmarks/workloads/workload.h>

#include <cstdint>
#include <string>

namespace millrace::tools {

// The strategy of copies of pageable memory through pinned slots of our own.
inline constexpr char kStaged[] = "staged";

// Returns a workload of at most 16 GiB without strategies and runs, whose items are its bytes.
inline Workload byte_workload(const std::string& name, const std::string& what,
                              const SizeChoice& sizes) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "bytes";
  workload.sizes = sizes;
  workload.size_rule = "is at most 17179869184";
  workload.is_size = [](std::uint64_t size) { return size <= std::uint64_t{1} << 34; };
  return workload;
}

// Returns the sizes of copies that are measured at one size a device, past its caches.
inline SizeChoice large_copy_sizes() {
  constexpr std::uint64_t kMiB = 1 << 20;
  return {.cpu = {128 * kMiB}, .gpu = {512 * kMiB}, .quick = 32 * kMiB, .simulated = kMiB};
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_WORKLOAD_H_
