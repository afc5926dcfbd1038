// SPDX-License-Identifier: Apache-2.0

// Our decoder and FFmpeg's return the same pictures of streams of random decisions and levels.
#include <millrace/algorithms/h264/encoder/syntax/testing/decodable_stream.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/benchmarks/peers/testing/both_decoders.h>

#include <gtest/gtest.h>

#include <vector>

namespace millrace::tools {
namespace {

constexpr int kTrials = 100;

void expect_equal_pictures(bool is_cabac) {
  SeededRandom random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto seed = static_cast<unsigned>(random());
    SCOPED_TRACE(testing::Message() << "trial " << trial << ", decodable_stream(" << seed << ")");
    const h264::WrittenStream stream = h264::decodable_stream(seed, is_cabac);
    const std::vector<ShownPicture> pictures = decoded_by_millrace(stream.bytes);
    ASSERT_EQ(pictures.size(), stream.pictures.size());
    ASSERT_EQ(pictures[0].width, stream.sequence.width());
    ASSERT_EQ(pictures[0].height, stream.sequence.height());
    expect_equal(pictures, decoded_by_ffmpeg(stream.bytes));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomStreams, OfCavlcAreTheSamePicturesByBothDecoders) { expect_equal_pictures(false); }

TEST(RandomStreams, OfCabacAreTheSamePicturesByBothDecoders) { expect_equal_pictures(true); }

}  // namespace
}  // namespace millrace::tools
