// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/tree_search/uts_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<UtsTasks> registered;

}  // namespace
}  // namespace millrace::examples
