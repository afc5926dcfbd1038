// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/testing/memory_source.h>
#include <millrace/tools/video/made_clips.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

class Rows final : public StreamOutput {
 public:
  void add(const FeatureRow& row) override {
    EXPECT_EQ(row.frame, static_cast<std::int64_t>(rows.size()));
    rows.push_back(row);
    if (is_full) throw Error(ErrorCode::kIo, "the disk is full");
  }
  void add_fault(const h264::StreamFault& fault) override { faults.push_back(fault.message); }
  void end(const StreamEnd& end) override { static_cast<void>(end); }

  std::vector<FeatureRow> rows;
  std::vector<std::string> faults;
  bool is_full = false;
};

TEST(StreamRun, MeasuresEachFrame) {
  const std::string bytes = h264_bytes({.frames = 5, .key = 2});
  MemorySource source(bytes);
  Rows rows;
  const StreamEnd end = run_stream(source, {}, rows);
  EXPECT_EQ(end.error, "");
  EXPECT_EQ(end.frames, 5);
  EXPECT_EQ(end.faults, 0);
  ASSERT_EQ(rows.rows.size(), 5u);
  std::int64_t sum = 0;
  for (const FeatureRow& row : rows.rows) sum += row.features.bytes;
  EXPECT_EQ(sum, static_cast<std::int64_t>(bytes.size()));
  EXPECT_TRUE(rows.rows[0].features.is_idr);
  EXPECT_EQ(rows.rows[1].features.frame_type, 2);
}

TEST(StreamRun, EndsAfterTheFramesThatAreWanted) {
  MemorySource source(h264_bytes({.frames = 5}));
  Rows rows;
  EXPECT_EQ(run_stream(source, {.frames = 2}, rows).frames, 2);
  EXPECT_EQ(rows.rows.size(), 2u);
}

// Pictures are of one grey each: without edges, and changed as a whole.
TEST(StreamRun, MeasuresDecodedPictures) {
  MemorySource source(h264_bytes({.frames = 5, .key = 2}));
  Rows rows;
  const StreamEnd end = run_stream(source, {.decodes = true}, rows);
  EXPECT_EQ(end.error, "");
  ASSERT_EQ(rows.rows.size(), 5u);
  for (const FeatureRow& row : rows.rows) {
    EXPECT_EQ(row.decoded.output_frame, row.frame);
    EXPECT_EQ(row.decoded.blockiness, 1);
    EXPECT_EQ(row.decoded.spatial_information, 0);
    EXPECT_EQ(row.decoded.concealed_fraction, 0);
    EXPECT_TRUE(std::isnan(row.decoded.structural_similarity));
  }
  EXPECT_TRUE(std::isnan(rows.rows[0].decoded.temporal_information));
  EXPECT_EQ(rows.rows[4].decoded.temporal_information, 0);
}

TEST(StreamRun, AReferenceThatCannotBeReadIsTheError) {
  MemorySource source(h264_bytes({.frames = 3}));
  Rows rows;
  const StreamEnd end =
      run_stream(source, {.decodes = true, .reference = "/nowhere/clip.y4m"}, rows);
  EXPECT_EQ(rows.rows.size(), 3u);
  EXPECT_NE(end.error.find("/nowhere/clip.y4m"), end.error.npos) << end.error;
}

TEST(StreamRun, AStreamWithoutFramesHasFailed) {
  Rows no_rows;
  MemorySource nothing("");
  const std::string error = run_stream(nothing, {}, no_rows).error;
  EXPECT_NE(error.find("the stream is empty"), error.npos) << error;
  Rows rows;
  MemorySource damaged(std::string("\0\0\1\xe7\x42", 5));
  const StreamEnd end = run_stream(damaged, {}, rows);
  EXPECT_NE(end.error.find("forbidden_zero_bit"), end.error.npos) << end.error;
  EXPECT_EQ(end.faults, static_cast<std::int64_t>(rows.faults.size()));
}

TEST(StreamRun, AStreamThatCannotBeReadOnKeepsItsFrames) {
  MemorySource source(h264_bytes({.frames = 5}));
  source.fails = true;
  Rows rows;
  const StreamEnd end = run_stream(source, {}, rows);
  EXPECT_EQ(end.error, "the disk is gone");
  EXPECT_LT(end.frames, 5);
}

TEST(StreamRun, AnOutputThatFailsEndsTheRun) {
  MemorySource source(h264_bytes({.frames = 5}));
  Rows rows;
  rows.is_full = true;
  EXPECT_THROW(run_stream(source, {}, rows), Error);
}

void expect_sound(const Rows& rows, const StreamEnd& end) {
  EXPECT_EQ(end.frames, static_cast<std::int64_t>(rows.rows.size()));
  EXPECT_EQ(end.error.empty(), end.frames > 0);
  for (const FeatureRow& row : rows.rows) {
    std::int64_t bits = row.features.header_bits + row.features.other_bits;
    for (const std::int64_t count : row.features.bits) bits += count;
    if (row.features.damaged_slices == 0) {
      EXPECT_EQ(bits, 8 * row.features.bytes);
    } else {
      EXPECT_GE(bits, 8 * row.features.bytes);  // The last element may reach beyond its slice.
    }
  }
}

TEST(StreamRun, TakesAStreamThatIsCutAnywhere) {
  const std::string bytes = h264_bytes({.frames = 3, .key = 2});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    MemorySource source(bytes.substr(0, size));
    Rows rows;
    const StreamEnd end = run_stream(source, {}, rows);
    expect_sound(rows, end);
    EXPECT_LE(end.frames, 3);
  }
}

TEST(StreamRun, TakesAnyDamage) {
  const std::string bytes = h264_bytes({.frames = 4, .key = 2});
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (unsigned flips = random() % 20 + 1; flips > 0; --flips) {
      const std::size_t at = random() % (round % 2 == 0 ? damaged.size() : 100);
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
    }
    MemorySource source(damaged);
    Rows rows;
    const StreamEnd end = run_stream(source, {.decodes = round % 3 == 0}, rows);
    expect_sound(rows, end);
  }
}

}  // namespace
}  // namespace millrace::tools
