// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/algorithms/h264/features/tasks/feature_tasks.h>

namespace millrace::h264 {
namespace {

const target::RegisterTasks<FeatureTasks> registered;

}  // namespace
}  // namespace millrace::h264
