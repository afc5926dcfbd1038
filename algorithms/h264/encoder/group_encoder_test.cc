// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/decoder.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {
namespace {

struct EncodedGroup {
  std::vector<std::uint8_t> stream;
  std::vector<std::shared_ptr<SamplePicture>> reconstructions;
  std::vector<CodedPicture> coded;
};

// Encodes one group, whose picture i has the QP qps[i].
EncodedGroup encode(const EncoderOptions& options, const MadeClip& clip,
                    const std::vector<int>& qps) {
  GroupEncoder encoder(options, sequence_parameters_for(options), picture_parameters_for(options));
  encoder.begin_group();
  EncodedGroup group;
  for (std::size_t i = 0; i < qps.size(); ++i) {
    auto picture = std::make_shared<SamplePicture>(options.width / 16, options.height / 16);
    clip.write(static_cast<int>(i), *picture);
    encoder.begin_picture(picture, qps[i]);
    for (int row = 0; row < encoder.rows(); ++row) encoder.encode_row(row);
    group.coded.push_back(encoder.end_picture(0, picture));
    const std::vector<std::uint8_t>& bytes = group.coded.back().bytes;
    group.stream.insert(group.stream.end(), bytes.begin(), bytes.end());
    // The encoder keeps it as a reference and then writes to other memory.
    group.reconstructions.push_back(std::make_shared<SamplePicture>(*picture));
  }
  return group;
}

// Expects QPs of slices and macroblocks.
class QpCheck : public PictureSink {
 public:
  explicit QpCheck(const std::vector<int>& qps) : qps_(qps) {}

  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    ASSERT_LT(pictures, qps_.size());
    const int qp = qps_[pictures++];
    for (const Slice& slice : picture->slices) EXPECT_EQ(slice.header.qp, qp);
    for (const Macroblock& macroblock : picture->macroblocks) {
      if (macroblock.type == MacroblockType::kPcm) continue;
      EXPECT_EQ(int{macroblock.qp}, qp);
    }
  }
  void fault(const StreamFault& fault) override { ADD_FAILURE() << fault.message; }

  std::size_t pictures = 0;

 private:
  const std::vector<int>& qps_;
};

void expect_decodes(const EncodedGroup& group) {
  std::size_t count = 0;
  const auto take = [&](const DecodedFrame& frame) {
    ASSERT_LT(count, group.reconstructions.size());
    const SamplePicture& expected = *group.reconstructions[count];
    for (int plane = 0; plane < 3; ++plane) {
      const int samples = expected.width(plane) * expected.height(plane);
      EXPECT_TRUE(std::equal(expected.plane(plane), expected.plane(plane) + samples,
                             frame.samples->plane(plane)))
          << "picture " << count << ", plane " << plane;
    }
    ++count;
  };
  Decoder decoder(take, {});
  push_stream(group.stream, decoder);
  EXPECT_EQ(count, group.reconstructions.size());
}

struct GroupEncoderTest : testing::Test {
  SeededRandom random;
  EncoderOptions options;
  MadeClip clip;

  GroupEncoderTest() {
    options.width = clip.width = 64;
    options.height = clip.height = 48;
    options.search = EncoderSearch::kHexagon;  // It searches by macroblock and needs no field.
    clip.seed = random();
    clip.noise = 4;
  }
};

TEST_F(GroupEncoderTest, EachPictureHasItsQp) {
  for (const auto profile :
       {EncoderProfile::kBaseline, EncoderProfile::kMain, EncoderProfile::kHigh}) {
    for (const auto decision : {ModeDecision::kCost, ModeDecision::kRateDistortion}) {
      SCOPED_TRACE(testing::Message() << "profile " << static_cast<int>(profile) << ", decision "
                                      << static_cast<int>(decision));
      options.profile = profile;
      options.decision = decision;
      options.references = static_cast<int>(random(1, 3));
      options.slices = static_cast<int>(random(1, 3));
      options.qp = static_cast<int>(random(0, 51));
      std::vector<int> qps = {0, 51};
      while (qps.size() < 7) qps.push_back(static_cast<int>(random(0, 51)));
      const EncodedGroup group = encode(options, clip, qps);
      for (std::size_t i = 0; i < qps.size(); ++i) EXPECT_EQ(group.coded[i].qp, qps[i]);
      QpCheck check(qps);
      StreamParser parser(check);
      push_stream(group.stream, parser);
      EXPECT_EQ(check.pictures, qps.size());
      expect_decodes(group);
    }
  }
}

// Decisions follow the QP, and not what the options say.
TEST_F(GroupEncoderTest, APictureDoesNotDependOnTheQpOfTheOptions) {
  const std::vector<int> qps = {30, 24, 41};
  options.qp = 30;
  const EncodedGroup expected = encode(options, clip, qps);
  options.qp = 9;
  const EncodedGroup group = encode(options, clip, qps);
  for (std::size_t i = 0; i < qps.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(group.coded[i].squared_errors, expected.coded[i].squared_errors))
        << "picture " << i;
  }
}

}  // namespace
}  // namespace millrace::h264
