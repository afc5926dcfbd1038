// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/tasks/slices_a_warp.h>

#include <gtest/gtest.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

DeviceInfo device_of_lanes(int lanes) {
  DeviceInfo device;
  device.warp_width = lanes;
  return device;
}

TEST(SlicesAWarpTest, WarpsOfAGpuHaveMoreWhereTheyWouldBeTooMany) {
  const DeviceInfo gpu = device_of_lanes(32);
  EXPECT_EQ(slices_a_warp(gpu, 0), 1);
  EXPECT_EQ(slices_a_warp(gpu, 900), 1);
  EXPECT_EQ(slices_a_warp(gpu, 901), 2);
  EXPECT_EQ(slices_a_warp(gpu, 2000), 4);
  EXPECT_EQ(slices_a_warp(gpu, 20'000), 32);
}

TEST(SlicesAWarpTest, NoWarpHasMoreThanItsLanes) {
  for (const int lanes : {1, 4, 32, 64}) {
    EXPECT_EQ(slices_a_warp(device_of_lanes(lanes), 1'000'000), lanes < 32 ? lanes : 32) << lanes;
  }
}

}  // namespace
}  // namespace millrace::h264
