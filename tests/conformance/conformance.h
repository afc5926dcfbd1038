// SPDX-License-Identifier: Apache-2.0

// The requirements on every backend. Each test runs on every device of every backend linked into
// the binary; a backend is put through them by being linked (its line in backends/backends.bzl).
#ifndef MILLRACE_TESTS_CONFORMANCE_CONFORMANCE_H_
#define MILLRACE_TESTS_CONFORMANCE_CONFORMANCE_H_

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace millrace::conformance {

std::vector<std::string> device_names();

// Name of the first device that is not simulated, for tests of the host's work; empty if there is
// none.
std::string some_device_name();

// Names of the devices whose memory the host can copy itself.
std::vector<std::string> names_in_reach();

// Size of a test: `full`, or `simulated` on a device that runs GPU code on the CPU, about a
// thousand times slower, and wherever MILLRACE_TEST_SMALL is set, as for a sanitizer of GPU code.
// Under ThreadSanitizer an eighth of `full` on other devices, but no less than `simulated`.
// Wherever MILLRACE_TEST_FULL is set, `full`.
std::size_t scaled(const Device& device, std::size_t full, std::size_t simulated);

// A device opened by name, and one queue of it.
class ConformanceTest : public testing::TestWithParam<std::string> {
 protected:
  std::size_t scaled(std::size_t full, std::size_t simulated) const {
    return conformance::scaled(*device, full, simulated);
  }

  std::shared_ptr<Device> device = open_device(GetParam());
  std::unique_ptr<Queue> queue = device->make_queue();
};

// Base of tests that run under each policy as well.
class PolicyTest : public testing::TestWithParam<std::tuple<std::string, Policy>> {
 protected:
  std::size_t scaled(std::size_t full, std::size_t simulated) const {
    return conformance::scaled(*device, full, simulated);
  }

  std::shared_ptr<Device> device = open_device(std::get<0>(GetParam()));
  std::unique_ptr<Queue> queue = device->make_queue();
  Policy policy = std::get<1>(GetParam());
};

// Returns the parameters of a PolicyTest on each device under each policy.
inline auto each_policy() {
  return testing::Combine(testing::ValuesIn(device_names()),
                          testing::Values(Policy::kPersistentThreads, Policy::kUberkernel,
                                          Policy::kKernelPerType, Policy::kAuto));
}

// "cuda:0" and "uberkernel" as a test's name may spell them.
std::string name_of(const testing::TestParamInfo<std::string>& info);
std::string name_of(const testing::TestParamInfo<std::tuple<std::string, Policy>>& info);

// `count` zeros in device memory, and the way back.
template <class T>
class DeviceArray {
 public:
  DeviceArray(Queue& queue, std::size_t count)
      : queue_(queue), buffer_(queue.device().shared_from_this(), MemorySpace::kDevice, count) {
    fill_bytes(queue_, buffer_.span(), std::byte{0});
    queue_.wait();
  }

  T* data() { return buffer_.data(); }

  std::vector<T> read() {
    std::vector<T> host(buffer_.size());
    copy(queue_, BufferSpan<T>(std::span<T>(host)), buffer_.span());
    queue_.wait();
    return host;
  }

 private:
  Queue& queue_;
  Buffer<T> buffer_;
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_CONFORMANCE_H_
