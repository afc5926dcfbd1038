// SPDX-License-Identifier: Apache-2.0

// The cases that `bench auto` runs: none of them is a workload that tune measures.
#ifndef MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_CASES_H_
#define MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_CASES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>

namespace millrace::tools {

// One run of a case, which was checked.
struct AutoRun {
  double seconds = 0;  // Time of the call.
  Policy policy = Policy::kAuto;
  std::uint64_t switches = 0;
};

struct AutoCase {
  std::string name;
  std::function<AutoRun(Policy)> run;
};

// Makes a case when its turn has come: what it needs may take gigabytes.
using MakeAutoCase = std::function<AutoCase(Queue&)>;

// Queues of the inverse transform, task trees of many shapes, buckets of sorts and cells of the
// 3-star search, for this device: small where `is_quick`. Of sorts none where their buckets are no
// tasks, as on GPUs.
std::vector<MakeAutoCase> auto_cases(const Device& device, bool is_quick);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_DRIVERS_RUNTIME_AUTO_CASES_H_
