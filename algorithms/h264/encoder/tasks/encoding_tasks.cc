// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/algorithms/h264/encoder/tasks/encoding_tasks.h>

namespace millrace::h264 {
namespace {

const target::RegisterTasks<EncodingTasks> registered;

}  // namespace
}  // namespace millrace::h264
