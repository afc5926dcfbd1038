// SPDX-License-Identifier: Apache-2.0

// Features of the residual on GPUs.
#include <millrace/algorithms/idct/stream/residual_feature_tasks.h>
#include <millrace/backends/gpu/run/task_target.h>

namespace millrace::MILLRACE_GPU {
namespace {

const RegisterTasks<idct::ResidualFeatureTasks> registered_features;

}  // namespace
}  // namespace millrace::MILLRACE_GPU
