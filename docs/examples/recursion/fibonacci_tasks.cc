// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/recursion/fibonacci_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<FibonacciTasks> registered;

}  // namespace
}  // namespace millrace::examples
