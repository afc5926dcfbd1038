// SPDX-License-Identifier: Apache-2.0
#include MILLRACE_TARGET
#include <millrace/docs/examples/several_devices/choose_tasks.h>

const millrace::target::RegisterTasks<millrace::examples::ChooseTasks> registered;
