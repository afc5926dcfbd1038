// SPDX-License-Identifier: Apache-2.0

// `millrace features` on streams of tools that are not supported, or with damage: faults are named,
// with the stream, NAL unit, byte and picture.
#include <millrace/algorithms/h264/stream/testing/stream_writer.h>
#include <millrace/tests/end_to_end/end_to_end_test.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using h264::BitWriter;
using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

// Sequence and picture parameters, and slices behind them, are NAL units 0, 1, 2 and so on.
constexpr int kFirstSlice = 2;

h264::SequenceParameters sequence_of_four_macroblocks() {
  h264::SequenceParameters sequence;
  sequence.profile = 66;
  sequence.level = 30;
  sequence.picture_order_type = 2;
  sequence.max_reference_frames = 1;
  sequence.width_in_macroblocks = 2;
  sequence.height_in_macroblocks = 2;
  sequence.direct_8x8_inference = true;
  return sequence;
}

h264::SliceHeader idr_header() {
  h264::SliceHeader header;
  header.nal_unit_type = 5;
  header.nal_reference = 1;
  return header;
}

void write_grey_macroblocks(BitWriter& data) {
  for (int macroblock = 0; macroblock < 4; ++macroblock) h264::write_pcm(data, 128);
}

// Returns a sequence parameter set of profile High 4:4:4 Predictive, which may have any format.
Bytes sequence_set(std::uint32_t chroma_format, std::uint32_t bits, bool is_lossless) {
  constexpr int kProfile = 244;
  BitWriter set;
  set.bits(kProfile, 8);
  set.bits(0, 8);   // constraint flags
  set.bits(40, 8);  // level_idc
  set.ue(0);        // seq_parameter_set_id
  set.ue(chroma_format);
  if (chroma_format == 3) set.flag(false);  // separate_colour_plane_flag
  set.ue(bits - 8);                         // bit_depth_luma_minus8
  set.ue(bits - 8);                         // bit_depth_chroma_minus8
  set.flag(is_lossless);
  set.flag(false);  // seq_scaling_matrix_present_flag
  set.ue(0);        // log2_max_frame_num_minus4
  set.ue(2);        // pic_order_cnt_type
  set.ue(1);        // max_num_ref_frames
  set.flag(false);  // gaps_in_frame_num_value_allowed_flag
  set.ue(1);        // Two macroblocks wide,
  set.ue(1);        // and two high.
  set.flag(true);   // frame_mbs_only_flag
  set.flag(true);   // direct_8x8_inference_flag
  set.bits(0, 2);   // No cropping and no VUI.
  set.trailing_bits();
  return h264::make_nal_unit(3, 7, set.bytes());
}

// Returns a picture parameter set of two slice groups, whose macroblocks alternate.
Bytes picture_set_of_slice_groups() {
  BitWriter set;
  set.ue(0);       // pic_parameter_set_id
  set.ue(0);       // seq_parameter_set_id
  set.bits(0, 2);  // CAVLC
  set.ue(1);       // num_slice_groups_minus1
  set.ue(0);       // slice_group_map_type: interleaved
  set.ue(0);       // run_length_minus1 of group 0,
  set.ue(0);       // and of group 1.
  set.ue(0);       // num_ref_idx_l0_default_active_minus1
  set.ue(0);       // num_ref_idx_l1_default_active_minus1
  set.bits(0, 3);  // No weighted prediction.
  set.se(0);       // pic_init_qp_minus26
  set.se(0);       // pic_init_qs_minus26
  set.se(0);       // chroma_qp_index_offset
  set.bits(0, 3);  // No control of deblocking, constrained intra prediction or redundant slices.
  set.trailing_bits();
  return h264::make_nal_unit(3, 8, set.bytes());
}

// Returns the beginning of a slice of that slice_type, whose redundant_pic_cnt is written unless it
// is 0.
Bytes slice_unit(int nal_unit_type, std::uint32_t slice_type, std::uint32_t redundant = 0) {
  BitWriter slice;
  slice.ue(0);  // first_mb_in_slice
  slice.ue(slice_type);
  slice.ue(0);                              // pic_parameter_set_id
  slice.bits(0, 4);                         // frame_num
  if (nal_unit_type == 5) slice.ue(0);      // idr_pic_id
  if (redundant != 0) slice.ue(redundant);  // redundant_pic_cnt
  slice.bits(0x1234, 16);
  slice.trailing_bits();
  return h264::make_nal_unit(1, nal_unit_type, slice.bytes());
}

