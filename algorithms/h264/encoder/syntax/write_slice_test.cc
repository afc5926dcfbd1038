// SPDX-License-Identifier: Apache-2.0

// Writes random decisions and levels, parses the streams, and compares.
#include <millrace/algorithms/h264/encoder/syntax/testing/plain_coefficients.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/written_stream.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

// Keeps all pictures; no fault is expected.
class KeepPictures : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    pictures.push_back(picture);
  }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  std::vector<std::shared_ptr<const ParsedPicture>> pictures;
};

std::vector<std::shared_ptr<const ParsedPicture>> parse(const WrittenStream& stream) {
  KeepPictures sink;
  StreamParser parser(sink);
  push_stream(stream.bytes, parser);
  return sink.pictures;
}

void expect_equal(const Macroblock& parsed, const Macroblock& written) {
  ASSERT_EQ(parsed.type, written.type);
  ASSERT_EQ(parsed.has_8x8_transform, written.has_8x8_transform);
  ASSERT_EQ(parsed.coded_block_pattern, written.coded_block_pattern);
  ASSERT_EQ(parsed.qp, written.qp);
  ASSERT_EQ(parsed.coded_blocks, written.coded_blocks);
  // All others.
  Macroblock decisions = parsed;
  std::memcpy(decisions.differences, written.differences, sizeof(decisions.differences));
  std::copy(std::begin(written.bits), std::end(written.bits), decisions.bits);
  ASSERT_TRUE(decisions == written);
}

void expect_round_trip(const WrittenStream& stream) {
  const auto parsed = parse(stream);
  ASSERT_EQ(parsed.size(), stream.pictures.size());
  for (std::size_t n = 0; n < parsed.size(); ++n) {
    SCOPED_TRACE(testing::Message() << "picture " << n);
    const RandomPicture& written = stream.pictures[n];
    ASSERT_EQ(parsed[n]->slices.size(), written.slices.size());
    ASSERT_EQ(parsed[n]->lost_macroblocks, 0);
    for (std::size_t address = 0; address < written.macroblocks.size(); ++address) {
      SCOPED_TRACE(testing::Message() << "macroblock " << address);
      expect_equal(parsed[n]->macroblocks[address], written.macroblocks[address]);
      if (testing::Test::HasFatalFailure()) return;
      MacroblockCoefficients coefficients;
      expand(parsed[n]->coefficients.of(address), coefficients);
      const MacroblockCoefficients expected =
          plain_coefficients(written.macroblocks[address], written.levels[address]);
      ASSERT_EQ(std::memcmp(&coefficients, &expected, sizeof(expected)), 0);
    }
  }
}

void expect_round_trips(bool is_cabac) {
  const unsigned seed = std::random_device{}();
  for (unsigned trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed " << seed + trial);
    expect_round_trip(random_stream(seed + trial, is_cabac));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SliceWriter, ParsersReadWhatIsWrittenByCavlc) { expect_round_trips(false); }

TEST(SliceWriter, ParsersReadWhatIsWrittenByCabac) { expect_round_trips(true); }

}  // namespace
}  // namespace millrace::h264
