// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/algorithms/h264/entropy/tasks/parsing_tasks.h>

namespace millrace::h264 {
namespace {

const target::RegisterTasks<ParsingTasks> registered;

}  // namespace
}  // namespace millrace::h264
