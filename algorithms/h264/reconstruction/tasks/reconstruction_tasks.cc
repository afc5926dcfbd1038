// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruction_tasks.h>

namespace millrace::h264 {
namespace {

const target::RegisterTasks<ReconstructionTasks> registered;

}  // namespace
}  // namespace millrace::h264
