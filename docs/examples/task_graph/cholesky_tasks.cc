// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/task_graph/cholesky_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<CholeskyTasks> registered;
const target::RegisterTasks<SharedCholeskyTasks> registered_shared;

}  // namespace
}  // namespace millrace::examples
