// SPDX-License-Identifier: Apache-2.0

// Tests the ranges that a profiler receives; no device is needed.
#include <millrace/runtime/timeline/internal/timeline_ranges.h>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace millrace {
namespace {

TEST(NvtxRanges, AreReceivedByAProfiler) {
  const auto library = std::filesystem::absolute("backends/cuda/libnvtx_listener.so");
  if (!exists(library)) GTEST_SKIP() << "SKIPPED: libnvtx_listener.so is not here";
  // Set before the first range, at which NVTX searches for a profiler.
  ASSERT_EQ(setenv("NVTX_INJECTION64_PATH", library.c_str(), 1), 0);
  {
    const TimelineRange outer("outer");
    { const TimelineRange first("first"); }
    { const TimelineRange second("second"); }
  }
  void* const profiler = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_NE(profiler, nullptr) << dlerror();
  const auto received = reinterpret_cast<const char* (*)()>(dlsym(profiler, "nvtx_received"));
  ASSERT_NE(received, nullptr);
  EXPECT_STREQ(received(), "outer(first()second())");
}

}  // namespace
}  // namespace millrace
