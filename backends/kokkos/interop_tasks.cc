// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/kokkos/interop_tasks.h>

#include MILLRACE_TARGET

namespace millrace {
namespace {

const target::RegisterTasks<kokkos::CountTasks> registered;

}  // namespace
}  // namespace millrace
