// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/testing/small_sequence.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/stream/slice_collector.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::h264 {

// Stands in for the real one: slice data is a ue(v), the number of macroblocks, and a flag of
// damage after them.
SliceEnd parse_slice_data(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
                          std::size_t first_bit) {
  BitReader reader(payload.data(), payload.size(), first_bit);
  const std::uint32_t count = reader.ue();
  const bool is_damaged = reader.flag();
  const Slice& parsed = picture.slices[static_cast<std::size_t>(slice)];
  auto at = static_cast<std::size_t>(parsed.header.first_macroblock);
  SliceEnd end;
  end.bit = reader.position();
  for (std::uint32_t i = 0; i < count; ++i, ++at) {
    if (at >= picture.macroblocks.size()) return {end.macroblocks, "beyond the picture", end.bit};
    Macroblock& macroblock = picture.macroblocks[at];
    if (macroblock.type != MacroblockType::kLost) return {end.macroblocks, "twice", end.bit};
    macroblock.type = MacroblockType::kSkip;
    macroblock.slice = static_cast<std::uint16_t>(slice);
    ++end.macroblocks;
  }
  // Lists are as the header says, and what they refer to is there.
  for (int list = 0; list < 2; ++list) {
    EXPECT_EQ(parsed.references[list].size(),
              static_cast<std::size_t>(parsed.header.reference_counts[list]));
    for (const Reference& reference : parsed.references[list]) {
      if (reference.parsed == nullptr) continue;
      EXPECT_EQ(reference.parsed->id, reference.picture);
      EXPECT_FALSE(reference.parsed->macroblocks.empty());
    }
  }
  if (is_damaged) end.damage = "the writer says so";
  return end;
}

namespace {

using Bytes = std::vector<std::uint8_t>;

// Notes the calls: I, P, B or G (a gap) and the id for decode, o for output, r for release.
class Calls final : public PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    const char type =
        picture->is_inferred ? 'G' : "PBI"[static_cast<int>(picture->slices[0].header.type)];
    note(type, picture->id);
    lost.push_back(picture->lost_macroblocks);
    bytes.push_back(picture->bytes);
    orders.push_back(picture->picture_order);
    references.emplace_back();
    for (const Slice& slice : picture->slices) {
      for (const auto& list : slice.references) {
        for (const Reference& reference : list) references.back().push_back(reference.picture);
      }
    }
    EXPECT_TRUE(live.insert(picture->id).second);
    last = picture;
  }
  void output(std::int64_t picture) override {
    note('o', picture);
    EXPECT_TRUE(live.contains(picture));
    outputs.push_back(picture);
  }
  void release(std::int64_t picture) override {
    note('r', picture);
    EXPECT_EQ(live.erase(picture), 1U);
  }
  void fault(const StreamFault& fault) override { faults.push_back(fault); }

  void note(char what, std::int64_t picture) {
    if (!text.empty()) text += ' ';
    text += what + std::to_string(picture);
  }

  std::string text;
  std::vector<int> lost, orders;
  std::vector<std::uint32_t> bytes;
  std::vector<std::vector<std::int64_t>> references;
  std::vector<std::int64_t> outputs;
  std::set<std::int64_t> live;
  std::vector<StreamFault> faults;
  std::shared_ptr<const ParsedPicture> last;  // Another owner.
};

// Writes a stream of 2 x 2 macroblocks and parses it.
class StreamParserTest : public testing::Test {
 protected:
  StreamParserTest() { sequence.picture_order_type = 2; }

