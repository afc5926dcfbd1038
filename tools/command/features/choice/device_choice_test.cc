// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/command/features/choice/device_choice.h>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kCores = 16;

// As fast as 40 cores with many pictures, as 20 with 1000, after half a second.
constexpr DeviceSpeed kGpu = {.cores = 40, .half_pictures = 1000, .start_seconds = 0.5};

// Streams of 1 MB and pictures of 1 kB, of which a core parses 10 MB/s.
StreamLoad streams_of_a_megabyte(double count) {
  return {.streams = count,
          .bytes = 1e6 * count,
          .longest_bytes = 1e6,
          .picture_bytes = 1e3,
          .core_seconds_a_byte = 1e-7};
}

TEST(DeviceChoice, HasTheHostsCoresWhereThereIsNoDevice) {
  const DeviceChoice choice = choose_devices(streams_of_a_megabyte(1e4), kCores, {});
  EXPECT_EQ(choice.devices, 0);
  EXPECT_EQ(choice.threads, kCores);
  EXPECT_DOUBLE_EQ(choice.seconds, 1e10 * 1e-7 / kCores);
}

// 0.16 s on the cores; the device would begin later than that.
TEST(DeviceChoice, LeavesLittleWorkToTheHost) {
  EXPECT_EQ(choose_devices(streams_of_a_megabyte(25), kCores, {{kGpu}}).devices, 0);
}

TEST(DeviceChoice, CountsStreamsAndTheirBytesTogether) {
  EXPECT_EQ(choose_devices(streams_of_a_megabyte(2000), kCores, {{kGpu}}).devices, 1);
  StreamLoad tiny = streams_of_a_megabyte(2000);
  tiny.bytes = 2e7;  // 10 kB each.
  EXPECT_EQ(choose_devices(tiny, kCores, {{kGpu}}).devices, 0);
}

// Four streams of 500 MB keep no more than four cores busy.
TEST(DeviceChoice, TakesADeviceForLongStreams) {
  StreamLoad longs = streams_of_a_megabyte(4);
  longs.bytes = 2e9;
  longs.longest_bytes = 5e8;
  const DeviceSpeed slow = {.cores = 12, .half_pictures = 100, .start_seconds = 0.5};
  const DeviceChoice choice = choose_devices(longs, kCores, {{slow}});
  EXPECT_EQ(choice.devices, 1);
  // The cores alone take as long as one of them with the longest stream.
  EXPECT_DOUBLE_EQ(predict_reading_seconds(longs, kCores, {{slow}}, 0, kCores), 50);
  EXPECT_LT(choice.seconds, 50);
}

// Large pictures are fewer in flight: 128 of 1 MB keep no lanes busy.
TEST(DeviceChoice, DependsOnTheSizeOfPictures) {
  StreamLoad load = streams_of_a_megabyte(128);
  load.bytes = 128e6 * 10;
  const double of_small = cores_of(load, kGpu, 1);
  EXPECT_NEAR(of_small, 40.0 * 16777 / 17777, 0.1);  // 128 streams of 131 pictures of 1 kB.
  load.picture_bytes = 1e6;
  EXPECT_DOUBLE_EQ(cores_of(load, kGpu, 1), 40.0 * 128 / 1128);
}

TEST(DeviceChoice, HasFewerPicturesInFlightWhereDevicesShareTheStreams) {
  const StreamLoad load = {.streams = 100, .bytes = 1e5, .picture_bytes = 1e3};
  EXPECT_DOUBLE_EQ(cores_of(load, kGpu, 1), 40.0 * 100 / 1100);
  EXPECT_DOUBLE_EQ(cores_of(load, kGpu, 2), 40.0 * 50 / 1050);
}

TEST(DeviceChoice, OpensNoMoreStreamsThanAreRead) {
  const StreamLoad load = {.streams = 1e6, .bytes = 1e9, .picture_bytes = 1e3};
  EXPECT_DOUBLE_EQ(cores_of(load, kGpu, 1), 40.0 * 768 / 1768);
}

// A device that replaces 40 cores is fed by four; others parse beside it.
TEST(DeviceChoice, GivesCoresAPortionThatTheDeviceDoesNotNeed) {
  const StreamLoad load = streams_of_a_megabyte(1e5);
  const DeviceChoice choice = choose_devices(load, kCores, {{kGpu}});
  EXPECT_EQ(choice.devices, 1);
  EXPECT_GE(choice.threads, 11);
  EXPECT_LE(choice.threads, 12);
  EXPECT_LT(choice.seconds, predict_reading_seconds(load, kCores, {{kGpu}}, 1, 0));
  EXPECT_LT(choice.seconds, predict_reading_seconds(load, kCores, {{kGpu}}, 0, kCores));
}

