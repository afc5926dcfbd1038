// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

SyntaxCheck parse(const std::vector<std::uint8_t>& payload, SequenceParameters& parameters) {
  BitReader reader(payload.data(), payload.size());
  const SyntaxCheck fault = parse_sequence_parameters(reader, parameters);
  if (!fault) {
    EXPECT_TRUE(reader.is_at_trailing_bits());
  }
  return fault;
}

SyntaxCheck parse(const SequenceParameters& written, SequenceParameters& parameters) {
  BitWriter writer;
  write_sequence_parameters(writer, written);
  return parse(writer.bytes(), parameters);
}

// Writes a high profile set up to its picture size, with `formats` in it.
void write_high(BitWriter& writer, std::vector<std::uint32_t> formats, bool is_lossless = false) {
  writer.bits(100, 8);
  writer.bits(0, 8);
  writer.bits(40, 8);
  writer.ue(0);
  for (const std::uint32_t format : formats) writer.ue(format);
  writer.flag(is_lossless);
}

// Continues after the scaling matrix: 20 x 10 macroblocks, no cropping.
void write_rest(BitWriter& writer, bool is_progressive = true, bool has_vui = false) {
  writer.ue(0);  // log2_max_frame_num_minus4
  writer.ue(2);  // pic_order_cnt_type
  writer.ue(1);  // max_num_ref_frames
  writer.flag(false);
  writer.ue(19);
  writer.ue(9);
  writer.flag(is_progressive);
  if (!is_progressive) writer.flag(true);  // mb_adaptive_frame_field_flag
  writer.flag(true);
  writer.flag(false);
  writer.flag(has_vui);
}

TEST(SequenceParametersTest, ReadsVuiThatWasWritten) {
  SequenceParameters written = small_sequence();
  written.profile = 100;
  written.sample_aspect_width = 64;
  written.sample_aspect_height = 33;
  written.is_full_range = true;
  written.chroma_location = 2;
  written.units_in_tick = 1001;
  written.time_scale = 4000000000;
  written.max_reorder_frames = 0;
  written.max_decoded_frames = 3;
  SequenceParameters read;
  ASSERT_FALSE(parse(written, read));
  EXPECT_EQ(read.sample_aspect_width, 64);
  EXPECT_EQ(read.sample_aspect_height, 33);
  EXPECT_TRUE(read.is_full_range);
  EXPECT_EQ(read.chroma_location, 2);
  EXPECT_EQ(read.units_in_tick, 1001U);
  EXPECT_EQ(read.time_scale, 4000000000U);
  EXPECT_EQ(read.max_reorder_frames, 0);
  EXPECT_EQ(read.max_decoded_frames, 3);
}

TEST(SequenceParametersTest, ReadsEachFieldOfVuiAlone) {
  SequenceParameters written = small_sequence();
  written.sample_aspect_width = 1000;
  written.sample_aspect_height = 999;
  SequenceParameters read;
  ASSERT_FALSE(parse(written, read));
  EXPECT_EQ(read.sample_aspect_width, 1000);
  EXPECT_EQ(read.sample_aspect_height, 999);
  EXPECT_EQ(read.time_scale, 0U);
  EXPECT_EQ(read.max_reorder_frames, -1);

  written = small_sequence();
  written.is_full_range = true;
  read = {};
  ASSERT_FALSE(parse(written, read));
  EXPECT_TRUE(read.is_full_range);
  EXPECT_EQ(read.sample_aspect_width, 0);

  written = small_sequence();
  written.units_in_tick = 1;
  written.time_scale = 50;
  read = {};
  ASSERT_FALSE(parse(written, read));
  EXPECT_EQ(read.units_in_tick, 1U);
  EXPECT_EQ(read.time_scale, 50U);
  EXPECT_FALSE(read.is_full_range);
}

TEST(SequenceParametersTest, ReadsWhatWasWritten) {
  SequenceParameters written = small_sequence();
  written.id = 31;
  written.log2_max_frame_number = 16;
  written.log2_max_picture_order = 16;
  written.gaps_in_frame_number_allowed = true;
  written.max_reference_frames = 16;
  written.width_in_macroblocks = 120;
  written.height_in_macroblocks = 68;
  written.crop_left = 2;
  written.crop_right = 4;
  written.crop_bottom = 8;
  SequenceParameters read;
  ASSERT_FALSE(parse(written, read));
  EXPECT_EQ(read.id, 31);
  EXPECT_EQ(read.profile, 66);
  EXPECT_EQ(read.level, 30);
  EXPECT_EQ(read.log2_max_frame_number, 16);
  EXPECT_EQ(read.log2_max_picture_order, 16);
  EXPECT_TRUE(read.gaps_in_frame_number_allowed);
  EXPECT_EQ(read.max_reference_frames, 16);
  EXPECT_TRUE(read.direct_8x8_inference);
  EXPECT_EQ(read.width(), 1914);
  EXPECT_EQ(read.height(), 1080);
  EXPECT_EQ(read.max_reorder_frames, -1);
  EXPECT_FALSE(read.has_scaling_matrix);
  EXPECT_EQ(read.scaling.lists_8x8[1][63], 16);
}

