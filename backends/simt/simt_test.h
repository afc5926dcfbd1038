// SPDX-License-Identifier: Apache-2.0

// Fixtures for tests of the simulated GPU.
#ifndef MILLRACE_BACKENDS_SIMT_SIMT_TEST_H_
#define MILLRACE_BACKENDS_SIMT_SIMT_TEST_H_

#include <millrace/backends/simt/api.h>
#include <millrace/backends/simt/launch/settings.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::simt_backend {

using gpu::LaunchShape;
using gpu::Order;
using gpu::Scope;

// Device memory of `size` elements, all zero.
template <class T>
class SimulatedArray {
 public:
  explicit SimulatedArray(std::size_t size)
      : size_(size), data_(static_cast<T*>(allocate_device(size * sizeof(T)))) {
    for (std::size_t i = 0; i < size; ++i) data_[i] = T{};
  }
  ~SimulatedArray() { free_device(data_); }
  SimulatedArray(const SimulatedArray&) = delete;
  SimulatedArray& operator=(const SimulatedArray&) = delete;

  T* data() const { return data_; }

  // May be called only while no kernel writes.
  std::vector<T> values() const { return {data_, data_ + size_}; }

 private:
  std::size_t size_;
  T* data_;
};

// Runs on both devices; the parameter is the device's index.
class SimtTest : public testing::TestWithParam<int> {
 protected:
  SimtTest() {
    simt::set_seed(simt::seed());
    use_device(GetParam());
    stream = create_stream();
  }
  ~SimtTest() override { destroy_stream(stream); }

  int width() const { return properties(GetParam()).warp_width; }

  // Returns the stream's error; empty if there is none.
  std::string error() const {
    try {
      synchronize(stream);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }

  Stream stream = nullptr;
};

inline std::string device_name(const testing::TestParamInfo<int>& device) {
  return "Warps" + std::to_string(properties(device.param).warp_width);
}

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_SIMT_TEST_H_
