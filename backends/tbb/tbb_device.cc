// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/tbb/tbb_device.h>
#include <millrace/backends/tbb/tbb_threads.h>
#include <millrace/runtime/host/host_cores.h>

#include <tbb/info.h>

#include <algorithm>

namespace millrace::tbb_backend {

DeviceInfo TbbDevice::describe() {
  DeviceInfo info = CpuDevice::describe();
  info.backend = info.name = "tbb";
  info.compute_units = std::min(tbb::info::default_concurrency(), host_cores().usable);
  return info;
}

std::shared_ptr<cpu::CpuThreads> TbbDevice::make_threads(int concurrency) {
  return std::make_shared<TbbThreads>(concurrency);
}

}  // namespace millrace::tbb_backend
