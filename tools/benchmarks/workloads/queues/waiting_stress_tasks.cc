// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/queues/waiting_stress_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<WaitingStressTasks> registered;

}  // namespace
}  // namespace millrace::tools