  void push(const Bytes& unit) {
    parser.push_nal_unit(unit, byte, 4);
    byte += 4 + static_cast<std::int64_t>(unit.size());
  }
  void push_parameters() {
    push(sequence_nal_unit(sequence));
    push(picture_nal_unit(picture));
  }
  Bytes slice_unit(const SliceHeader& header, std::uint32_t macroblocks = 4,
                   bool is_damaged = false) const {
    BitWriter writer;
    write_slice_header(writer, header, sequence, picture);
    writer.ue(macroblocks);
    writer.flag(is_damaged);
    writer.trailing_bits();
    return make_nal_unit(header.nal_reference, header.nal_unit_type, writer.bytes());
  }
  void push_slice(const SliceHeader& header, std::uint32_t macroblocks = 4,
                  bool is_damaged = false) {
    push(slice_unit(header, macroblocks, is_damaged));
  }
  static SliceHeader idr() {
    SliceHeader header;
    header.nal_unit_type = 5;
    header.nal_reference = 1;
    return header;
  }
  static SliceHeader p(int frame_number, bool is_reference = true) {
    SliceHeader header;
    header.type = SliceType::kP;
    header.nal_reference = is_reference ? 1 : 0;
    header.frame_number = frame_number;
    header.reference_counts[0] = 1;
    return header;
  }
  std::string message(std::size_t fault) const {
    return fault < calls.faults.size() ? calls.faults[fault].message : "no such fault";
  }

  Calls calls;
  StreamParser parser{calls};
  SequenceParameters sequence = small_sequence();
  PictureParameters picture;
  std::int64_t byte = 0;
};

TEST_F(StreamParserTest, DecodesPicturesAndOutputsThem) {
  push_parameters();
  push_slice(idr());
  push_slice(p(1));
  push_slice(p(2, false));
  EXPECT_EQ(calls.text, "I0 o0 P1 o1");
  parser.finish();
  EXPECT_EQ(calls.text, "I0 o0 P1 o1 P2 o2 r2 r0 r1");
  EXPECT_TRUE(calls.faults.empty());
  EXPECT_EQ(calls.references[2], std::vector<std::int64_t>{1});
  parser.finish();
  EXPECT_EQ(calls.outputs.size(), 3U);
}

TEST_F(StreamParserTest, OutputsPicturesByTheirOrderCount) {
  sequence.picture_order_type = 0;
  sequence.max_reorder_frames = 1;
  sequence.max_decoded_frames = 4;
  push_parameters();
  push_slice(idr());
  SliceHeader header = p(1);
  header.picture_order_lsb = 4;
  push_slice(header);
  header.type = SliceType::kB;
  header.nal_reference = 0;
  header.frame_number = 2;
  header.picture_order_lsb = 2;
  header.reference_counts[1] = 1;
  push_slice(header);
  parser.finish();
  EXPECT_EQ(calls.text, "I0 P1 o0 B2 o2 r2 o1 r0 r1");
  EXPECT_EQ(calls.references[2], (std::vector<std::int64_t>{0, 1}));
}

TEST_F(StreamParserTest, CountsTheBytesAndBitsOfAPicture) {
  push_parameters();
  push({0x06, 5, 1, 0, 0x80});
  push_slice(idr(), 2);
  SliceHeader second = idr();
  second.first_macroblock = 2;
  push_slice(second, 2);
  push({12, 0xFF, 0x80});  // Filler data
  const std::int64_t first = byte;
  push({9, 0xF0});  // Access unit delimiter
  push_slice(p(1));
  parser.finish();
  ASSERT_EQ(calls.bytes.size(), 2U);
  EXPECT_EQ(calls.bytes[0], first);
  EXPECT_EQ(calls.bytes[1], byte - first);
  // Start code and NAL header, then first_mb_in_slice 1, slice_type 1, parameters 1, frame_num 4,
  // override flag 1, modification flag 1, marking flag 1, slice_qp_delta 1.
  EXPECT_EQ(calls.last->slices[0].header_bits, 40U + 3 * 1 + 4 + 4 * 1);
  EXPECT_EQ(calls.last->slices[0].bytes, byte - first - 6);
}

