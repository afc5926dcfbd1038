// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>

namespace millrace::tbb_backend {
namespace {

const cpu::RegisterTasks<HostTasks> registered;

}  // namespace
}  // namespace millrace::tbb_backend
