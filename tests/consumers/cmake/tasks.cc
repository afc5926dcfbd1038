#include MILLRACE_TARGET
#include "tasks.h"

const millrace::target::RegisterTasks<Tasks> registered;
