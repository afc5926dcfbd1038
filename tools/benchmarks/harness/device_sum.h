// SPDX-License-Identifier: Apache-2.0

#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_SUM_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_SUM_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/harness/device_values.h>

#include <cstddef>

namespace millrace::tools {

// A number in device memory. Each call but data() waits for the queue.
template <class T>
class DeviceSum {
 public:
  explicit DeviceSum(Queue& queue)
      : queue_(queue), sum_(queue.device().shared_from_this(), MemorySpace::kDevice, 1) {}

  T* data() { return sum_.data(); }
  T value() const { return to_host(queue_, sum_)[0]; }
  void clear() {
    fill_bytes(queue_, sum_.span(), std::byte{0});
    queue_.wait();
  }

 private:
  Queue& queue_;
  Buffer<T> sum_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_SUM_H_
