// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/tests/conformance/shared/shared_tasks.h>

namespace millrace::conformance {
namespace {

const target::RegisterTasks<SharedTreeTasks> registered_trees;
const target::RegisterTasks<SharedChainTasks> registered_chains;
const target::RegisterTasks<SharedCallTasks> registered_calls;
const target::RegisterTasks<SharedBranchTasks> registered_branches;
const target::RegisterTasks<SharedGatherTasks> registered_gatherings;

}  // namespace
}  // namespace millrace::conformance