TEST(SequenceParametersTest, ReadsOrderCountsOfType1) {
  SequenceParameters written = small_sequence();
  written.picture_order_type = 1;
  written.delta_picture_order_always_zero = true;
  written.offset_for_non_reference = -2147483647;
  written.offset_for_top_to_bottom = 2147483647;
  written.offsets_for_reference_frames.assign(255, -7);
  SequenceParameters read;
  ASSERT_FALSE(parse(written, read));
  EXPECT_TRUE(read.delta_picture_order_always_zero);
  EXPECT_EQ(read.offset_for_non_reference, -2147483647);
  EXPECT_EQ(read.offset_for_top_to_bottom, 2147483647);
  EXPECT_EQ(read.offsets_for_reference_frames, std::vector<int>(255, -7));
}

TEST(SequenceParametersTest, ReadsEveryFieldOfVuiBeforeTheRestriction) {
  BitWriter writer;
  write_high(writer, {1, 0, 0});
  writer.flag(false);
  write_rest(writer, true, true);
  writer.flag(true);  // aspect_ratio_info_present_flag
  writer.bits(255, 8);
  writer.bits(64, 16);
  writer.bits(45, 16);
  writer.flag(true);  // overscan_info_present_flag
  writer.flag(true);
  writer.flag(true);  // video_signal_type_present_flag
  writer.bits(5, 3);
  writer.flag(true);
  writer.flag(true);  // colour_description_present_flag
  writer.bits(0x090909, 24);
  writer.flag(true);  // chroma_loc_info_present_flag
  writer.ue(5);
  writer.ue(4);
  writer.flag(true);  // timing_info_present_flag
  writer.bits(1001, 32);
  writer.bits(60000, 32);
  writer.flag(true);
  for (const std::uint32_t buffers : {31U, 0U}) {  // NAL and VCL HRD parameters
    writer.flag(true);
    writer.ue(buffers);
    writer.bits(0xAB, 8);
    for (std::uint32_t i = 0; i <= buffers; ++i) {
      writer.ue(0xFFFFFFFE);
      writer.ue(i);
      writer.flag(i % 2 == 0);
    }
    writer.bits(0xFFFFF, 20);
  }
  writer.flag(true);  // low_delay_hrd_flag
  writer.flag(true);  // pic_struct_present_flag
  writer.flag(true);  // bitstream_restriction_flag
  writer.flag(true);
  for (int i = 0; i < 4; ++i) writer.ue(16);
  writer.ue(2);
  writer.ue(5);
  writer.trailing_bits();
  SequenceParameters read;
  ASSERT_FALSE(parse(writer.bytes(), read));
  EXPECT_EQ(read.sample_aspect_width, 64);
  EXPECT_EQ(read.sample_aspect_height, 45);
  EXPECT_EQ(read.units_in_tick, 1001U);
  EXPECT_EQ(read.time_scale, 60000U);
  EXPECT_EQ(read.max_reorder_frames, 2);
  EXPECT_EQ(read.max_decoded_frames, 5);
}

TEST(SequenceParametersTest, IgnoresAReorderingThatTheBufferCannotDo) {
  SequenceParameters written = small_sequence();
  written.max_reorder_frames = 3;
  written.max_decoded_frames = 2;
  SequenceParameters read;
  ASSERT_FALSE(parse(written, read));
  EXPECT_EQ(read.max_reorder_frames, -1);
  EXPECT_EQ(read.max_decoded_frames, -1);
}

