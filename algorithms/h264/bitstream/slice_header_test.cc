// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/slice_header.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

class SliceHeaderTest : public testing::Test {
 protected:
  // Writes a header and parses it.
  SyntaxCheck parse(const SliceHeader& written) {
    BitWriter writer;
    write_slice_header(writer, written, sequence, picture);
    end = writer.position();
    writer.trailing_bits();
    bytes = writer.bytes();
    return parse_bytes(written);
  }
  SyntaxCheck parse_bytes(const SliceHeader& written) {
    BitReader reader(bytes.data(), bytes.size());
    const SyntaxCheck fault = parse_slice_header(reader, written.nal_reference,
                                                 written.nal_unit_type, sequence, picture, read);
    position = reader.position();
    return fault;
  }
  void expect_damaged(const SliceHeader& written, const std::string& name) {
    const SyntaxCheck fault = parse(written);
    ASSERT_TRUE(fault.has_value()) << name;
    EXPECT_FALSE(fault->is_unsupported);
    EXPECT_NE(fault->message.find(name), std::string::npos) << fault->message;
  }

  SequenceParameters sequence = small_sequence();
  PictureParameters picture;
  std::vector<std::uint8_t> bytes;
  std::size_t end = 0;
  std::size_t position = 0;
  SliceHeader read;
};

SliceHeader i_slice(int nal_unit_type, int nal_reference) {
  SliceHeader header;
  header.nal_unit_type = nal_unit_type;
  header.nal_reference = nal_reference;
  return header;
}

SliceHeader p_slice() {
  SliceHeader header;
  header.type = SliceType::kP;
  header.nal_reference = 1;
  header.reference_counts[0] = 2;
  return header;
}

TEST_F(SliceHeaderTest, ReadsAnIdrSlice) {
  SliceHeader written;
  written.nal_unit_type = 5;
  written.nal_reference = 3;
  written.first_macroblock = 3;
  written.idr_id = 65535;
  written.picture_order_lsb = 15;
  written.keeps_no_prior_pictures = true;
  written.is_long_term = true;
  written.qp = 0;
  ASSERT_FALSE(parse(written));
  EXPECT_EQ(position, end);
  EXPECT_EQ(read.type, SliceType::kI);
  EXPECT_EQ(read.first_macroblock, 3);
  EXPECT_EQ(read.idr_id, 65535);
  EXPECT_EQ(read.picture_order_lsb, 15);
  EXPECT_TRUE(read.keeps_no_prior_pictures);
  EXPECT_TRUE(read.is_long_term);
  EXPECT_EQ(read.qp, 0);
  EXPECT_EQ(read.reference_counts[0], 0);
}

TEST_F(SliceHeaderTest, ReadsEveryElementOfABSlice) {
  picture.is_cabac = true;
  picture.has_picture_order_in_slices = true;
  picture.weighted_bi_prediction = 1;
  picture.has_deblocking_control = true;
  picture.has_redundant_slices = true;
  SliceHeader written;
  written.type = SliceType::kB;
  written.nal_reference = 2;
  written.frame_number = 13;
  written.picture_order_lsb = 9;
  written.delta_picture_order_bottom = -3;
  written.is_direct_spatial = true;
  written.reference_counts[0] = 16;
  written.reference_counts[1] = 1;
  written.list_operations[0] = {{0, 4}, {1, 7}, {2, 1}};
  written.list_operations[1] = {{2, 0xFFFFFFFE}};
  written.luma_weight_shift = 7;
  written.chroma_weight_shift = 0;
  for (auto& list : written.weights) {
    for (PredictionWeight& weight : list) {
      weight = {.weight = {-128, 127, 1}, .offset = {127, -128, 0}};
    }
  }
  written.has_marking_operations = true;
  written.marking_operations = {{1, 3}, {2, 0}, {3, 1, 2}, {4, 3}, {5}, {6, 1}};
  written.cabac_table = 2;
  written.qp = 51;
  written.deblocking = 2;
  written.alpha_offset = -12;
  written.beta_offset = 12;
  ASSERT_FALSE(parse(written));
  EXPECT_EQ(position, end);
  EXPECT_EQ(read.type, SliceType::kB);
  EXPECT_EQ(read.frame_number, 13);
  EXPECT_EQ(read.delta_picture_order_bottom, -3);
  EXPECT_TRUE(read.is_direct_spatial);
  EXPECT_EQ(read.reference_counts[0], 16);
  EXPECT_EQ(read.reference_counts[1], 1);
  ASSERT_EQ(read.list_operations[0].size(), 3U);
  EXPECT_EQ(read.list_operations[0][1].operation, 1);
  EXPECT_EQ(read.list_operations[0][1].operand, 7U);
  ASSERT_EQ(read.list_operations[1].size(), 1U);
  EXPECT_EQ(read.list_operations[1][0].operand, 0xFFFFFFFEU);
  EXPECT_EQ(read.luma_weight_shift, 7);
  EXPECT_EQ(read.weights[0][15].weight[0], -128);
  EXPECT_EQ(read.weights[1][0].weight[1], 127);
  EXPECT_EQ(read.weights[1][0].offset[1], -128);
  EXPECT_EQ(read.weights[1][0].offset[0], 127);
  ASSERT_EQ(read.marking_operations.size(), 6U);
  EXPECT_EQ(read.marking_operations[2].operand, 1U);
  EXPECT_EQ(read.marking_operations[2].second_operand, 2U);
  EXPECT_EQ(read.marking_operations[5].operation, 6);
  EXPECT_EQ(read.marking_operations[5].operand, 1U);
  EXPECT_EQ(read.cabac_table, 2);
  EXPECT_EQ(read.qp, 51);
  EXPECT_EQ(read.deblocking, 2);
  EXPECT_EQ(read.alpha_offset, -12);
  EXPECT_EQ(read.beta_offset, 12);
}

