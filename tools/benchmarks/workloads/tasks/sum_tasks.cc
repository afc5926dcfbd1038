// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/workloads/tasks/sum_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<FlatSum> registered_flat;
const target::RegisterTasks<FanSum> registered_fan;
const target::RegisterTasks<TreeSum> registered_tree;

}  // namespace
}  // namespace millrace::tools
