// SPDX-License-Identifier: Apache-2.0

#include MILLRACE_TARGET
#include <millrace/docs/examples/first/tasks.h>

const millrace::target::RegisterTasks<Tasks> registered;
