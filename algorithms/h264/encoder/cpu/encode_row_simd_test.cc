// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/cpu/encode_row_simd.h>
#include <millrace/algorithms/h264/encoder/decision/encode_row.h>
#include <millrace/algorithms/h264/encoder/group_encoder.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/algorithms/h264/encoder/testing/made_clip.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

using EncodeRowOnTarget = OnSimdTarget;

// Searches the picture in its reference as GroupSearch does.
void search(const EncoderOptions& options, const SamplePicture& picture, int qp,
            GroupEncoder& encoder) {
  if (options.search != EncoderSearch::kFull || encoder.references() == 0) return;
  const auto plane = [](const SamplePicture& of) {
    return motion::LumaPlane<std::uint8_t>{of.plane(0), of.width(0), of.width(0), of.height(0)};
  };
  motion::search_motion_reference<std::uint8_t>(
      {plane(picture), plane(encoder.reference(0)), encoder.predictors(0),
       encoder.predictor_stride(0)},
      encoder.field(0),
      {.range = options.range,
       .lambda = motion::motion_lambda(qp),
       .precision = motion::Precision::kQuarter});
}

// Returns the bytes of a group of pictures.
std::vector<std::uint8_t> encode(const EncoderOptions& options, const MadeClip& clip,
                                 EncodeRow row_encoder) {
  constexpr int kPictures = 3;
  GroupEncoder encoder(options, sequence_parameters_for(options), picture_parameters_for(options),
                       row_encoder);
  encoder.begin_group();
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < kPictures; ++i) {
    auto picture = std::make_shared<SamplePicture>(options.width / 16, options.height / 16);
    clip.write(i, *picture);
    search(options, *picture, options.qp + i, encoder);
    encoder.begin_picture(picture, options.qp + i);
    for (int row = 0; row < encoder.rows(); ++row) encoder.encode_row(row);
    const CodedPicture coded = encoder.end_picture(0, picture);
    bytes.insert(bytes.end(), coded.bytes.begin(), coded.bytes.end());
  }
  return bytes;
}

TEST_P(EncodeRowOnTarget, GivesTheStreamOfPlainLoops) {
  EncoderOptions options;
  options.width = 96;
  options.height = 64;
  options.search = EncoderSearch::kHexagon;  // It searches by macroblock and needs no field.
  MadeClip clip;
  clip.width = options.width;
  clip.height = options.height;
  for (const MadeContent content : {MadeContent::kTexture, MadeContent::kNoise}) {
    clip.content = content;
    for (const ModeDecision decision : {ModeDecision::kCost, ModeDecision::kRateDistortion}) {
      options.decision = decision;
      for (const int qp : {4, 27, 44}) {
        options.qp = qp;
        SCOPED_TRACE("content " + std::to_string(static_cast<int>(content)) + ", decision " +
                     std::to_string(static_cast<int>(decision)) + ", QP " + std::to_string(qp));
        EXPECT_TRUE(encode(options, clip, encode_row_simd) ==
                    encode(options, clip, encode_row<ScalarEncoderKernels>));
      }
    }
  }
}

TEST_P(EncodeRowOnTarget, GivesTheStreamOfPlainLoopsAfterAFullSearch) {
  EncoderOptions options;
  options.width = 64;
  options.height = 48;
  options.range = 8;
  options.decision = ModeDecision::kCost;
  MadeClip clip;
  clip.width = options.width;
  clip.height = options.height;
  for (const int qp : {4, 27, 44}) {
    options.qp = qp;
    SCOPED_TRACE("QP " + std::to_string(qp));
    EXPECT_TRUE(encode(options, clip, encode_row_simd) ==
                encode(options, clip, encode_row<ScalarEncoderKernels>));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, EncodeRowOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::h264
