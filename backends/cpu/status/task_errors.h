// SPDX-License-Identifier: Apache-2.0

// The errors of calls that a task makes to its Context (runtime/tasks/task.h). All throw
// kInvalidArgument.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_TASK_ERRORS_H_
#define MILLRACE_BACKENDS_CPU_STATUS_TASK_ERRORS_H_

namespace millrace::cpu {

[[noreturn]] void reject_spawn();
[[noreturn]] void reject_join();
[[noreturn]] void reject_empty_join();
[[noreturn]] void reject_arguments();

// `where` is the counter or the join at which none is missing.
[[noreturn]] void reject_arrival(const char* where);

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_STATUS_TASK_ERRORS_H_
