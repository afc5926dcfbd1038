// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tests/conformance/tasks/gate_tasks.h>

namespace millrace::conformance {
namespace {

const target::RegisterTasks<GatedFanInTasks> registered_fan_ins;

}  // namespace
}  // namespace millrace::conformance