// It replaces more cores than all can feed.
TEST(DeviceChoice, KeepsAllCoresForADeviceThatNeedsThem) {
  const DeviceSpeed fast = {.cores = 1000, .half_pictures = 1, .start_seconds = 0.5};
  const DeviceChoice choice = choose_devices(streams_of_a_megabyte(1e5), kCores, {{fast}});
  EXPECT_EQ(choice.devices, 1);
  EXPECT_EQ(choice.threads, 0);
}

TEST(DeviceChoice, FollowsTheMeasuredSpeed) {
  DeviceSpeed slow = kGpu;
  slow.cores = 0.5;
  const StreamLoad load = streams_of_a_megabyte(1000);
  EXPECT_EQ(choose_devices(load, kCores, {{kGpu}}).devices, 1);
  EXPECT_EQ(choose_devices(load, kCores, {{slow}}).devices, 0);  // A core would be lost.
}

TEST(DeviceChoice, TakesASecondDeviceWhereItIsFaster) {
  const std::vector<DeviceSpeed> two = {kGpu, kGpu};
  EXPECT_EQ(choose_devices(streams_of_a_megabyte(1e5), kCores, two).devices, 2);
  const std::vector<DeviceSpeed> late = {kGpu, {.cores = 40, .start_seconds = 1000}};
  EXPECT_EQ(choose_devices(streams_of_a_megabyte(2000), kCores, late).devices, 1);
}

TEST(DeviceChoice, WorksOnOneCore) {
  const DeviceChoice choice = choose_devices(streams_of_a_megabyte(1e4), 1, {{kGpu}});
  EXPECT_EQ(choice.devices, 1);
  EXPECT_EQ(choice.threads, 0);
}

TEST(DeviceChoice, LeavesNothingToTheHost) {
  EXPECT_EQ(choose_devices({}, kCores, {{kGpu}}).devices, 0);
}

TEST(DeviceChoice, IsNeverSlowerThanAnotherOne) {
  SeededRandom random;
  for (int round = 0; round < 200; ++round) {
    const auto any = [&random](int most) { return static_cast<double>(random.integer(1, most)); };
    StreamLoad load = {.streams = any(100'000), .picture_bytes = any(100'000)};
    load.longest_bytes = any(1'000'000'000);
    load.bytes = load.longest_bytes + (load.streams - 1) * any(1'000'000);
    load.core_seconds_a_byte = 1e-9 * any(1000);
    std::vector<DeviceSpeed> speeds;
    for (int i = random.integer(0, 3); i > 0; --i) {
      speeds.push_back({any(100), any(10'000), 1e-3 * any(2000)});
    }
    const int cores = random.integer(1, 32);
    const DeviceChoice choice = choose_devices(load, cores, speeds);
    EXPECT_GT(choice.devices + choice.threads, 0);
    EXPECT_EQ(choice.seconds,
              predict_reading_seconds(load, cores, speeds, choice.devices, choice.threads));
    for (int devices = 0; devices <= static_cast<int>(speeds.size()); ++devices) {
      for (int threads = 0; threads <= cores; ++threads) {
        EXPECT_LE(choice.seconds, predict_reading_seconds(load, cores, speeds, devices, threads))
            << devices << " devices and " << threads << " threads";
      }
    }
  }
}

TEST(Followers, AreThreadsWhereEachStreamHasOne) {
  EXPECT_EQ(choose_followers(16, 16, true), Followers::kThreads);
  EXPECT_EQ(choose_followers(17, 16, true), Followers::kCpuDevice);
}

TEST(Followers, AreGpusForMoreThanTheCoresParse) {
  constexpr int kMost = kFollowedStreamsACore * kCores;
  EXPECT_EQ(choose_followers(kMost, kCores, true), Followers::kCpuDevice);
  EXPECT_EQ(choose_followers(kMost + 1, kCores, true), Followers::kGpus);
  EXPECT_EQ(choose_followers(kMost + 1, kCores, false), Followers::kCpuDevice);
}

}  // namespace
}  // namespace millrace::tools
