// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/device.h>
#include <millrace/tools/command/features/choice/stream_speed_store.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace millrace::tools {
namespace {

class StreamSpeedStore : public testing::Test {
 protected:
  StreamSpeedStore() {
    std::filesystem::remove_all(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~StreamSpeedStore() override { unsetenv("XDG_CACHE_HOME"); }

  static DeviceInfo some_device(int units) {
    DeviceInfo device;
    device.backend = "any";
    device.name = "any:0";
    device.description = "A processor";
    device.compute_units = units;
    return device;
  }

  // Returns the only file of the store.
  std::filesystem::path file() const {
    return std::filesystem::directory_iterator(folder_ / "millrace")->path();
  }
  std::string text() const {
    std::ifstream stream(file());
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const DeviceInfo device_ = some_device(60);
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "stream_speed_store";
};

TEST_F(StreamSpeedStore, AssumesASpeedThatGrowsWithTheDevice) {
  const DeviceSpeed small = stream_speed_of(some_device(60));
  const DeviceSpeed large = stream_speed_of(some_device(120));
  EXPECT_GT(small.cores, 0);
  EXPECT_EQ(large.cores, 2 * small.cores);
  EXPECT_EQ(large.half_pictures, 2 * small.half_pictures);
}

TEST_F(StreamSpeedStore, GivesBackWhatItWasGiven) {
  store_stream_speed(device_, {.cores = 100.0 / 3});
  EXPECT_EQ(stream_speed_of(device_).cores, 100.0 / 3);
  EXPECT_EQ(stream_speed_of(some_device(61)).cores, assumed_stream_speed(some_device(61)).cores);
  store_stream_speed(device_, {.cores = 2});
  EXPECT_EQ(stream_speed_of(device_).cores, 2);
}

TEST_F(StreamSpeedStore, UsesNoFileThatIsDamaged) {
  store_stream_speed(device_, {.cores = 100});
  const std::string sound = text();
  for (std::size_t size = 0; size + 1 < sound.size(); ++size) {
    std::ofstream(file()) << sound.substr(0, size);
    EXPECT_EQ(stream_speed_of(device_).cores, assumed_stream_speed(device_).cores) << size;
  }
  const std::size_t cores = sound.find("cores 100");
  ASSERT_NE(cores, sound.npos);
  for (const std::string wrong : {"cores 0", "cores -1", "cores nan", "cores inf", "core 100"}) {
    std::ofstream(file()) << sound.substr(0, cores) << wrong << "\nend\n";
    EXPECT_EQ(stream_speed_of(device_).cores, assumed_stream_speed(device_).cores) << wrong;
  }
}

TEST_F(StreamSpeedStore, UsesNoFileOfAnotherHost) {
  store_stream_speed(device_, {.cores = 100});
  std::string other = text();
  other.replace(other.find("host "), 5, "host other-");
  std::ofstream(file()) << other;
  EXPECT_EQ(stream_speed_of(device_).cores, assumed_stream_speed(device_).cores);
}

TEST_F(StreamSpeedStore, DoesWithoutAFolder) {
  setenv("XDG_CACHE_HOME", "/proc", 1);
  store_stream_speed(device_, {.cores = 100});
  EXPECT_EQ(stream_speed_of(device_).cores, assumed_stream_speed(device_).cores);
}

TEST(StreamSpeed, IsTheMeanOfWhatWasKnownAndWhatWasMeasured) {
  const DeviceSpeed before = {.cores = 10, .half_pictures = 7, .start_seconds = 3};
  // 60 core seconds in 3 s are 20 cores, at half of the speed.
  const DeviceSpeed after = updated_stream_speed(before, 60, 3, 0.5);
  EXPECT_DOUBLE_EQ(after.cores, 25);
  EXPECT_EQ(after.half_pictures, 7);
  EXPECT_EQ(after.start_seconds, 3);
  EXPECT_EQ(updated_stream_speed(before, 0, 3, 0.5).cores, 10);
  EXPECT_EQ(updated_stream_speed(before, 60, 0, 0.5).cores, 10);
}

}  // namespace
}  // namespace millrace::tools
