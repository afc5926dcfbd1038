// SPDX-License-Identifier: Apache-2.0

// What a run did.
#ifndef MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_
#define MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_

#include <cstdint>
#include <numeric>
#include <vector>

#include <millrace/runtime/tasks/policy.h>

namespace millrace {

struct RunReport {
  Policy policy = Policy::kAuto;             // The one that ran; not kAuto where tasks did.
  std::vector<std::uint64_t> tasks_by_type;  // Items run, by the type's place in the set.
  std::uint64_t waves = 0;                   // Of what ran in waves; 0 under kPersistentThreads.
  std::uint64_t steals = 0;                  // Times a worker took another's items; 0 for waves.
  double seconds = 0;                        // From the start of the first item to the last's end.
  std::uint64_t switches = 0;  // Times kAuto went on under another policy; `policy` is the last.

  std::uint64_t tasks() const {
    return std::accumulate(tasks_by_type.begin(), tasks_by_type.end(), std::uint64_t{0});
  }
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_RUN_REPORT_H_
