// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/shortest_paths/delta_stepping_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<DeltaSteppingTasks> registered;

}  // namespace
}  // namespace millrace::examples