// Fall-back rule set A (Table 7-2), and lists that end early (clause 7.3.2.1.1.1).
TEST(SequenceParametersTest, AppliesFallbacksOfScalingLists) {
  BitWriter writer;
  write_high(writer, {1, 0, 0});
  writer.flag(true);   // seq_scaling_matrix_present_flag
  writer.flag(false);  // Intra Y: default.
  writer.flag(true);   // Intra Cb: coded, 10, 12, 12, ...
  writer.se(2);
  writer.se(2);
  writer.se(-12);
  writer.flag(false);                                       // Intra Cr: that of Cb.
  writer.flag(true);                                        // Inter Y: coded, all of it.
  for (int i = 0; i < 16; ++i) writer.se(i == 0 ? 92 : 1);  // 100, 101, ...
  writer.flag(true);  // Inter Cb: default, by a first scale of 0.
  writer.se(-8);
  writer.flag(false);  // Inter Cr: that of Cb.
  writer.flag(false);  // Intra 8x8: default.
  writer.flag(true);   // Inter 8x8: 8 + 127 + 127 - 6 = 256, which is 0 and ends it.
  writer.se(127);
  writer.se(127);
  writer.se(-6);
  write_rest(writer);
  writer.trailing_bits();
  SequenceParameters read;
  ASSERT_FALSE(parse(writer.bytes(), read));
  EXPECT_TRUE(read.has_scaling_matrix);
  const ScalingLists& lists = read.scaling;
  // Default_4x4_Intra, in raster order: scanned as 6, 13, 13, 20, 20, 20, 28, ...
  const std::uint8_t intra[16] = {6, 13, 20, 28, 13, 20, 28, 32, 20, 28, 32, 37, 28, 32, 37, 42};
  const std::uint8_t inter[16] = {10, 14, 20, 24, 14, 20, 24, 27, 20, 24, 27, 30, 24, 27, 30, 34};
  // Positions of the zig-zag scan, Table 8-2 of frame macroblocks.
  const std::uint8_t counted[16] = {100, 101, 105, 106, 102, 104, 107, 112,
                                    103, 108, 111, 113, 109, 110, 114, 115};
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(lists.lists_4x4[0][i], intra[i]) << i;
    EXPECT_EQ(lists.lists_4x4[1][i], i == 0 ? 10 : 12) << i;
    EXPECT_EQ(lists.lists_4x4[2][i], i == 0 ? 10 : 12) << i;
    EXPECT_EQ(lists.lists_4x4[3][i], counted[i]) << i;
    EXPECT_EQ(lists.lists_4x4[4][i], inter[i]) << i;
    EXPECT_EQ(lists.lists_4x4[5][i], inter[i]) << i;
  }
  // Default_8x8_Intra begins 6, 10, 10, 13, 11, 13 and ends 40, 40, 42 in the scan.
  EXPECT_EQ(lists.lists_8x8[0][0], 6);
  EXPECT_EQ(lists.lists_8x8[0][1], 10);
  EXPECT_EQ(lists.lists_8x8[0][8], 10);
  EXPECT_EQ(lists.lists_8x8[0][16], 13);
  EXPECT_EQ(lists.lists_8x8[0][9], 11);
  EXPECT_EQ(lists.lists_8x8[0][2], 13);
  EXPECT_EQ(lists.lists_8x8[0][62], 40);
  EXPECT_EQ(lists.lists_8x8[0][63], 42);
  EXPECT_EQ(lists.lists_8x8[1][0], 135);
  EXPECT_EQ(lists.lists_8x8[1][1], 6);
  EXPECT_EQ(lists.lists_8x8[1][63], 6);
}

void expect_unsupported(const BitWriter& writer, const std::string& name) {
  SequenceParameters read;
  const SyntaxCheck fault = parse(writer.bytes(), read);
  ASSERT_TRUE(fault.has_value()) << name;
  EXPECT_TRUE(fault->is_unsupported) << fault->message;
  EXPECT_NE(fault->message.find(name), std::string::npos) << fault->message;
  EXPECT_EQ(read.id, 0);
}

TEST(SequenceParametersTest, RejectsFormatsByName) {
  const std::pair<std::vector<std::uint32_t>, const char*> formats[] = {
      {{0, 0, 0}, "4:0:0"},
      {{2, 0, 0}, "4:2:2"},
      {{3, 0, 0}, "4:4:4"},
      {{1, 2, 0}, "bit depth 10"},
      {{1, 0, 6}, "bit depth 14"}};
  for (const auto& [elements, name] : formats) {
    BitWriter writer;
    write_high(writer, elements);
    writer.trailing_bits();
    expect_unsupported(writer, name);
  }
}

TEST(SequenceParametersTest, RejectsLosslessBypassAndFieldsByName) {
  BitWriter lossless;
  write_high(lossless, {1, 0, 0}, true);
  lossless.trailing_bits();
  expect_unsupported(lossless, "lossless transform bypass");
  BitWriter fields;
  write_high(fields, {1, 0, 0});
  fields.flag(false);
  write_rest(fields, false);
  fields.trailing_bits();
  expect_unsupported(fields, "MBAFF");
}