TEST_F(SliceHeaderTest, FillsInDefaultWeights) {
  BitWriter writer;
  writer.ue(0);        // first_mb_in_slice
  writer.ue(5);        // slice_type: P, as are all of the picture
  writer.ue(0);        // pic_parameter_set_id
  writer.bits(1, 4);   // frame_num
  writer.bits(2, 4);   // pic_order_cnt_lsb
  writer.flag(false);  // num_ref_idx_active_override_flag
  writer.flag(false);  // ref_pic_list_modification_flag_l0
  writer.ue(3);
  writer.ue(2);
  writer.bits(0b00, 2);  // The first picture has default weights.
  writer.bits(0b0, 1);   // The second one, of chroma alone.
  writer.bits(0b1, 1);
  for (const int value : {7, -6, 5, -4}) writer.se(value);
  writer.se(4);  // slice_qp_delta
  writer.trailing_bits();
  bytes = writer.bytes();
  picture.has_weighted_prediction = true;
  picture.default_references[0] = 2;
  ASSERT_FALSE(parse_bytes(i_slice(1, 0)));
  EXPECT_EQ(read.reference_counts[0], 2);
  EXPECT_EQ(read.weights[0][0].weight[0], 8);
  EXPECT_EQ(read.weights[0][0].weight[2], 4);
  EXPECT_EQ(read.weights[0][0].offset[2], 0);
  EXPECT_EQ(read.weights[0][1].weight[0], 8);
  EXPECT_EQ(read.weights[0][1].weight[1], 7);
  EXPECT_EQ(read.weights[0][1].offset[1], -6);
  EXPECT_EQ(read.weights[0][1].weight[2], 5);
  EXPECT_EQ(read.weights[0][1].offset[2], -4);
  EXPECT_EQ(read.qp, 30);
}

TEST_F(SliceHeaderTest, ReadsOrderDeltasOfType1) {
  sequence.picture_order_type = 1;
  picture.has_picture_order_in_slices = true;
  SliceHeader written = p_slice();
  written.delta_picture_order[0] = -2147483647;
  written.delta_picture_order[1] = 2147483647;
  ASSERT_FALSE(parse(written));
  EXPECT_EQ(read.delta_picture_order[0], -2147483647);
  EXPECT_EQ(read.delta_picture_order[1], 2147483647);
}

TEST_F(SliceHeaderTest, RejectsSwitchingAndRedundantSlicesByName) {
  const std::pair<std::uint32_t, const char*> types[] = {{3, "SP slices are not supported"},
                                                         {4, "SI slices are not supported"},
                                                         {8, "SP slices are not supported"},
                                                         {9, "SI slices are not supported"}};
  for (const auto& [type, name] : types) {
    BitWriter writer;
    writer.ue(0);
    writer.ue(type);
    writer.ue(0);
    writer.bits(0, 32);
    bytes = writer.bytes();
    const SyntaxCheck fault = parse_bytes(i_slice(1, 0));
    ASSERT_TRUE(fault.has_value());
    EXPECT_TRUE(fault->is_unsupported);
    EXPECT_EQ(fault->message.find(name), 0U);
  }
  picture.has_redundant_slices = true;
  BitWriter writer;
  writer.ue(0);
  writer.ue(0);
  writer.ue(0);
  writer.bits(0, 8);
  writer.ue(1);  // redundant_pic_cnt
  writer.trailing_bits();
  bytes = writer.bytes();
  const SyntaxCheck fault = parse_bytes(i_slice(1, 0));
  ASSERT_TRUE(fault.has_value());
  EXPECT_TRUE(fault->is_unsupported);
  EXPECT_EQ(fault->message.find("redundant slices are not supported"), 0U);
}

