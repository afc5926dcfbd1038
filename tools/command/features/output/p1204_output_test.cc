// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/p1204_output.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/testing/known_stream.h>
#include <millrace/tools/command/features/testing/memory_source.h>
#include <millrace/tools/files/test_folder.h>

#include <bzlib.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using P1204OutputTest = TestFolder;

FeatureRow made_row(std::int64_t frame, int type) {
  FeatureRow row;
  row.frame = frame;
  row.features.frame_type = type;
  row.features.mean_qp = 27.25;
  return row;
}

std::string unpacked(const std::string& packed) {
  std::string text(1 << 20, '\0');
  auto size = static_cast<unsigned>(text.size());
  std::string copy = packed;
  EXPECT_EQ(BZ2_bzBuffToBuffDecompress(text.data(), &size, copy.data(),
                                       static_cast<unsigned>(copy.size()), 0, 0),
            BZ_OK);
  text.resize(size);
  return text;
}

TEST_F(P1204OutputTest, FilesBeginAtTheFirstIntraFrame) {
  const auto output = open_p1204(path("tmp"), false, false);
  const auto stream = output->begin("films/clip.one.mp4");
  stream->add(made_row(0, 2));
  stream->add(made_row(1, 1));
  FeatureRow recovered = made_row(2, 3);
  recovered.features.is_key_frame = true;
  stream->add(recovered);
  stream->end({.error = "", .frames = 3, .notes = ""});
  const nlohmann::json json = nlohmann::json::parse(unpacked(text("tmp/clip.one.json.bz2")));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0].at("FrameType"), 1);
  EXPECT_EQ(json[0].at("IsIDR"), 0);
  EXPECT_EQ(json[1].at("IsIDR"), 1);
  EXPECT_EQ(json[1].at("Av_QP"), 27.25);
}

// Picture 1 has two macroblocks of 16 blocks each that are not skipped. Their vectors, by 2 d of
// d = 1, are (3, -4) and (5, 12), of lengths 5 and 13; the differences, which are not divided, (6,
// -8) and (10, 24), of lengths 10 and 26.
TEST_F(P1204OutputTest, MembersAreThoseOfTheDefinitions) {
  const KnownStream known = known_stream_of_three_pictures();
  const auto output = open_p1204(path("tmp"), false, false);
  const auto stream = output->begin("known.264");
  MemorySource source(known.bytes);
  stream->end(run_stream(source, {}, *stream));
  const nlohmann::json frames = nlohmann::json::parse(unpacked(text("tmp/known.json.bz2")));
  ASSERT_EQ(frames.size(), 3u);
  const std::pair<const char*, double> expected[] = {
      {"FrameType", 2},
      {"IsIDR", 0},
      {"FrameSize", static_cast<double>(known.picture_bytes[1])},
      {"Av_QP", (3 * 40 + 12 * 30) / 15.0},
      {"Av_QPBB", 30},  // Without the first and the last row, which were empty in picture 0.
      {"min_QP", 30},
      {"max_QP", 40},
      {"Av_Motion", (5 + 13) / 2.0},
      {"StdDev_Motion", std::sqrt(1e-5 + (25 + 169) / 2.0 - 9 * 9)},
      {"Av_MotionX", (3 + 5) / 2.0},
      {"StdDev_MotionX", std::sqrt(1e-5 + (9 + 25) / 2.0 - 4 * 4)},
      {"Av_MotionY", (4 + 12) / 2.0},
      {"StdDev_MotionY", std::sqrt(1e-5 + (16 + 144) / 2.0 - 8 * 8)},
      {"Av_MotionDif", (10 + 26) / 2.0},
      {"StdDev_MotionDif", std::sqrt(1e-5 + (100 + 676) / 2.0)},  // No mean is subtracted.
      {"Seq.BitDepth", 8},
  };
  for (const auto& [name, value] : expected) {
    EXPECT_NEAR(frames[1].at(name).get<double>(), value, 1e-6) << name;
  }
  // The model reads the depth here.
  EXPECT_EQ(frames[1].at("Seq"), (nlohmann::json{{"BitDepth", 8}}));
  EXPECT_EQ(frames[1].size(), std::size(expected) + 1);

  EXPECT_EQ(frames[0].at("FrameType"), 1);
  EXPECT_EQ(frames[0].at("IsIDR"), 1);
  EXPECT_EQ(frames[0].at("FrameSize"), known.picture_bytes[0]);
  EXPECT_EQ(frames[0].at("Av_QP"), 26);
  EXPECT_EQ(frames[2].at("FrameSize"), known.picture_bytes[2]);
  EXPECT_EQ(frames[2].at("Av_Motion"), 0);
}

TEST_F(P1204OutputTest, StreamsThatFailLeaveNoFile) {
  const auto output = open_p1204(path("tmp"), false, false);
  {
    const auto stream = output->begin("a.264");
    stream->add(made_row(0, 1));
    stream->end({.error = "is broken", .frames = 1, .notes = ""});
  }
  EXPECT_TRUE(std::filesystem::is_empty(path("tmp")));
  EXPECT_THROW(output->begin("other/a.264"), Error);  // The same file.
}

TEST(P1204FileName, IsTheStreamsNameWithoutItsEnding) {
  EXPECT_EQ(p1204_file_name("a/b/clip.mp4"), "clip.json.bz2");
  EXPECT_EQ(p1204_file_name("clip"), "clip.json.bz2");
  EXPECT_EQ(p1204_file_name("take#2.mp4"), "take#2.json.bz2");
  EXPECT_EQ(p1204_file_name("a/calls.pcap#10.0.0.1:5004/0x0000000a"),
            "calls-10.0.0.1-5004-0x0000000a.json.bz2");
}

}  // namespace
}  // namespace millrace::tools
