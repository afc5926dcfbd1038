// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/joins/fibonacci_pair_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<FibonacciPairTasks> registered;

}  // namespace
}  // namespace millrace::tools
