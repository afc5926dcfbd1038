// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/kokkos/count_node.h>

#include MILLRACE_TARGET

namespace millrace {
namespace {

const target::RegisterTasks<kokkos::CountTasks> registered;

}  // namespace
}  // namespace millrace
