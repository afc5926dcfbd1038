// SPDX-License-Identifier: Apache-2.0

// Tests the report on a driver that is too old, with a fake driver under its name.
#include <millrace/backends/cuda/host_calls.h>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace millrace::cuda_backend {
namespace {

TEST(OldDriver, IsNamedWithWhatItSupportsAndWhatIsNeeded) {
  const auto library = std::filesystem::absolute("backends/cuda/libold_driver.so");
  if (!exists(library)) GTEST_SKIP() << "SKIPPED: libold_driver.so is not here";
  ASSERT_NE(dlopen(library.c_str(), RTLD_NOW), nullptr) << dlerror();
  EXPECT_EQ(count_devices(), 0);
  const std::string needed =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  EXPECT_EQ(why_no_device(),
            "the CUDA driver is too old: it supports CUDA 11.4, this program needs " + needed +
                "; install a newer one");
}

}  // namespace
}  // namespace millrace::cuda_backend
