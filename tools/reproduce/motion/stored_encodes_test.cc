// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/motion/stored_encodes.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string put(const std::string& text) {
  const std::string path = testing::TempDir() + "/anchors.json";
  std::ofstream(path) << text;
  return path;
}

std::string run(const std::string& search, int qp, const std::string& more) {
  return R"({"encoder": "JM 17.2", "search": ")" + search + R"(", "clip": "flower", "qp": )" +
         std::to_string(qp) + R"(, "kbps": 600, "psnr_y": 42)" + more + "}";
}

TEST(StoredEncodesTest, AreReadByProgramSearchAndClip) {
  const std::string chroma = R"(, "psnr_u": 44, "psnr_v": 46)";
  const auto all = read_stored_encodes(
      put(R"({"what": "anchors", "runs": [)" + run("full", 32, chroma + R"(, "user_s": 80)") + "," +
          run("full", 28, chroma + R"(, "user_s": 90)") + "," + run("UMHexagonS", 28, "") +
          R"(], "clips": {"flower": {"frames": 48, "fps": "30"}}})"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].encoder, "JM 17.2 full");
  EXPECT_EQ(all[0].clip, "flower");
  EXPECT_EQ(all[0].pictures, 48);
  EXPECT_EQ(all[0].seconds, 80);  // The time at QP 32.
  EXPECT_EQ(all[0].values.at("kbit/s, QP 28"), 600);
  EXPECT_EQ(all[0].values.at("PSNR YUV, QP 32"), 43);
  EXPECT_EQ(all[1].encoder, "JM 17.2 UMHexagonS");
  EXPECT_TRUE(all[1].values.empty());  // Chroma is not known.
}

TEST(StoredEncodesTest, RejectsOtherFiles) {
  EXPECT_THAT([] { read_stored_encodes(put("[]")); },
              ThrowsMessage<Error>(HasSubstr("anchors.json")));
  EXPECT_THAT([] { read_stored_encodes(put("{}")); }, ThrowsMessage<Error>(HasSubstr("runs")));
  EXPECT_THAT([] { read_stored_encodes(put(R"({"runs": [{"encoder": "JM"}]})")); },
              ThrowsMessage<Error>(HasSubstr("runs[0]")));
}

TEST(StoredEncodesTest, ArePeersOfInputsOfTheirName) {
  Results results;
  for (const char* const input : {"flower.y4m", "flowers.y4m"}) {
    Measurement& measurement = results.measurements.emplace_back();
    measurement.workload = "rd";
    measurement.input = input;
    measurement.size = 48;
    measurement.device = "tbb";
    measurement.strategy = "paper";
    measurement.items = 48;
  }
  const std::vector<StoredEncodes> encodes = {{"JM 17.2 full", "flower", 48, {{"a", 1}}, 96}};
  add_stored_encodes(encodes, "cuda:0", results);
  EXPECT_EQ(results.measurements.size(), 2u);
  add_stored_encodes(encodes, "tbb", results);
  ASSERT_EQ(results.measurements.size(), 3u);
  const Measurement& peer = results.measurements[2];
  EXPECT_EQ(peer.peer, "JM 17.2 full");
  EXPECT_EQ(peer.input, "flower.y4m");
  EXPECT_EQ(peer.median_seconds, 96);
  EXPECT_EQ(peer.items, 48);
  EXPECT_EQ(peer.values.at("a"), 1);
  EXPECT_EQ(peer.status, MeasurementStatus::kOk);
}

}  // namespace
}  // namespace millrace::tools
