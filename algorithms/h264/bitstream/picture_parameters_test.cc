// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/parameter_set_store.h>
#include <millrace/algorithms/h264/bitstream/picture_parameters.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

SyntaxCheck parse(const BitWriter& writer, CodedPictureParameters& coded) {
  BitReader reader(writer.bytes().data(), writer.bytes().size());
  const SyntaxCheck fault = parse_picture_parameters(reader, coded);
  if (!fault) {
    EXPECT_TRUE(reader.is_at_trailing_bits());
  }
  return fault;
}

std::vector<std::uint8_t> payload_of(const SequenceParameters& sequence) {
  BitWriter writer;
  write_sequence_parameters(writer, sequence);
  return writer.bytes();
}

std::vector<std::uint8_t> payload_of(const PictureParameters& picture) {
  BitWriter writer;
  write_picture_parameters(writer, picture);
  return writer.bytes();
}

TEST(PictureParametersTest, ReadsWhatWasWritten) {
  PictureParameters written;
  written.id = 255;
  written.sequence_id = 31;
  written.is_cabac = true;
  written.has_picture_order_in_slices = true;
  written.default_references[0] = 16;
  written.default_references[1] = 32;
  written.has_weighted_prediction = true;
  written.weighted_bi_prediction = 2;
  written.initial_qp = 51;
  written.chroma_qp_offsets[0] = -12;
  written.chroma_qp_offsets[1] = 12;
  written.has_deblocking_control = true;
  written.has_constrained_intra_prediction = true;
  written.has_redundant_slices = true;
  written.has_8x8_transform = true;
  BitWriter writer;
  write_picture_parameters(writer, written);
  CodedPictureParameters coded;
  ASSERT_FALSE(parse(writer, coded));
  const PictureParameters read = resolve(coded, small_sequence());
  EXPECT_EQ(read.id, 255);
  EXPECT_EQ(read.sequence_id, 31);
  EXPECT_TRUE(read.is_cabac);
  EXPECT_TRUE(read.has_picture_order_in_slices);
  EXPECT_EQ(read.default_references[0], 16);
  EXPECT_EQ(read.default_references[1], 32);
  EXPECT_TRUE(read.has_weighted_prediction);
  EXPECT_EQ(read.weighted_bi_prediction, 2);
  EXPECT_EQ(read.initial_qp, 51);
  EXPECT_EQ(read.chroma_qp_offsets[0], -12);
  EXPECT_EQ(read.chroma_qp_offsets[1], 12);
  EXPECT_TRUE(read.has_deblocking_control);
  EXPECT_TRUE(read.has_constrained_intra_prediction);
  EXPECT_TRUE(read.has_redundant_slices);
  EXPECT_TRUE(read.has_8x8_transform);
}

TEST(PictureParametersTest, TakesTheChromaOffsetTwiceWhereOneIsCoded) {
  PictureParameters written;
  written.chroma_qp_offsets[0] = 5;
  written.chroma_qp_offsets[1] = 5;
  BitWriter writer;
  write_picture_parameters(writer, written);
  CodedPictureParameters coded;
  ASSERT_FALSE(parse(writer, coded));
  EXPECT_EQ(coded.parameters.chroma_qp_offsets[1], 5);
  EXPECT_FALSE(coded.parameters.has_8x8_transform);
}

// Writes a set with a matrix whose list 1 is coded as all `scale`, while others fall back.
void write_with_matrix(BitWriter& writer, int scale) {
  writer.ue(0);
  writer.ue(0);
  writer.bits(0, 2);
  for (int i = 0; i < 3; ++i) writer.ue(0);
  writer.bits(0, 3);
  for (int i = 0; i < 3; ++i) writer.se(0);
  writer.bits(0, 3);
  writer.flag(true);  // transform_8x8_mode_flag
  writer.flag(true);  // pic_scaling_matrix_present_flag
  for (int list = 0; list < 8; ++list) {
    writer.flag(list == 1);
    if (list == 1) {
      writer.se(scale - 8);
      writer.se(-scale);
    }
  }
  writer.se(0);
  writer.trailing_bits();
}

TEST(PictureParametersTest, FallsBackToTheSequencesListsOrTheDefaultOnes) {
  BitWriter writer;
  write_with_matrix(writer, 40);
  CodedPictureParameters coded;
  ASSERT_FALSE(parse(writer, coded));
  SequenceParameters sequence = small_sequence();
  std::fill_n(sequence.scaling.lists_4x4[0], 6 * 16, std::uint8_t{50});
  std::fill_n(sequence.scaling.lists_8x8[0], 2 * 64, std::uint8_t{60});

  sequence.has_scaling_matrix = true;  // Rule set B.
  ScalingLists lists = resolve(coded, sequence).scaling;
  EXPECT_EQ(lists.lists_4x4[0][15], 50);
  EXPECT_EQ(lists.lists_4x4[1][15], 40);
  EXPECT_EQ(lists.lists_4x4[2][15], 40);
  EXPECT_EQ(lists.lists_4x4[3][15], 50);
  EXPECT_EQ(lists.lists_8x8[0][63], 60);

  sequence.has_scaling_matrix = false;  // Rule set A.
  lists = resolve(coded, sequence).scaling;
  EXPECT_EQ(lists.lists_4x4[0][15], 42);
  EXPECT_EQ(lists.lists_4x4[2][15], 40);
  EXPECT_EQ(lists.lists_4x4[5][15], 34);
  EXPECT_EQ(lists.lists_8x8[0][63], 42);
  EXPECT_EQ(lists.lists_8x8[1][63], 35);
}

