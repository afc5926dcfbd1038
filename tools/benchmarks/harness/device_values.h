// SPDX-License-Identifier: Apache-2.0

// Values of the host in a device's memory and back, for benchmarks: each call waits for the queue.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_VALUES_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_VALUES_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <span>
#include <vector>

namespace millrace::tools {

template <class T>
Buffer<T> to_device(Queue& queue, const std::vector<T>& values) {
  Buffer<T> buffer(queue.device().shared_from_this(), MemorySpace::kDevice, values.size());
  copy(queue, buffer.span(), BufferSpan<const T>(std::span<const T>(values)));
  queue.wait();
  return buffer;
}

template <class T>
std::vector<T> to_host(Queue& queue, const Buffer<T>& buffer) {
  std::vector<T> values(buffer.size());
  copy(queue, BufferSpan<T>(std::span<T>(values)), buffer.span());
  queue.wait();
  return values;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_DEVICE_VALUES_H_
