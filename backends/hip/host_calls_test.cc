// SPDX-License-Identifier: Apache-2.0

// Tests that hold with and without a device; the others are in tests/conformance.
#include <millrace/backends/hip/host_calls.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

namespace millrace::hip_backend {
namespace {

TEST(HostCalls, SayWhyThereIsNoDevice) { EXPECT_EQ(why_no_device().empty(), count_devices() > 0); }

TEST(HostCalls, CountTheSameAgain) { EXPECT_EQ(count_devices(), count_devices()); }

TEST(HostCalls, RejectADeviceThatDoesNotExistWithTheVendorsWords) {
  try {
    use_device(count_devices());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_NE(std::string(error.what()).find("could not use the device: "), std::string::npos);
  }
}

}  // namespace
}  // namespace millrace::hip_backend
