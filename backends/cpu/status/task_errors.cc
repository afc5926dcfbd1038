// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/task_errors.h>
#include <millrace/runtime/core/check.h>

#include <string>

namespace millrace::cpu {

void reject_spawn() {
  reject("a task has spawned, but its type says kSpawns = false; remove kSpawns");
}

void reject_join() {
  reject("a task has opened more joins than its type's kJoins; increase kJoins");
}

void reject_empty_join() {
  reject("a task has opened a join of 0 arrivals; give it at least 1, or spawn the task");
}

void reject_arguments() {
  reject(
      "a task reads the arguments of its run, which has none; call set_arguments() of the "
      "run's TaskList");
}

void reject_arrival(const char* where) {
  reject(std::string("a task has arrived at ") + where +
         "; there are more arrivals than were stated");
}

}  // namespace millrace::cpu
