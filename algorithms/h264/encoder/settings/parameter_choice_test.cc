// SPDX-License-Identifier: Apache-2.0

// Levels as ITU-T H.264 Table A-1 has them, and options that are rejected.
#include <millrace/algorithms/h264/encoder/settings/level_limits.h>
#include <millrace/algorithms/h264/encoder/settings/parameter_choice.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

namespace millrace::h264 {
namespace {

EncoderOptions options_of(int width, int height, std::uint32_t frame_rate, int references = 1) {
  EncoderOptions options;
  options.width = width;
  options.height = height;
  options.frame_rate = frame_rate;
  options.references = references;
  return options;
}

int level_of(int width, int height, std::uint32_t frame_rate, int references = 1) {
  return level_for(options_of(width, height, frame_rate, references)).level;
}

TEST(LevelFor, FitsSizeAndRate) {
  EXPECT_EQ(level_of(16, 16, 25), 10);
  EXPECT_EQ(level_of(176, 144, 15), 10);
  EXPECT_EQ(level_of(176, 144, 16), 11);
  EXPECT_EQ(level_of(176, 144, 30), 11);
  EXPECT_EQ(level_of(352, 288, 7), 11);
  EXPECT_EQ(level_of(352, 288, 15), 12);
  EXPECT_EQ(level_of(352, 288, 30), 13);
  EXPECT_EQ(level_of(352, 480, 30), 21);
  EXPECT_EQ(level_of(720, 576, 12), 22);
  EXPECT_EQ(level_of(720, 576, 25), 30);
  EXPECT_EQ(level_of(1280, 720, 30), 31);
  EXPECT_EQ(level_of(1280, 720, 60), 32);
  EXPECT_EQ(level_of(1280, 1024, 25), 32);
  EXPECT_EQ(level_of(2048, 1024, 30), 40);
  EXPECT_EQ(level_of(1920, 1080, 30), 40);
  EXPECT_EQ(level_of(1920, 1080, 60), 42);
  EXPECT_EQ(level_of(2048, 1088, 25), 42);
  EXPECT_EQ(level_of(1920, 1080, 72), 50);
  EXPECT_EQ(level_of(3680, 1536, 25), 50);
  EXPECT_EQ(level_of(3840, 2160, 30), 51);
  EXPECT_EQ(level_of(3840, 2160, 60), 52);
  EXPECT_EQ(level_of(4096, 2304, 26), 51);
  EXPECT_EQ(level_of(4096, 2304, 27), 52);
  EXPECT_EQ(level_of(4096, 2304, 60), 60);
  EXPECT_EQ(level_of(4096, 2304, 120), 61);
  EXPECT_EQ(level_of(4096, 2304, 300), 62);
}

TEST(LevelFor, CountsMacroblocksThatAreCropped) {
  EXPECT_EQ(level_of(176, 144, 15), 10);
  EXPECT_EQ(level_of(178, 144, 14), 11);
}

TEST(LevelFor, RatesAreFractions) {
  EncoderOptions options = options_of(1920, 1080, 60'000);
  options.frame_rate_base = 1001;
  EXPECT_EQ(level_for(options).level, 42);
  options.frame_rate_base = 2002;
  EXPECT_EQ(level_for(options).level, 40);
}

// MaxDpbMbs holds 4 pictures of 99 macroblocks at level 1, 4 of 8160 at level 4.
TEST(LevelFor, ReferencesFitTheDecodedPictureBuffer) {
  EXPECT_EQ(level_of(176, 144, 15, 4), 10);
  EXPECT_EQ(level_of(352, 288, 7, 2), 11);
  EXPECT_EQ(level_of(352, 288, 7, 3), 12);
  EXPECT_EQ(level_of(1920, 1080, 30, 4), 40);
  EXPECT_EQ(level_of(4096, 2304, 25, 4), 51);
}

// PicWidthInMbs and FrameHeightInMbs are at most the root of 8 * MaxFS.
TEST(LevelFor, LongPicturesNeedHighLevels) {
  EXPECT_EQ(level_of(448, 16, 10), 10);
  EXPECT_EQ(level_of(464, 16, 10), 11);
  EXPECT_EQ(level_of(16, 464, 10), 11);
  EXPECT_EQ(level_of(4096, 16, 25), 40);
}

// MaxBR of each level, in kbit/s. A picture of 16x16 fits each level by itself.
TEST(LevelFor, FitsTheBitRate) {
  const struct {
    int level, kbit_per_second;
  } kMost[] = {{10, 64},     {kLevel1b, 128}, {11, 192},     {12, 384},     {13, 768},
               {20, 2000},   {21, 4000},      {30, 10'000},  {31, 14'000},  {32, 20'000},
               {41, 50'000}, {50, 135'000},   {51, 240'000}, {61, 480'000}, {62, 800'000}};
  for (const auto profile :
       {EncoderProfile::kBaseline, EncoderProfile::kMain, EncoderProfile::kHigh}) {
    SCOPED_TRACE(testing::Message() << "profile " << static_cast<int>(profile));
    EncoderOptions options = options_of(16, 16, 25);
    options.profile = profile;
    options.rate = EncoderRate::kBitrate;
    int above = 1;  // The lowest rate above the limits of the levels before.
    for (const auto& [level, most] : kMost) {
      options.kbit_per_second = above;
      EXPECT_EQ(level_for(options).level, level) << above << " kbit/s";
      const int limit = profile == EncoderProfile::kHigh ? most * 5 / 4 : most;
      options.kbit_per_second = limit;
      EXPECT_EQ(level_for(options).level, level) << limit << " kbit/s";
      above = limit + 1;
    }
  }
}

TEST(LevelFor, TheHighestOfItsLimitsDecides) {
  EncoderOptions options = options_of(176, 144, 25);
  options.profile = EncoderProfile::kMain;
  options.rate = EncoderRate::kBitrate;
  options.kbit_per_second = 64;
  EXPECT_EQ(level_for(options).level, 11);
  options.kbit_per_second = 3000;
  EXPECT_EQ(level_for(options).level, 21);
  EXPECT_EQ(sequence_parameters_for(options).level, 21);
  // Vectors are limited as at that level.
  EXPECT_EQ(level_for(options).vertical_range, 256);
}

TEST(LevelFor, OnlyARequestedBitRateCounts) {
  EncoderOptions options = options_of(176, 144, 15);
  options.kbit_per_second = 3000;
  for (const EncoderRate rate : {EncoderRate::kQp, EncoderRate::kQuality}) {
    options.rate = rate;
    EXPECT_EQ(level_for(options).level, 10);
  }
}

// Level 1b is level_idc 9 in high profile, and 11 with constraint_set3_flag in others (7.4.2.1.1).
TEST(SequenceParametersFor, Level1bIsNamedByTheProfile) {
  EncoderOptions options = options_of(176, 144, 15);
  options.rate = EncoderRate::kBitrate;
  options.kbit_per_second = 100;
  options.profile = EncoderProfile::kBaseline;
  EXPECT_EQ(sequence_parameters_for(options).level, 11);
  EXPECT_EQ(sequence_parameters_for(options).constraint_flags, 0xd0);
  options.profile = EncoderProfile::kMain;
  EXPECT_EQ(sequence_parameters_for(options).level, 11);
  EXPECT_EQ(sequence_parameters_for(options).constraint_flags, 0x50);
  options.profile = EncoderProfile::kHigh;
  EXPECT_EQ(sequence_parameters_for(options).level, 9);
  EXPECT_EQ(sequence_parameters_for(options).constraint_flags, 0);
}

TEST(LevelFor, HighestLevelWhereNoneFits) { EXPECT_EQ(level_of(4096, 2304, 1000), 62); }

TEST(LevelLimits, LevelsRise) {
  const LevelLimits* before = nullptr;
  for (const LevelLimits& level : kLevels) {
    if (before != nullptr) {
      if (level.level != kLevel1b && before->level != kLevel1b) {
        EXPECT_GT(level.level, before->level);
      }
      EXPECT_GE(level.macroblocks_a_second, before->macroblocks_a_second);
      EXPECT_GE(level.macroblocks, before->macroblocks);
      EXPECT_GE(level.stored_macroblocks, before->stored_macroblocks);
      EXPECT_GE(level.vertical_range, before->vertical_range);
      EXPECT_LE(level.vectors_in_two, before->vectors_in_two);
      EXPECT_GE(level.bit_rate, before->bit_rate);
    }
    before = &level;
  }
}

TEST(LevelLimits, VectorsOfPicturesOfCommonSizes) {
  const LevelLimits& small = level_for(options_of(176, 144, 15));
  EXPECT_EQ(small.vertical_range, 64);
  EXPECT_EQ(small.vectors_in_two, 32);
  const LevelLimits& large = level_for(options_of(1920, 1080, 30));
  EXPECT_EQ(large.vertical_range, 512);
  EXPECT_EQ(large.vectors_in_two, 16);
}

TEST(SequenceParametersFor, ProfilesAreThoseOfTheOptions) {
  EncoderOptions options = options_of(176, 144, 15);
  options.profile = EncoderProfile::kBaseline;
  EXPECT_EQ(sequence_parameters_for(options).profile, 66);
  EXPECT_EQ(sequence_parameters_for(options).constraint_flags, 0xc0);
  EXPECT_FALSE(picture_parameters_for(options).is_cabac);
  EXPECT_FALSE(picture_parameters_for(options).has_8x8_transform);
  options.profile = EncoderProfile::kMain;
  EXPECT_EQ(sequence_parameters_for(options).profile, 77);
  EXPECT_TRUE(picture_parameters_for(options).is_cabac);
  EXPECT_FALSE(picture_parameters_for(options).has_8x8_transform);
  options.profile = EncoderProfile::kHigh;
  EXPECT_EQ(sequence_parameters_for(options).profile, 100);
  EXPECT_TRUE(picture_parameters_for(options).is_cabac);
  EXPECT_TRUE(picture_parameters_for(options).has_8x8_transform);
}

TEST(SequenceParametersFor, CroppingLeavesTheSize) {
  const SequenceParameters sequence = sequence_parameters_for(options_of(34, 50, 25));
  EXPECT_EQ(sequence.width_in_macroblocks, 3);
  EXPECT_EQ(sequence.height_in_macroblocks, 4);
  EXPECT_EQ(sequence.width(), 34);
  EXPECT_EQ(sequence.height(), 50);
  EXPECT_EQ(sequence.crop_left, 0);
  EXPECT_EQ(sequence.crop_top, 0);
}

// Expects that options are rejected with both texts, once they are changed.
void expect_rejected(const std::function<void(EncoderOptions&)>& change, const std::string& value,
                     const std::string& accepted) {
  EncoderOptions options = options_of(176, 144, 25);
  change(options);
  try {
    check_encoder_options(options);
    ADD_FAILURE() << "accepted: " << value;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    const std::string message = error.what();
    EXPECT_NE(message.find(value), std::string::npos) << message;
    EXPECT_NE(message.find(accepted), std::string::npos) << message;
  }
}

TEST(CheckEncoderOptions, RejectsSizes) {
  expect_rejected([](EncoderOptions& o) { o.width = 14; }, "width is 14", "16 to 4096");
  expect_rejected([](EncoderOptions& o) { o.width = 4098; }, "width is 4098", "16 to 4096");
  expect_rejected([](EncoderOptions& o) { o.height = 0; }, "height is 0", "16 to 2304");
  expect_rejected([](EncoderOptions& o) { o.height = 2306; }, "height is 2306", "16 to 2304");
  expect_rejected([](EncoderOptions& o) { o.width = 177; }, "177 x 144", "even");
  expect_rejected([](EncoderOptions& o) { o.height = 145; }, "176 x 145", "even");
}

TEST(CheckEncoderOptions, RejectsRates) {
  expect_rejected([](EncoderOptions& o) { o.frame_rate = 0; }, "0/1", "above 0");
  expect_rejected([](EncoderOptions& o) { o.frame_rate_base = 0; }, "25/0", "above 0");
  expect_rejected([](EncoderOptions& o) { o.frame_rate = 0x8000'0000u; },
                  "frame_rate is 2147483648", "1 to 2147483647");
}

TEST(CheckEncoderOptions, RejectsSampleShapes) {
  expect_rejected([](EncoderOptions& o) { o.sample_aspect_width = -1; },
                  "sample_aspect_width is -1", "0 to 65535");
  expect_rejected([](EncoderOptions& o) { o.sample_aspect_height = 65'536; },
                  "sample_aspect_height is 65536", "0 to 65535");
}

TEST(CheckEncoderOptions, RejectsNumbers) {
  expect_rejected([](EncoderOptions& o) { o.qp = -1; }, "qp is -1", "0 to 51");
  expect_rejected([](EncoderOptions& o) { o.qp = 52; }, "qp is 52", "0 to 51");
  expect_rejected([](EncoderOptions& o) { o.pictures_a_group = 0; }, "pictures_a_group is 0",
                  "1 to 1000");
  expect_rejected([](EncoderOptions& o) { o.range = 7; }, "range is 7", "8 to 128");
  expect_rejected([](EncoderOptions& o) { o.range = 129; }, "range is 129", "8 to 128");
  expect_rejected([](EncoderOptions& o) { o.references = 0; }, "references is 0", "1 to 4");
  expect_rejected([](EncoderOptions& o) { o.references = 5; }, "references is 5", "1 to 4");
  expect_rejected([](EncoderOptions& o) { o.slices = 0; }, "slices is 0", "1 to 9");
  expect_rejected([](EncoderOptions& o) { o.slices = 10; }, "slices is 10", "1 to 9");
}

TEST(CheckEncoderOptions, AcceptsTheLimits) {
  for (const int qp : {0, 51}) {
    EncoderOptions options = options_of(16, 16, 1);
    options.qp = qp;
    EXPECT_NO_THROW(check_encoder_options(options));
  }
  EncoderOptions options = options_of(4096, 2304, 0x7fff'ffffu, 4);
  options.slices = 144;
  options.range = 128;
  options.pictures_a_group = 1000;
  options.sample_aspect_width = 65'535;
  options.sample_aspect_height = 65'535;
  EXPECT_NO_THROW(check_encoder_options(options));
}

}  // namespace
}  // namespace millrace::h264