Bytes stream_of(const std::vector<Bytes>& units) {
  Bytes stream;
  for (const Bytes& unit : units) h264::append_nal_unit(unit, stream);
  return stream;
}

// Returns a stream of one picture in that format.
Bytes stream_of_format(std::uint32_t chroma_format, std::uint32_t bits, bool is_lossless = false) {
  return stream_of({sequence_set(chroma_format, bits, is_lossless), h264::picture_nal_unit({}),
                    slice_unit(5, 7)});
}

// Returns a stream of baseline parameter sets and one unit.
Bytes stream_with(const Bytes& unit) {
  return stream_of(
      {h264::sequence_nal_unit(sequence_of_four_macroblocks()), h264::picture_nal_unit({}), unit});
}

class FeaturesRejectionsTest : public EndToEndTest {
 protected:
  std::vector<json> lines_of(const std::string& stream, int status) {
    const Finished finished = run({"features", stream});
    EXPECT_EQ(finished.exit_status, status) << finished.out << finished.err;
    std::vector<json> lines;
    std::istringstream text(finished.out);
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    for (const json& line : lines) EXPECT_EQ(line.at("stream"), stream);
    return lines;
  }

  // Returns the offset in a file of the first byte of a NAL unit, behind its start code.
  std::size_t offset_of(const std::string& stream, int unit) const {
    std::size_t offset = 0;
    for (int i = 0; i <= unit; ++i) {
      offset = bytes(stream).find(std::string("\0\0\1", 3), offset) + 3;
    }
    return offset;
  }

  void expect_unsupported(const json& fault, const std::string& name, const std::string& stream,
                          int unit, int picture) {
    EXPECT_TRUE(fault.at("fault").get<std::string>().starts_with(name)) << fault;
    EXPECT_EQ(fault.at("is_unsupported"), true);
    EXPECT_EQ(fault.at("nal_unit"), unit);
    EXPECT_EQ(fault.at("byte"), offset_of(stream, unit));
    EXPECT_EQ(fault.at("picture"), picture);
  }

  void put_stream(const std::string& name, const Bytes& bytes) {
    put(name, {bytes.begin(), bytes.end()});
  }
};

TEST_F(FeaturesRejectionsTest, ToolsOfTheWholeStreamAreItsError) {
  constexpr int kSp = 3;
  constexpr int kSi = 4;
  struct Case {
    std::string stream;
    Bytes bytes;
    std::string name;
  };
  const Case cases[] = {
      {"fmo.264",
       stream_of({h264::sequence_nal_unit(sequence_of_four_macroblocks()),
                  picture_set_of_slice_groups(), slice_unit(5, 7)}),
       "flexible macroblock ordering (2 slice groups) is not supported"},
      {"partitions.264", stream_with(slice_unit(2, 7)),
       "data partitioning (NAL units of types 2 to 4)"},
      {"sp.264", stream_with(slice_unit(1, kSp)), "SP slices are not supported"},
      {"si.264", stream_with(slice_unit(1, kSi)), "SI slices are not supported"},
      {"monochrome.264", stream_of_format(0, 8),
       "chroma format 4:0:0 (monochrome) is not supported"},
      {"422.264", stream_of_format(2, 8), "chroma format 4:2:2 is not supported"},
      {"444.264", stream_of_format(3, 8), "chroma format 4:4:4 is not supported"},
      {"10_bits.264", stream_of_format(1, 10), "bit depth 10 is not supported"},
      {"lossless.264", stream_of_format(1, 8, true), "lossless transform bypass"},
  };
  for (const Case& rejected : cases) {
    SCOPED_TRACE(rejected.stream);
    put_stream(rejected.stream, rejected.bytes);
    const std::vector<json> lines = lines_of(rejected.stream, 2);
    ASSERT_EQ(lines.size(), 2U);
    // Tools of parameter sets are found where a slice uses them.
    expect_unsupported(lines[0], rejected.name, rejected.stream, kFirstSlice, 0);
    const std::string error = lines[1].at("error");
    EXPECT_TRUE(error.starts_with(rejected.name)) << error;
    EXPECT_TRUE(error.ends_with("(NAL unit 2, byte " +
                                std::to_string(offset_of(rejected.stream, 2)) + ", picture 0)"))
        << error;
    EXPECT_EQ(lines[1].at("frames"), 0);
  }
}