TEST_F(StreamParserTest, CountsMacroblocksThatNoSliceHas) {
  push_parameters();
  push_slice(idr(), 1);
  SliceHeader last = idr();
  last.first_macroblock = 3;
  push_slice(last, 1);
  parser.finish();
  EXPECT_EQ(calls.lost, std::vector<int>{2});
  ASSERT_EQ(calls.faults.size(), 1U);
  EXPECT_EQ(message(0), "slices of a picture are lost, with 2 of its 4 macroblocks");
}

// Notes the slices: picture, index, NAL unit, byte and number of macroblocks.
struct Collector final : SliceCollector {
  void collect(ParsedPicture& picture, int slice, const SliceBits& bits) override {
    BitReader reader(bits.payload.data(), bits.payload.size(), bits.first_bit);
    EXPECT_TRUE(bits.emulation_prevention.empty());
    slices.push_back({picture.id, slice, bits.nal_unit, bits.byte, reader.ue()});
  }

  std::vector<std::vector<std::int64_t>> slices;
};

TEST_F(StreamParserTest, GivesSlicesToACollectorInsteadOfParsingThem) {
  Collector collector;
  StreamParser collecting(calls, {.wants_macroblocks = false, .collector = &collector});
  SliceHeader second = idr();
  second.first_macroblock = 2;
  const Bytes units[] = {sequence_nal_unit(sequence), picture_nal_unit(picture),
                         slice_unit(idr(), 1, true),  slice_unit(second, 2),
                         slice_unit(p(1), 3),         slice_unit(p(2, false), 5)};
  for (const Bytes& unit : units) {
    collecting.push_nal_unit(unit, byte, 4);
    byte += 100;
  }
  collecting.finish();
  EXPECT_EQ(calls.text, "I0 o0 P1 o1 P2 o2 r2 r0 r1");
  EXPECT_EQ(calls.references[2], std::vector<std::int64_t>{1});
  EXPECT_EQ(calls.lost, (std::vector<int>{0, 0, 0}));
  EXPECT_TRUE(calls.faults.empty());
  const std::vector<std::vector<std::int64_t>> expected = {
      {0, 0, 2, 200, 1}, {0, 1, 3, 300, 2}, {1, 0, 4, 400, 3}, {2, 0, 5, 500, 5}};
  EXPECT_EQ(collector.slices, expected);
}

TEST_F(StreamParserTest, SaysWhereASliceIsDamagedAndGoesOn) {
  push_parameters();
  push_slice(idr(), 2, true);
  SliceHeader second = idr();
  second.first_macroblock = 1;
  push_slice(second, 2);
  const std::int64_t offset = byte;
  push_slice(p(1), 5);
  push_slice(p(2));
  parser.finish();
  ASSERT_EQ(calls.faults.size(), 3U);
  EXPECT_EQ(message(0), "slice 0 is damaged after 2 macroblocks: the writer says so");
  EXPECT_EQ(message(1), "slice 1 is damaged after 0 macroblocks: twice");
  EXPECT_EQ(message(2), "slice 0 is damaged after 4 macroblocks: beyond the picture");
  EXPECT_EQ(calls.faults[0].nal_unit, 2);
  EXPECT_EQ(calls.faults[2].nal_unit, 4);
  EXPECT_EQ(calls.faults[2].picture, 1);
  EXPECT_GT(calls.faults[2].byte, offset);
  EXPECT_LT(calls.faults[2].byte, offset + 5);
  EXPECT_EQ(calls.lost, (std::vector<int>{2, 0, 0}));
}

