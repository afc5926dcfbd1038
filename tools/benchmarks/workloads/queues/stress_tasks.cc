// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/queues/stress_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<StressTasks<StressKind::kOneType>> registered_one_type;
const target::RegisterTasks<StressTasks<StressKind::kSizes>> registered_sizes;
const target::RegisterTasks<StressTasks<StressKind::kWidths>> registered_widths;

}  // namespace
}  // namespace millrace::tools
