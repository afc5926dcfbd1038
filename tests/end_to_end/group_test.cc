// SPDX-License-Identifier: Apache-2.0

// `--device A,B`: one run that several devices share, with the results of one device.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

constexpr const char* kGroup = "simt:0,simt:1,tbb";

class GroupCommandTest : public EndToEndTest {
 protected:
  static std::vector<std::string> on(const std::string& devices,
                                     std::vector<std::string> arguments) {
    arguments.push_back("--device");
    arguments.push_back(devices);
    return arguments;
  }

  void put_clip(int frames) const {
    std::mt19937_64 random(7);
    std::string clip = "YUV4MPEG2 W48 H64 F25:1 C420jpeg\n";
    for (int frame = 0; frame < frames; ++frame) {
      clip += "FRAME\n";
      for (int i = 0; i < 48 * 64 * 3 / 2; ++i) clip += static_cast<char>(random() % 256);
    }
    put("clip.y4m", clip);
  }

  static void expect_fractions(const nlohmann::json& json) {
    EXPECT_EQ(json["device"], kGroup);
    ASSERT_EQ(json["devices"].size(), 3U);
    double all = 0;
    for (const auto& device : json["devices"]) all += device["share"].get<double>();
    EXPECT_NEAR(all, 1, 1e-9);
    EXPECT_EQ(json["devices"][1]["device"], "simt:1");
  }
};

TEST_F(GroupCommandTest, SortsAsOneDeviceDoes) {
  std::mt19937_64 random(7);
  std::string keys(4 * 300'000, '\0');
  for (char& byte : keys) byte = static_cast<char>(random());
  put("keys", keys);
  const auto json = run_json("sort", on(kGroup, {"keys", "-o", "by_group", "--check"}));
  run_json("sort", on("tbb", {"keys", "-o", "by_one"}));
  expect_fractions(json);
  EXPECT_TRUE(bytes("by_group") == bytes("by_one"));
}

TEST_F(GroupCommandTest, FindsTheThreeStarsOneDeviceFinds) {
  const std::vector<std::string> points = {"--random", "900", "--width", "600", "--radius", "50"};
  const auto json = run_json("three-star", on(kGroup, points));
  const auto expected = run_json("three-star", on("tbb", points));
  expect_fractions(json);
  EXPECT_EQ(json["three_stars"], expected["three_stars"]);
  EXPECT_EQ(json["set_hash"], expected["set_hash"]);
}

TEST_F(GroupCommandTest, SearchesMotionAsOneDeviceDoes) {
  put_clip(4);
  const std::vector<std::string> search = {"clip.y4m", "--range", "8", "--precision", "integer"};
  const auto with_output = [&](const std::string& name) {
    std::vector<std::string> arguments = search;
    arguments.insert(arguments.end(), {"-o", name});
    return arguments;
  };
  const auto json = run_json("me", on(kGroup, with_output("by_group.csv")));
  const auto expected = run_json("me", on("tbb", with_output("by_one.csv")));
  expect_fractions(json);
  EXPECT_EQ(json["total_cost"], expected["total_cost"]);
  EXPECT_TRUE(bytes("by_group.csv") == bytes("by_one.csv"));
}

// The command itself demands that all its runs agree.
TEST_F(GroupCommandTest, TransformsBesideOneDevice) {
  put_clip(2);
  const auto json =
      run_idct(on("tbb", on(kGroup, {"clip.y4m", "--out-dir", ".", "--policy", "uberkernel"})));
  ASSERT_EQ(json["runs"].size(), 2U);
  expect_fractions(json["runs"][0]);
  EXPECT_EQ(json["runs"][1]["device"], "tbb");
  EXPECT_TRUE(json["runs"][1]["devices"].empty());
}

TEST_F(GroupCommandTest, RejectsDevicesThatAreNoGroup) {
  put("keys", "abcdabcd");
  const auto rejected = [&](const std::string& devices, const std::string& why) {
    expect_rejected(run(on(devices, {"sort", "keys", "-o", "out"})), why);
    expect_rejected(run(on(devices, {"three-star", "--random", "9", "--radius", "50"})), why);
    EXPECT_EQ(names(), (std::set<std::string>{"keys"}));
  };
  rejected("simt:0,simt:0", "device 'simt:0' is listed twice");
  rejected("simt:0,simt", "device 'simt:0' is listed twice");
  rejected("tbb,simt:9", "no device 'simt:9'");
  rejected("simt:0,", "'simt:0,' has an empty device name");
  rejected(",tbb", "',tbb' has an empty device name");
}

}  // namespace
}  // namespace millrace::end_to_end
