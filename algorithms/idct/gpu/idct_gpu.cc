// SPDX-License-Identifier: Apache-2.0

// Registers the tasks of idct_tasks.h for GPUs, where the lanes of a warp share a macroblock
// (idct_cooperative.h).
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/backends/gpu/run/task_target.h>

namespace millrace::MILLRACE_GPU {
namespace {

const RegisterTasks<idct::ResidualTasks> registered_residual;
const RegisterTasks<idct::ReconstructionTasks> registered_reconstruction;

}  // namespace
}  // namespace millrace::MILLRACE_GPU
