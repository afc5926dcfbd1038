// SPDX-License-Identifier: Apache-2.0

// IDCT on GPUs: the tasks under the runtime's policies.
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/backends/gpu/run/task_target.h>

namespace millrace::MILLRACE_GPU {
namespace {

const RegisterTasks<idct::ResidualTasks> registered_residual;
const RegisterTasks<idct::ReconstructionTasks> registered_reconstruction;

}  // namespace
}  // namespace millrace::MILLRACE_GPU
