// SPDX-License-Identifier: Apache-2.0

// Choices between GPUs and threads; a simulated device stands for a GPU of the speed that is stored
// for it.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/features/choice/stream_speed_store.h>
#include <millrace/tools/command/features/pool_choice.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// A device that is as fast as this number of cores reads any streams at once.
constexpr double kFastCores = 1e9;
// A device that is as fast as this fraction of a core is never chosen.
constexpr double kSlowCores = 1e-9;

class PoolChoiceTest : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    setenv("XDG_CACHE_HOME", path("cache").c_str(), 1);
    pool_.threads = 2;
  }
  ~PoolChoiceTest() override { unsetenv("XDG_CACHE_HOME"); }

  void store_cores(double cores) const {
    DeviceSpeed speed = assumed_stream_speed(gpu_->info());
    speed.cores = cores;
    store_stream_speed(gpu_->info(), speed);
  }

  // Makes names of the same two files: 20 GB, which take the cores of any machine seconds.
  void name_many() {
    constexpr std::size_t kNames = 20'000;
    const std::string stream = h264_bytes({.frames = 9, .key = 3});
    std::string bytes;
    while (bytes.size() < std::size_t{1} << 20) bytes += stream;
    const std::string small = put("small.264", bytes);
    const std::string large = put("large.264", bytes + stream);
    for (std::size_t i = 0; i < kNames; ++i) names_.push_back({i % 2 == 0 ? small : large});
  }

  PoolChoice choose(bool follows = false) {
    return {"auto", follows, *world_, names_, pool_, [this] {
              ++opened_;
              return std::vector<std::shared_ptr<Device>>{gpu_};
            }};
  }

  const std::unique_ptr<Communicator> world_ = make_self_communicator();
  const std::shared_ptr<Device> gpu_ = open_device("simt:0");
  std::vector<StreamName> names_;
  StreamPoolOptions pool_;
  int opened_ = 0;  // Number of times that GPUs were opened.
};

TEST_F(PoolChoiceTest, AFastGpuReadsManyStreamsTheLargestFirst) {
  store_cores(kFastCores);
  name_many();
  const PoolChoice choice = choose();
  ASSERT_EQ(pool_.devices.size(), 1u);
  EXPECT_EQ(pool_.devices[0], gpu_);
  EXPECT_EQ(choice.text().find("simt:0"), 0u) << choice.text();
  EXPECT_EQ(names_.front().path, path("large.264"));
  EXPECT_EQ(names_.back().path, path("small.264"));
}

TEST_F(PoolChoiceTest, ASlowGpuLeavesStreamsToThreads) {
  store_cores(kSlowCores);
  name_many();
  const PoolChoice choice = choose();
  EXPECT_EQ(opened_, 1);
  EXPECT_TRUE(pool_.devices.empty());
  EXPECT_EQ(choice.text(), "2 threads");
}

TEST_F(PoolChoiceTest, NoGpuIsOpenedForAShortStream) {
  store_cores(kFastCores);
  names_ = {{put("a.264", h264_bytes({.frames = 9, .key = 3}))}};
  const PoolChoice choice = choose();
  EXPECT_EQ(opened_, 0);
  EXPECT_EQ(choice.text(), "2 threads");
}

TEST_F(PoolChoiceTest, MoreStreamsThanTheCoresFollowGoToTheGpu) {
  const std::string stream = put("a.264", h264_bytes({.frames = 1}));
  names_.assign(std::size_t{2 * kFollowedStreamsACore} + 1, {stream});
  const PoolChoice choice = choose(/*follows=*/true);
  ASSERT_EQ(pool_.devices.size(), 1u);
  EXPECT_EQ(pool_.devices[0], gpu_);
  EXPECT_EQ(pool_.threads, 0);
  EXPECT_EQ(choice.text(), "simt:0");
}

TEST_F(PoolChoiceTest, ALongRunChangesTheStoredSpeed) {
  store_cores(kFastCores);
  name_many();
  const PoolChoice choice = choose();
  StreamPoolReport report;
  // A run that took as long as the device takes to start says nothing of its speed.
  report.devices = {{.bytes = 1 << 20, .seconds = 0.5}};
  choice.learn(pool_, report);
  EXPECT_EQ(stream_speed_of(gpu_->info()).cores, kFastCores);
  // The mean of the former speed and one that is nothing beside it.
  report.devices = {{.bytes = 1, .seconds = 1000}};
  choice.learn(pool_, report);
  EXPECT_NEAR(stream_speed_of(gpu_->info()).cores, kFastCores / 2, kFastCores / 1000);
}

}  // namespace
}  // namespace millrace::tools