void expect_damaged(const SequenceParameters& written, const std::string& name) {
  SequenceParameters read;
  const SyntaxCheck fault = parse(written, read);
  ASSERT_TRUE(fault.has_value()) << name;
  EXPECT_FALSE(fault->is_unsupported);
  EXPECT_NE(fault->message.find(name), std::string::npos) << fault->message;
}

TEST(SequenceParametersTest, ChecksLimits) {
  SequenceParameters written = small_sequence();
  written.id = 32;
  expect_damaged(written, "seq_parameter_set_id is 32");
  written = small_sequence();
  written.profile = 1;
  expect_damaged(written, "profile_idc is 1");
  written = small_sequence();
  written.log2_max_frame_number = 17;
  expect_damaged(written, "log2_max_frame_num_minus4 is 13");
  written = small_sequence();
  written.log2_max_picture_order = 17;
  expect_damaged(written, "log2_max_pic_order_cnt_lsb_minus4 is 13");
  written = small_sequence();
  written.max_reference_frames = 17;
  expect_damaged(written, "max_num_ref_frames is 17");
  written = small_sequence();
  written.picture_order_type = 1;
  written.offsets_for_reference_frames.assign(256, 1);
  expect_damaged(written, "num_ref_frames_in_pic_order_cnt_cycle is 256");
  written = small_sequence();
  written.width_in_macroblocks = 65536;
  written.height_in_macroblocks = 65536;
  expect_damaged(written, "65536 x 65536");
  written = small_sequence();
  written.width_in_macroblocks = 1000;
  written.height_in_macroblocks = 1000;
  expect_damaged(written, "1000 x 1000");
  written = small_sequence();
  written.crop_left = 16;
  written.crop_right = 16;
  expect_damaged(written, "cropping");
}

TEST(SequenceParametersTest, RejectsASetThatIsCutAnywhere) {
  SequenceParameters written = small_sequence();
  written.max_reorder_frames = 1;
  written.max_decoded_frames = 2;
  BitWriter writer;
  write_sequence_parameters(writer, written);
  for (std::size_t size = 0; size + 1 < writer.bytes().size(); ++size) {
    const std::vector<std::uint8_t> cut(writer.bytes().begin(),
                                        writer.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    BitReader reader(cut.data(), cut.size());
    SequenceParameters read;
    EXPECT_TRUE(parse_sequence_parameters(reader, read).has_value()) << size;
  }
}

// Table A-1: MaxDpbMbs / (PicWidthInMbs * FrameHeightInMbs), at most 16.
TEST(SequenceParametersTest, DerivesTheBufferFromTheLevel) {
  struct Case {
    int level, width, height, frames;
  };
  for (const Case& c : {Case{10, 11, 9, 4}, Case{11, 11, 9, 9}, Case{20, 22, 18, 6},
                        Case{31, 80, 45, 5}, Case{40, 120, 68, 4}, Case{51, 120, 68, 16},
                        Case{62, 120, 68, 16}, Case{10, 120, 68, 1}, Case{99, 120, 68, 16}}) {
    SequenceParameters parameters;
    parameters.profile = 77;
    parameters.level = c.level;
    parameters.width_in_macroblocks = c.width;
    parameters.height_in_macroblocks = c.height;
    EXPECT_EQ(max_decoded_frames_of_level(parameters), c.frames) << c.level;
  }
}

TEST(SequenceParametersTest, DistinguishesLevel1bFrom1Point1) {
  SequenceParameters parameters;
  parameters.profile = 66;
  parameters.level = 11;
  parameters.constraint_flags = 0x10;  // constraint_set3_flag
  parameters.width_in_macroblocks = 11;
  parameters.height_in_macroblocks = 9;
  EXPECT_EQ(max_decoded_frames_of_level(parameters), 4);
  parameters.profile = 100;
  EXPECT_EQ(max_decoded_frames_of_level(parameters), 9);
}

TEST(SequenceParametersTest, PrefersTheCodedBufferAndHoldsAllReferences) {
  SequenceParameters parameters = small_sequence();
  parameters.max_decoded_frames = 5;
  EXPECT_EQ(decoded_frame_capacity(parameters), 5);
  parameters.max_decoded_frames = 0;
  EXPECT_EQ(decoded_frame_capacity(parameters), 4);
}

}  // namespace
}  // namespace millrace::h264
