// SPDX-License-Identifier: Apache-2.0

// The report of a run of tasks.
#ifndef MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_
#define MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_

#include <millrace/runtime/tasks/policy.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace millrace {

struct RunReport {
  Policy policy = Policy::kAuto;             // Policy that ran last; kAuto only if nothing ran.
  std::vector<std::uint64_t> tasks_by_type;  // Number of tasks run, by the tag of their type.
  std::uint64_t waves = 0;                   // Number of waves; 0 under kPersistentThreads. A wave
                                             // that a GPU runs in parts counts as several.
  std::uint64_t steals = 0;                  // Times a worker took another's items; 0 for waves.
  double seconds = 0;          // Time from the start of the first item to the end of the last.
  std::uint64_t switches = 0;  // Number of times that kAuto changed the policy during the run.

  // Returns the number of tasks run.
  std::uint64_t tasks() const {
    return std::accumulate(tasks_by_type.begin(), tasks_by_type.end(), std::uint64_t{0});
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_
