#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/backends/tbb/task_target.h>

namespace millrace::tbb_backend {
namespace {

const RegisterTasks<HostTasks> registered;

}  // namespace
}  // namespace millrace::tbb_backend
