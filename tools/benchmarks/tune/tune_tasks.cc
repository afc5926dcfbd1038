// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tools/benchmarks/tune/tune_tasks.h>

namespace millrace::tools {
namespace {

const target::RegisterTasks<TuneFlatTasks> registered_flat;
const target::RegisterTasks<TuneMixedFlatTasks> registered_mixed_flat;
const target::RegisterTasks<TuneTreeTasks> registered_tree;
const target::RegisterTasks<TuneMixedTreeTasks> registered_mixed_tree;
const target::RegisterTasks<TuneLargeTreeTasks> registered_large_tree;

}  // namespace
}  // namespace millrace::tools
