#include <millrace/backends/tbb/tbb_device.h>

#include <tbb/info.h>

#include <millrace/backends/tbb/tbb_threads.h>

namespace millrace::tbb_backend {

DeviceInfo TbbDevice::describe() {
  DeviceInfo info = CpuDevice::describe();
  info.backend = info.name = "tbb";
  info.compute_units = tbb::info::default_concurrency();
  return info;
}

std::shared_ptr<cpu::CpuThreads> TbbDevice::make_threads(int concurrency) {
  return std::make_shared<TbbThreads>(concurrency);
}

}  // namespace millrace::tbb_backend
