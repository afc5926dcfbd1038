// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/quadrature_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<QuadratureTasks> registered;

}  // namespace
}  // namespace millrace::examples