TEST_F(FeaturesRejectionsTest, FieldsAreNamed) {
  std::filesystem::copy_file(
      std::filesystem::absolute("tests/test_data/streams/interlaced_64x64.264"),
      path("interlaced.264"));
  const std::vector<json> lines = lines_of("interlaced.264", 2);
  ASSERT_EQ(lines.size(), 2U);
  expect_unsupported(lines[0], "field or MBAFF coding", "interlaced.264", kFirstSlice, 0);
}

// The primary pictures have their features.
TEST_F(FeaturesRejectionsTest, RedundantSlicesAreNamedBesideTheirPictures) {
  h264::PictureParameters picture;
  picture.has_redundant_slices = true;
  h264::StreamWriter writer(sequence_of_four_macroblocks(), picture);
  writer.add_slice(idr_header(), write_grey_macroblocks);
  writer.add_unit(slice_unit(5, 7, 1));
  put_stream("redundant.264", writer.bytes());
  const std::vector<json> lines = lines_of("redundant.264", 0);
  ASSERT_EQ(lines.size(), 3U);
  expect_unsupported(lines[0], "redundant slices are not supported", "redundant.264",
                     kFirstSlice + 1, 0);
  EXPECT_EQ(lines[1].at("types").at("PCM"), 4);
  EXPECT_EQ(lines[1].at("lost_macroblocks"), 0);
  EXPECT_EQ(lines[1].at("FrameSize"), writer.bytes().size());
  EXPECT_EQ(lines[2].at("frames"), 1);
  EXPECT_EQ(lines[2].at("faults"), 1);
}

// A stream of two pictures, between which the other tools are.
TEST_F(FeaturesRejectionsTest, SlicesOfOtherToolsAreNamedAtTheirPicture) {
  h264::StreamWriter writer(sequence_of_four_macroblocks(), {});
  writer.add_slice(idr_header(), write_grey_macroblocks);
  writer.add_unit(slice_unit(2, 7));
  writer.add_unit(slice_unit(1, 3));
  h264::SliceHeader second = idr_header();
  second.idr_id = 1;
  writer.add_slice(second, write_grey_macroblocks);
  put_stream("mixed.264", writer.bytes());
  const std::vector<json> lines = lines_of("mixed.264", 0);
  ASSERT_EQ(lines.size(), 5U);
  expect_unsupported(lines[0], "data partitioning", "mixed.264", kFirstSlice + 1, 0);
  expect_unsupported(lines[1], "SP slices", "mixed.264", kFirstSlice + 2, 0);
  EXPECT_EQ(lines[4].at("frames"), 2);
  EXPECT_EQ(lines[4].at("faults"), 2);
}

// A run of 5 skipped macroblocks, of 4, is damage as soon as its code of 5 bits has been read.
TEST_F(FeaturesRejectionsTest, DamagedSlicesAreNamedAtTheByte) {
  h264::StreamWriter writer(sequence_of_four_macroblocks(), {});
  writer.add_slice(idr_header(), write_grey_macroblocks);
  h264::SliceHeader second;
  second.type = h264::SliceType::kP;
  second.frame_number = 1;
  second.reference_counts[0] = 1;
  std::size_t bit = 0;  // The first one behind the run, in the slice's payload.
  writer.add_slice(second, [&](BitWriter& data) {
    data.ue(5);
    bit = data.position();
    data.bits(0x123456, 24);
  });
  put_stream("damaged.264", writer.bytes());
  const std::vector<json> lines = lines_of("damaged.264", 0);
  ASSERT_EQ(lines.size(), 4U);
  const json& fault = lines[1];  // The first line is that of picture 0.
  EXPECT_EQ(fault.at("fault"),
            "slice 0 is damaged after 0 macroblocks: mb_skip_run past the last macroblock of the "
            "picture");
  EXPECT_EQ(fault.at("is_unsupported"), false);
  EXPECT_EQ(fault.at("nal_unit"), kFirstSlice + 1);
  constexpr std::size_t kNalHeader = 1;
  EXPECT_EQ(fault.at("byte"), offset_of("damaged.264", kFirstSlice + 1) + kNalHeader + bit / 8);
  EXPECT_EQ(fault.at("picture"), 1);
  EXPECT_EQ(lines[2].at("damaged_slices"), 1);
  EXPECT_EQ(lines[2].at("lost_macroblocks"), 4);
}

}  // namespace
}  // namespace millrace::end_to_end
