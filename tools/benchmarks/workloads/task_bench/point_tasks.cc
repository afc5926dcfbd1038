// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/task_bench/point_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<PointTasks> registered;

}  // namespace
}  // namespace millrace::tools
