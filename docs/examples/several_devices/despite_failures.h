// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_DESPITE_FAILURES_H_
#define MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_DESPITE_FAILURES_H_

#include <millrace/runtime/group/run_shared_tasks.h>

#include <iostream>
#include <vector>

namespace millrace::examples {

// Runs the tasks on the first group and, if a device of it fails, what is left on the next one, and
// so on. Throws the failure of the last group, and one after which tasks are missing.
template <class Set>
void run_despite_failures(const std::vector<const DeviceGroup*>& groups, SharedTasks<Set> tasks) {
  for (const DeviceGroup* const group : groups) {
    try {
      run_tasks(*group, tasks, {.keep_unfinished = true});
      return;
    } catch (const FailedRun<Set>& failed) {
      if (group == groups.back() || !failed.tasks_left().has_value()) throw;
      std::cerr << failed.what() << "; another group goes on\n";
      tasks.roots = failed.remaining();
    }
  }
}

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_SEVERAL_DEVICES_DESPITE_FAILURES_H_