TEST_F(StreamParserTest, InfersPicturesOfAllowedGaps) {
  sequence.gaps_in_frame_number_allowed = true;
  push_parameters();
  push_slice(idr());
  SliceHeader header = p(3);
  header.reference_counts[0] = 3;
  push_slice(header);
  parser.finish();
  EXPECT_TRUE(calls.faults.empty());
  EXPECT_EQ(parser.missing().lost, 0);
  EXPECT_EQ(calls.text, "I0 o0 G1 G2 P3 o3 r0 r1 r2 r3");
  EXPECT_EQ(calls.references[3], (std::vector<std::int64_t>{-1, -1, 0}));
  EXPECT_EQ(calls.orders, (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(calls.lost[1], 0);
}

TEST_F(StreamParserTest, CountsThePicturesOfOtherGapsAsLost) {
  push_parameters();
  push_slice(idr());
  push_slice(p(15));  // 14 are lost, of which four would still be references.
  push_slice(p(0));
  push_slice(p(2));
  parser.finish();
  EXPECT_EQ(calls.text, "I0 o0 G1 G2 G3 G4 r0 P5 r1 o5 P6 r2 o6 G7 r3 P8 r4 o8 r5 r6 r7 r8");
  ASSERT_EQ(calls.faults.size(), 2U);
  EXPECT_EQ(message(0), "frame_num goes from 0 to 15: 14 reference pictures are lost");
  EXPECT_EQ(message(1), "frame_num goes from 0 to 2: 1 reference picture is lost");
  EXPECT_EQ(calls.lost, (std::vector<int>{0, 4, 4, 4, 4, 0, 0, 4, 0}));
  EXPECT_EQ(parser.missing().lost, 14 + 1);
  EXPECT_EQ(parser.missing().dropped, 0);
}

TEST_F(StreamParserTest, BeginsAnewAfterAReset) {
  push_parameters();
  push_slice(idr());
  push_slice(p(1));
  SliceHeader reset = p(2);
  reset.has_marking_operations = true;
  reset.marking_operations = {{5}};
  push_slice(reset);
  push_slice(p(1));  // The picture of the reset counts as frame_num 0.
  parser.finish();
  EXPECT_TRUE(calls.faults.empty());
  EXPECT_EQ(calls.text, "I0 o0 P1 o1 P2 r0 r1 o2 P3 o3 r2 r3");
  EXPECT_EQ(calls.references[3], std::vector<std::int64_t>{2});
  EXPECT_EQ(calls.orders, (std::vector<int>{0, 2, 4, 2}));
}

TEST_F(StreamParserTest, DropsPicturesBeforeTheFirstThatCanBeDecoded) {
  push_parameters();
  push_slice(p(7));
  push_slice(p(8));
  SliceHeader intra = p(8);
  intra.type = SliceType::kI;
  push_slice(intra, 2);  // A slice of the picture that was dropped.
  intra.frame_number = 9;
  push_slice(intra);
  push_slice(p(10));
  parser.finish();
  EXPECT_EQ(calls.text, "I0 o0 P1 o1 r0 r1");
  ASSERT_EQ(calls.faults.size(), 1U);
  EXPECT_EQ(message(0), "pictures before the first I picture or recovery point are dropped");
  EXPECT_EQ(parser.missing().dropped, 2);  // Slices of frame_num 8 are of one picture.
}

TEST_F(StreamParserTest, BeginsAtARecoveryPoint) {
  push_parameters();
  push_slice(p(7));
  push({0x06, 6, 1, 0b10100100, 0x80});  // recovery_frame_cnt 0
  push_slice(p(8));
  parser.finish();
  EXPECT_EQ(calls.text, "P0 o0 r0");
  EXPECT_TRUE(calls.last->has_recovery_point);
  EXPECT_EQ(calls.references[0], std::vector<std::int64_t>{-1});
}

TEST_F(StreamParserTest, TakesNewParametersAtAnIdrPicture) {
  push_parameters();
  push_slice(idr());
  sequence.width_in_macroblocks = 3;
  push(sequence_nal_unit(sequence));
  SliceHeader next = idr();
  next.idr_id = 1;
  push_slice(next, 6);
  push_parameters();  // The same again.
  push_slice(p(1), 6);
  parser.finish();
  EXPECT_TRUE(calls.faults.empty());
  EXPECT_EQ(calls.text, "I0 o0 r0 I1 o1 P2 o2 r1 r2");
  EXPECT_EQ(calls.last->macroblocks.size(), 6U);
}

TEST_F(StreamParserTest, DropsPicturesOfNewParametersWithoutAnIdrPicture) {
  push_parameters();
  push_slice(idr());
  sequence.width_in_macroblocks = 3;
  push(sequence_nal_unit(sequence));
  push_slice(p(1), 6);
  push_slice(p(2), 6);
  SliceHeader intra = p(3);
  intra.type = SliceType::kI;
  push_slice(intra, 6);
  parser.finish();
  EXPECT_EQ(calls.text, "I0 o0 r0 I1 o1 r1");
  EXPECT_EQ(calls.faults.size(), 2U);
}

TEST_F(StreamParserTest, DropsPriorPicturesThatAreNotToBeOutput) {
  sequence.picture_order_type = 0;
  push_parameters();
  push_slice(idr());
  SliceHeader next = idr();
  next.idr_id = 1;
  next.keeps_no_prior_pictures = true;
  push_slice(next);
  parser.finish();
  EXPECT_EQ(calls.text, "I0 r0 I1 o1 r1");
}

TEST_F(StreamParserTest, TakesTenThousandParameterSets) {
  for (int i = 0; i < 10000; ++i) {
    sequence.id = i % 32;
    sequence.width_in_macroblocks = 2 + i % 7;
    push(sequence_nal_unit(sequence));
    picture.id = i % 256;
    picture.sequence_id = i % 32;
    push(picture_nal_unit(picture));
  }
  push_slice(
      [this] {
        SliceHeader header = idr();
        header.picture_parameters = picture.id;
        return header;
      }(),
      static_cast<std::uint32_t>(sequence.macroblock_count()));
  parser.finish();
  EXPECT_TRUE(calls.faults.empty());
  EXPECT_EQ(calls.text, "I0 o0 r0");
}

TEST_F(StreamParserTest, SaysOnceWhichSetIsMissing) {
  push_slice(idr());
  push_slice(p(1));
  ASSERT_EQ(calls.faults.size(), 1U);
  EXPECT_EQ(message(0),
            "picture parameter set 0 has not arrived; it must be sent before its slices");
  push(picture_nal_unit(picture));
  push_slice(p(2));
  push_slice(p(3));
  ASSERT_EQ(calls.faults.size(), 2U);
  EXPECT_EQ(message(1),
            "sequence parameter set 0 has not arrived; it must be sent before its slices");
  parser.finish();
  EXPECT_EQ(calls.text, "");
}

TEST_F(StreamParserTest, NamesOnceWhatItDoesNotDo) {
  push_parameters();
  for (int round = 0; round < 3; ++round) {
    for (const int type : {2, 3, 4, 14, 15, 19, 20, 21}) {
      push({static_cast<std::uint8_t>(0x60 | type), 0x88, 0x80});
    }
  }
  ASSERT_EQ(calls.faults.size(), 4U);
  for (const StreamFault& fault : calls.faults) EXPECT_TRUE(fault.is_unsupported);
  EXPECT_EQ(message(0).find("data partitioning"), 0U);
  EXPECT_EQ(message(1).find("scalable or multiview"), 0U);
}

TEST_F(StreamParserTest, ReportsUnitsThatAreNone) {
  push({});
  push({0xE5, 1, 2});
  parser.note_loss(3);
  parser.note_loss();
  ASSERT_EQ(calls.faults.size(), 4U);
  EXPECT_EQ(message(0), "a NAL unit is empty; it is skipped");
  EXPECT_EQ(message(1).find("forbidden_zero_bit"), 0U);
  EXPECT_EQ(message(2), "3 NAL units were lost after this one");
  EXPECT_EQ(calls.faults[1].nal_unit, 1);
}

TEST_F(StreamParserTest, HasNoMoreSlicesThanMacroblocks) {
  push_parameters();
  for (int i = 0; i < 20; ++i) push_slice(idr(), 0);
  parser.finish();
  EXPECT_EQ(calls.last->slices.size(), 4U);
  EXPECT_EQ(calls.faults.size(), 16U + 1U);  // All macroblocks are lost.
}

TEST_F(StreamParserTest, MayBeMoved) {
  push_parameters();
  push_slice(idr());
  StreamParser moved = std::move(parser);
  moved.finish();
  EXPECT_EQ(calls.text, "I0 o0 r0");
}

// Pictures of all kinds, with operations on lists and on marking.
std::vector<Bytes> rich_stream(std::mt19937& random) {
  SequenceParameters sequence = small_sequence();
  sequence.picture_order_type = static_cast<int>(random() % 3);
  sequence.offsets_for_reference_frames = {2, 3};
  sequence.gaps_in_frame_number_allowed = random() % 2 == 0;
  PictureParameters picture;
  picture.has_weighted_prediction = true;
  picture.weighted_bi_prediction = 1;
  picture.has_deblocking_control = true;
  std::vector<Bytes> units = {sequence_nal_unit(sequence), picture_nal_unit(picture)};
  for (int i = 0; i < 30; ++i) {
    SliceHeader header;
    header.nal_reference = static_cast<int>(random() % 2);
    header.frame_number = static_cast<int>(i % 3 == 0 ? random() % 16 : i % 16);
    header.picture_order_lsb = static_cast<int>(random() % 16);
    header.type = static_cast<SliceType>(random() % 3);
    if (i == 0) {
      header.nal_unit_type = 5;
      header.nal_reference = 1;
      header.frame_number = 0;
      header.type = SliceType::kI;
    }
    for (int list = 0; list < 2; ++list) {
      header.reference_counts[list] = 1 + static_cast<int>(random() % 6);
      for (int k = 0; k < header.reference_counts[list] && random() % 2 == 0; ++k) {
        header.list_operations[list].push_back(
            {.operation = static_cast<int>(random() % 3),
             .operand = static_cast<std::uint32_t>(random() % 6)});
      }
    }
    for (std::size_t k = 0; k < random() % 6; ++k) {
      header.has_marking_operations = true;
      header.marking_operations.push_back(
          {.operation = 1 + static_cast<int>(random() % 6),
           .operand = static_cast<std::uint32_t>(random() % 5),
           .second_operand = static_cast<std::uint32_t>(random() % 5)});
    }
    BitWriter writer;
    write_slice_header(writer, header, sequence, picture);
    writer.ue(4);
    writer.flag(false);
    writer.trailing_bits();
    units.push_back(make_nal_unit(header.nal_reference, header.nal_unit_type, writer.bytes()));
  }
  return units;
}

// Parses units, and checks that all pictures are released, and output at most once.
void parse_all(const std::vector<Bytes>& units) {
  Calls calls;
  {
    StreamParser parser(calls);
    for (const Bytes& unit : units) parser.push_nal_unit(unit);
    parser.finish();
  }
  EXPECT_TRUE(calls.live.empty());
  const std::set<std::int64_t> outputs(calls.outputs.begin(), calls.outputs.end());
  EXPECT_EQ(outputs.size(), calls.outputs.size());
}

TEST(DamagedStreamTest, ReleasesAllPicturesWhateverBitsAreFlipped) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 1000; ++round) {
    std::vector<Bytes> units = rich_stream(random);
    parse_all(units);
    const std::size_t flips = random() % 20;
    for (std::size_t i = 0; i < flips; ++i) {
      Bytes& unit = units[random() % units.size()];
      if (unit.empty()) continue;
      if (random() % 4 == 0) {
        unit.resize(random() % unit.size());
      } else {
        unit[random() % unit.size()] ^= static_cast<std::uint8_t>(1 << random() % 8);
      }
    }
    if (random() % 2 == 0)
      std::swap(units[random() % units.size()], units[random() % units.size()]);
    parse_all(units);
  }
}

}  // namespace
}  // namespace millrace::h264
