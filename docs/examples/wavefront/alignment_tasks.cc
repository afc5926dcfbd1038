// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/wavefront/alignment_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<AlignmentTasks> registered;

}  // namespace
}  // namespace millrace::examples
