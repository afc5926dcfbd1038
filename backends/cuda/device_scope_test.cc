// SPDX-License-Identifier: Apache-2.0

// Tests with contexts that an application has made by CUDA's driver. Skipped if there is no device.
#include <millrace/backends/cuda/device_scope.h>
#include <millrace/backends/cuda/host_calls.h>
#include <millrace/backends/gpu/nvidia/driver.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace millrace::cuda_backend {
namespace {

// Calls the driver's function of that name; the test fails if there is none.
template <class Function, class... Arguments>
void call_driver(const char* name, Arguments... arguments) {
  auto* const function = gpu::driver_function<Function>(name);
  ASSERT_NE(function, nullptr) << name;
  ASSERT_EQ(function(arguments...), CUDA_SUCCESS) << name;
}

CUcontext current_context() {
  CUcontext context = nullptr;
  call_driver<CUresult(CUcontext*)>("cuCtxGetCurrent", &context);
  return context;
}

class DeviceScopeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (count_devices() == 0) GTEST_SKIP() << why_no_device();
    call_driver<CUresult(unsigned)>("cuInit", 0u);
    call_driver<CUresult(CUcontext*, unsigned, CUdevice)>("cuCtxCreate_v2", &callers_, 0u,
                                                          CUdevice{0});
    ASSERT_EQ(current_context(), callers_);
  }
  void TearDown() override {
    if (callers_ != nullptr) call_driver<CUresult(CUcontext)>("cuCtxDestroy_v2", callers_);
  }

  static std::vector<int> through(Device& device, const std::vector<int>& numbers) {
    const auto queue = device.make_queue();
    Buffer<int> on_device(device.shared_from_this(), MemorySpace::kDevice, numbers.size());
    std::vector<int> result(numbers.size());
    queue->copy(on_device.data(), numbers.data(), numbers.size() * sizeof(int));
    queue->copy(result.data(), on_device.data(), numbers.size() * sizeof(int));
    queue->wait();
    return result;
  }

  CUcontext callers_ = nullptr;
};

TEST_F(DeviceScopeTest, WorkLeavesTheThreadWithItsCallersContext) {
  const std::vector<int> numbers = {1, 2, 3};
  EXPECT_EQ(through(*open_device("cuda:0"), numbers), numbers);
  EXPECT_EQ(current_context(), callers_);
}

TEST_F(DeviceScopeTest, IsThePrimaryContextWhileItLives) {
  {
    const DeviceScope scope(0);
    EXPECT_NE(current_context(), callers_);
    const DeviceScope inner(0);
    EXPECT_NE(current_context(), callers_);
  }
  EXPECT_EQ(current_context(), callers_);
}

TEST_F(DeviceScopeTest, AStreamOfAnotherContextIsRejected) {
  CUstream stream = nullptr;
  call_driver<CUresult(CUstream*, unsigned)>("cuStreamCreate", &stream, 0u);
  try {
    open_device("cuda:0")->make_queue({.stream = stream});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("primary context"), std::string::npos);
  }
  EXPECT_EQ(current_context(), callers_);
}

TEST_F(DeviceScopeTest, AStreamThatTheDriverMadeInThePrimaryContextIsTaken) {
  CUcontext primary = nullptr;
  call_driver<CUresult(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain", &primary, CUdevice{0});
  CUstream stream = nullptr;
  call_driver<CUresult(CUcontext)>("cuCtxSetCurrent", primary);
  call_driver<CUresult(CUstream*, unsigned)>("cuStreamCreate", &stream, 0u);
  call_driver<CUresult(CUcontext)>("cuCtxSetCurrent", callers_);
  open_device("cuda:0")->make_queue({.stream = stream})->wait();
  EXPECT_EQ(current_context(), callers_);
}

TEST_F(DeviceScopeTest, AThreadThatUsesAnotherDeviceGoesOnWithIt) {
  if (count_devices() < 2) GTEST_SKIP() << "there is one device";
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  through(*open_device("cuda:0"), {1});
  int device = 0;
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1);
}

}  // namespace
}  // namespace millrace::cuda_backend
