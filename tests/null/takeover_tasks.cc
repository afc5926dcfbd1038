// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tests/conformance/tasks/gate_tasks.h>

namespace millrace::conformance {
namespace {

const target::RegisterTasks<GatedFunnelTasks> registered_funnels;

}  // namespace
}  // namespace millrace::conformance
