// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/n_queens_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<NQueensTasks> registered;

}  // namespace
}  // namespace millrace::examples