TEST(PictureParametersTest, TakesTheSequencesListsWhereNoneAreCoded) {
  SequenceParameters sequence = small_sequence();
  std::fill_n(sequence.scaling.lists_8x8[0], 2 * 64, std::uint8_t{60});
  EXPECT_EQ(resolve({}, sequence).scaling.lists_8x8[1][7], 60);
}

TEST(PictureParametersTest, RejectsSliceGroupsByName) {
  BitWriter writer;
  writer.ue(7);
  writer.ue(0);
  writer.bits(0, 2);
  writer.ue(1);
  writer.trailing_bits();
  CodedPictureParameters coded;
  const SyntaxCheck fault = parse(writer, coded);
  ASSERT_TRUE(fault.has_value());
  EXPECT_TRUE(fault->is_unsupported);
  EXPECT_NE(fault->message.find("flexible macroblock ordering"), std::string::npos);
  EXPECT_EQ(coded.parameters.id, 7);
}

TEST(PictureParametersTest, ChecksLimits) {
  std::vector<PictureParameters> broken(7);
  broken[0].id = 256;
  broken[1].sequence_id = 32;
  broken[2].default_references[1] = 33;
  broken[3].weighted_bi_prediction = 3;
  broken[4].initial_qp = 52;
  broken[5].chroma_qp_offsets[0] = 13;
  broken[6].chroma_qp_offsets[1] = -13;
  for (const PictureParameters& written : broken) {
    BitWriter writer;
    write_picture_parameters(writer, written);
    CodedPictureParameters coded;
    const SyntaxCheck fault = parse(writer, coded);
    ASSERT_TRUE(fault.has_value()) << &written - broken.data();
    EXPECT_FALSE(fault->is_unsupported);
  }
}

TEST(ParameterSetStoreTest, KeepsTheObjectOfASetThatArrivesAgain) {
  ParameterSetStore store;
  ParameterSets first;
  ParameterSets second;
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  ASSERT_FALSE(store.find(0, first));
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  ASSERT_FALSE(store.find(0, second));
  EXPECT_EQ(first.sequence, second.sequence);
  EXPECT_EQ(first.picture, second.picture);
}

TEST(ParameterSetStoreTest, TakesSetsInAnyOrderAndReplacesThem) {
  ParameterSetStore store;
  ParameterSets sets;
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  EXPECT_EQ(store.find(0, sets)->message,
            "sequence parameter set 0 has not arrived; it must be sent before its slices");
  EXPECT_EQ(store.find(9, sets)->message,
            "picture parameter set 9 has not arrived; it must be sent before its slices");
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  ASSERT_FALSE(store.find(0, sets));
  EXPECT_EQ(sets.sequence->width_in_macroblocks, 2);
  SequenceParameters wide = small_sequence();
  wide.width_in_macroblocks = 9;
  ASSERT_FALSE(store.add_sequence(payload_of(wide)));
  ASSERT_FALSE(store.find(0, sets));
  EXPECT_EQ(sets.sequence->width_in_macroblocks, 9);
}

TEST(ParameterSetStoreTest, ForgetsWhatItHasFoundWhenASetChanges) {
  ParameterSetStore store;
  ParameterSets sets;
  EXPECT_EQ(store.last_found(-1), nullptr);
  EXPECT_EQ(store.last_found(0), nullptr);
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  ASSERT_FALSE(store.find(0, sets));
  ASSERT_NE(store.last_found(0), nullptr);
  EXPECT_EQ(store.last_found(0)->sequence, sets.sequence);
  EXPECT_EQ(store.last_found(0)->picture, sets.picture);
  EXPECT_EQ(store.last_found(1), nullptr);
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  EXPECT_NE(store.last_found(0), nullptr);
  SequenceParameters wide = small_sequence();
  wide.width_in_macroblocks = 9;
  ASSERT_FALSE(store.add_sequence(payload_of(wide)));
  EXPECT_EQ(store.last_found(0), nullptr);
  ASSERT_FALSE(store.find(0, sets));
  PictureParameters other;
  other.initial_qp = 30;
  ASSERT_FALSE(store.add_picture(payload_of(other)));
  EXPECT_EQ(store.last_found(0), nullptr);
}

TEST(ParameterSetStoreTest, KeepsASetWhenADamagedOneArrives) {
  ParameterSetStore store;
  ASSERT_FALSE(store.add_sequence(payload_of(small_sequence())));
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  SequenceParameters damaged = small_sequence();
  damaged.max_reference_frames = 99;
  EXPECT_TRUE(store.add_sequence(payload_of(damaged)).has_value());
  ParameterSets sets;
  ASSERT_FALSE(store.find(0, sets));
  EXPECT_EQ(sets.sequence->max_reference_frames, 4);
}

TEST(ParameterSetStoreTest, SaysThatASetIsNotSupportedWhenASliceNamesIt) {
  BitWriter writer;
  writer.bits(110, 8);
  writer.bits(0, 8);
  writer.bits(40, 8);
  writer.ue(0);
  writer.ue(1);
  writer.ue(2);
  writer.ue(2);
  writer.trailing_bits();
  ParameterSetStore store;
  ASSERT_FALSE(store.add_picture(payload_of(PictureParameters{})));
  EXPECT_FALSE(store.add_sequence(writer.bytes()));
  ParameterSets sets;
  const SyntaxCheck fault = store.find(0, sets);
  ASSERT_TRUE(fault.has_value());
  EXPECT_TRUE(fault->is_unsupported);
  EXPECT_NE(fault->message.find("bit depth 10"), std::string::npos);
}

}  // namespace
}  // namespace millrace::h264