TEST_F(SliceHeaderTest, ChecksLimits) {
  picture.has_weighted_prediction = true;
  picture.has_deblocking_control = true;
  picture.is_cabac = true;
  const auto check = [this](const char* name, const std::function<void(SliceHeader&)>& change) {
    SliceHeader written = p_slice();
    change(written);
    expect_damaged(written, name);
  };
  check("first_mb_in_slice is 4", [](SliceHeader& h) { h.first_macroblock = 4; });
  check("reference list is 17", [](SliceHeader& h) { h.reference_counts[0] = 17; });
  check("more operations", [](SliceHeader& h) { h.list_operations[0].assign(3, {0, 0}); });
  check("modification_of_pic_nums_idc", [](SliceHeader& h) { h.list_operations[0] = {{4, 0}}; });
  check("luma_log2_weight_denom is 8", [](SliceHeader& h) { h.luma_weight_shift = 8; });
  check("chroma_log2_weight_denom is 8", [](SliceHeader& h) { h.chroma_weight_shift = 8; });
  check("a weight is 128", [](SliceHeader& h) { h.weights[0][1].weight[2] = 128; });
  check("offset is -129", [](SliceHeader& h) { h.weights[0][0].offset[0] = -129; });
  check("cabac_init_idc is 3", [](SliceHeader& h) { h.cabac_table = 3; });
  check("the slice's QP is 52", [](SliceHeader& h) { h.qp = 52; });
  check("disable_deblocking_filter_idc is 3", [](SliceHeader& h) { h.deblocking = 3; });
  check("deblocking offset is 7", [](SliceHeader& h) { h.beta_offset = 14; });
  check("memory_management_control_operation is 7", [](SliceHeader& h) {
    h.has_marking_operations = true;
    h.marking_operations = {{7, 0}};
  });
  check("more than 35 operations", [](SliceHeader& h) {
    h.has_marking_operations = true;
    h.marking_operations.assign(36, {1, 0});
  });
  check("not an I slice", [](SliceHeader& h) { h.nal_unit_type = 5; });
  check("nal_ref_idc", [](SliceHeader& h) { h = i_slice(5, 0); });
  check("frame_num of an IDR", [](SliceHeader& h) {
    h = i_slice(5, 1);
    h.frame_number = 1;
  });
}

TEST_F(SliceHeaderTest, RejectsAHeaderThatIsCutAnywhere) {
  picture.has_weighted_prediction = true;
  SliceHeader written = p_slice();
  written.qp = 45;
  ASSERT_FALSE(parse(written));
  const std::vector<std::uint8_t> whole = bytes;
  for (std::size_t size = 0; size < end / 8; ++size) {
    bytes.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(parse_bytes(written).has_value()) << size;
  }
}

TEST_F(SliceHeaderTest, EndsInListsWithoutAnEnd) {
  // Each bit pair 1 1 is operation 0 with operand 0, for ever.
  BitWriter writer;
  writer.ue(0);
  writer.ue(0);
  writer.ue(0);
  writer.bits(0, 8);
  writer.flag(false);
  writer.flag(true);
  for (int i = 0; i < 4000; ++i) writer.flag(true);
  bytes = writer.bytes();
  EXPECT_TRUE(parse_bytes(i_slice(1, 1)).has_value());
}

// Clause 7.4.1.2.4, element by element.
TEST(BeginsPictureTest, ComparesWhatIdentifiesAPicture) {
  const SliceHeader slice = i_slice(5, 2);
  const std::function<void(SliceHeader&)> same[] = {
      [](SliceHeader& h) { h.first_macroblock = 7; },
      [](SliceHeader& h) { h.type = SliceType::kP; }, [](SliceHeader& h) { h.nal_reference = 1; },
      [](SliceHeader& h) { h.qp = 3; }, [](SliceHeader&) {}};
  const std::function<void(SliceHeader&)> other[] = {
      [](SliceHeader& h) { h.frame_number = 1; },
      [](SliceHeader& h) { h.picture_parameters = 1; },
      [](SliceHeader& h) { h.nal_reference = 0; },
      [](SliceHeader& h) { h.picture_order_lsb = 1; },
      [](SliceHeader& h) { h.delta_picture_order_bottom = 1; },
      [](SliceHeader& h) { h.delta_picture_order[0] = 1; },
      [](SliceHeader& h) { h.delta_picture_order[1] = 1; },
      [](SliceHeader& h) { h.nal_unit_type = 1; },
      [](SliceHeader& h) { h.idr_id = 2; }};
  for (const auto& change : same) {
    SliceHeader next = slice;
    change(next);
    EXPECT_FALSE(begins_picture(slice, next)) << &change - same;
  }
  for (const auto& change : other) {
    SliceHeader next = slice;
    change(next);
    EXPECT_TRUE(begins_picture(slice, next)) << &change - other;
    EXPECT_TRUE(begins_picture(next, slice)) << &change - other;
  }
}

}  // namespace
}  // namespace millrace::h264
