// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/mandelbrot_tasks.h>

namespace millrace::examples {
namespace {

const target::RegisterTasks<MandelbrotTasks> registered;

}  // namespace
}  // namespace millrace::examples
