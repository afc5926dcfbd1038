// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/recursion/merge_sort_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<MergeSortTasks> registered;

}  // namespace
}  // namespace millrace::examples
