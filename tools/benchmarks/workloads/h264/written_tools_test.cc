// SPDX-License-Identifier: Apache-2.0

// Tools that the published streams do not have, in streams that are written here: pictures, vectors
// and QPs are those of libavcodec.
#include <millrace/algorithms/h264/encoder/syntax/testing/decodable_stream.h>
#include <millrace/algorithms/h264/entropy/testing/inter_slice_writer.h>
#include <millrace/algorithms/h264/stream/testing/stream_writer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/benchmarks/workloads/h264/stream_work.h>

extern "C" {
#include <libavutil/cpu.h>
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace millrace::tools {
namespace {

using h264::BitWriter;
using h264::CabacEncoder;
using h264::InterMacroblock;
using h264::PictureParameters;
using h264::SequenceParameters;
using h264::SliceHeader;
using h264::SliceType;

constexpr int kTrials = 60;

// While it lives, libavcodec does without SIMD, whose sums of weighted samples saturate at 16 bits.
class PlainLibavcodec {
 public:
  PlainLibavcodec() { av_force_cpu_flags(0); }
  ~PlainLibavcodec() { av_force_cpu_flags(-1); }
  PlainLibavcodec(const PlainLibavcodec&) = delete;
  PlainLibavcodec& operator=(const PlainLibavcodec&) = delete;
};

// Returns what is compared of a stream, which both decoders give alike.
ComparedDecisions expect_equal(const std::vector<std::uint8_t>& stream) {
  const PlainLibavcodec plain;
  const H264Peer peer(stream);
  ComparedDecisions compared;
  EXPECT_NO_THROW(compared = check_decisions(stream, peer));
  EXPECT_NO_THROW(check_samples(stream, peer));
  return compared;
}

// Draws numbers from 0 to bound - 1.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int operator()(int bound) const {
    return static_cast<int>(random_() % static_cast<unsigned>(bound));
  }

 private:
  mutable std::mt19937 random_;
};

// Draws weights of all references. Two that are used together are at most as large as clause
// 8.4.2.3 allows: their sum is from -128 to 127, or 128 where the denominator is below 128.
void draw_weights(const Draw& draw, SliceHeader& header) {
  header.luma_weight_shift = draw(8);
  header.chroma_weight_shift = draw(8);
  for (int list = 0; list < 2; ++list) {
    for (int i = 0; i < header.reference_counts[list]; ++i) {
      for (int component = 0; component < 3; ++component) {
        h264::PredictionWeight& weight = header.weights[list][i];
        weight.weight[component] = static_cast<std::int16_t>(draw(128) - 64);
        weight.offset[component] = static_cast<std::int16_t>(draw(256) - 128);
      }
    }
  }
  if (draw(2) == 0) return;
  // The ends of the range, with a partner of the other sign or of 0.
  const int shift = draw(2) == 0 ? 7 : 5;
  header.luma_weight_shift = header.chroma_weight_shift = shift;
  for (int list = 0; list < 2; ++list) {
    for (int i = 0; i < header.reference_counts[list]; ++i) {
      std::fill_n(header.weights[list][i].weight, 3,
                  static_cast<std::int16_t>(list == 0 ? 127 : -128));
    }
  }
}

SliceHeader header_of(SliceType type, int nal_reference, int frame_number, int order) {
  SliceHeader header;
  header.type = type;
  header.nal_reference = nal_reference;
  header.frame_number = frame_number;
  header.picture_order_lsb = order;
  header.nal_unit_type = type == SliceType::kI && frame_number == 0 ? 5 : 1;
  return header;
}

// Writes a slice of I_PCM of random samples.
void write_noise(BitWriter& data, const Draw& draw, const SequenceParameters& sequence,
                 const PictureParameters& picture) {
  const int count = sequence.macroblock_count();
  std::optional<CabacEncoder> encoder;
  if (picture.is_cabac) encoder.emplace(data, SliceType::kI, 0, 26);
  for (int address = 0; address < count; ++address) {
    if (encoder) {
      // No neighbour is I_NxN.
      const int left = address % sequence.width_in_macroblocks != 0 ? 1 : 0;
      const int above = address >= sequence.width_in_macroblocks ? 1 : 0;
      encoder->bin(3 + left + above, true);
      encoder->terminate(true);
    } else {
      data.ue(25);
    }
    data.align();
    const int base = draw(200);
    for (int k = 0; k < 384; ++k) data.bits(static_cast<std::uint64_t>(base + draw(56)), 8);
    if (encoder) {
      encoder->restart();
      encoder->terminate(address + 1 == count);
    }
  }
}

// Two I pictures, and three B pictures between them whose macroblocks are of random partitions and
// vectors.
std::vector<std::uint8_t> weighted_bipredicted_stream(unsigned seed, bool is_cabac,
                                                      int weighted_bipred_idc) {
  const Draw draw(seed);
  SequenceParameters sequence;
  sequence.profile = 77;
  sequence.level = 30;
  sequence.log2_max_picture_order = 8;
  sequence.max_reference_frames = 2;
  sequence.max_reorder_frames = 1;
  sequence.max_decoded_frames = 3;
  sequence.width_in_macroblocks = 1 + draw(4);
  sequence.height_in_macroblocks = 1 + draw(3);
  sequence.direct_8x8_inference = true;
  PictureParameters picture;
  picture.is_cabac = is_cabac;
  picture.weighted_bi_prediction = weighted_bipred_idc;
  h264::StreamWriter writer(sequence, picture);
  for (int n = 0; n < 2; ++n) {
    writer.add_slice(header_of(SliceType::kI, 1, n, 8 * n),
                     [&](BitWriter& data) { write_noise(data, draw, sequence, picture); });
  }
  for (const int order : {2, 4, 6}) {
    SliceHeader header = header_of(SliceType::kB, 0, 2, order);
    header.is_direct_spatial = true;
    header.reference_counts[0] = header.reference_counts[1] = 1;
    draw_weights(draw, header);
    std::vector<InterMacroblock> macroblocks(static_cast<std::size_t>(sequence.macroblock_count()));
    for (InterMacroblock& macroblock : macroblocks) {
      macroblock = draw_inter_macroblock(SliceType::kB, draw);
      const auto component = [&] { return static_cast<std::int16_t>(draw(65) - 32); };
      macroblock.draw_differences([&] { return h264::MotionVector{component(), component()}; });
    }
    const h264::InterSliceWriter slice(SliceType::kB, sequence.width_in_macroblocks, macroblocks);
    writer.add_slice(header, [&](BitWriter& data) {
      if (is_cabac) {
        slice.write_cabac(data, header.cabac_table, header.qp);
      } else {
        slice.write_cavlc(data);
      }
    });
  }
  return writer.bytes();
}

void expect_equal_bipredictions(bool is_cabac) {
  SeededRandom random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto seed = static_cast<unsigned>(random());
    SCOPED_TRACE(testing::Message() << "weighted_bipredicted_stream(" << seed << ")");
    const std::vector<std::uint8_t> stream = weighted_bipredicted_stream(seed, is_cabac, 1);
    const ComparedDecisions compared = expect_equal(stream);
    EXPECT_EQ(compared.pictures, 5);
    EXPECT_GE(compared.predicted_blocks, 3 * 4);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(WrittenTools, ExplicitWeightsOfBAreEqualInCavlc) { expect_equal_bipredictions(false); }

TEST(WrittenTools, ExplicitWeightsOfBAreEqualInCabac) { expect_equal_bipredictions(true); }

// The same decisions without weights are other pictures.
TEST(WrittenTools, WeightsOfBCount) {
  constexpr unsigned kSeed = 1;
  const H264Peer peer(weighted_bipredicted_stream(kSeed, false, 0));
  EXPECT_THROW(check_samples(weighted_bipredicted_stream(kSeed, false, 1), peer), Error);
}

// Random I and P pictures, and two B pictures before the last one whose macroblocks are all
// skipped: their references and vectors are those of direct prediction.
std::vector<std::uint8_t> direct_stream(unsigned seed, bool is_cabac, bool is_spatial) {
  const Draw draw(seed);
  const int step = 3 + draw(13);  // The step of the order counts.
  h264::WrittenStream stream = h264::decodable_stream(seed, is_cabac);
  // libavcodec keeps the reference lists of one slice of a picture.
  while (stream.pictures.back().slices.size() != 1) {
    stream = h264::decodable_stream(++seed, is_cabac);
  }
  SequenceParameters& sequence = stream.sequence;
  const int last = static_cast<int>(stream.pictures.size()) - 1;
  sequence.picture_order_type = 0;
  sequence.log2_max_picture_order = 8;
  // All references of the last P picture are still references when the B pictures come.
  sequence.max_reference_frames += 1;
  sequence.max_reorder_frames = 1;
  sequence.max_decoded_frames = sequence.max_reference_frames + 1;
  stream.parameters.weighted_bi_prediction = draw(3);
  for (int n = 0; n <= last; ++n) {
    for (SliceHeader& header : stream.pictures[static_cast<std::size_t>(n)].slices) {
      header.picture_order_lsb = step * n;
    }
  }
  stream.write();
  for (const int order : {step * last - 2 - draw(step - 2), step * last - 1}) {
    SliceHeader header = header_of(SliceType::kB, 0, last + 1, order);
    header.is_direct_spatial = is_spatial;
    const int references = std::min(sequence.max_reference_frames, last + 1);
    header.reference_counts[0] = references;
    header.reference_counts[1] = 1;
    header.deblocking = draw(3);
    header.cabac_table = draw(3);
    draw_weights(draw, header);
    BitWriter data;
    write_slice_header(data, header, sequence, stream.parameters);
    if (is_cabac) {
      CabacEncoder encoder(data, SliceType::kB, header.cabac_table, header.qp);
      for (int address = 0; address < sequence.macroblock_count(); ++address) {
        encoder.bin(24, true);  // mb_skip_flag; neighbours are skipped or missing.
        encoder.terminate(address + 1 == sequence.macroblock_count());
      }
      data.align();
    } else {
      data.ue(static_cast<std::uint32_t>(sequence.macroblock_count()));
      data.trailing_bits();
    }
    h264::append_nal_unit(h264::make_nal_unit(0, 1, data.bytes()), stream.bytes);
  }
  return stream.bytes;
}

void expect_equal_directs(bool is_cabac, bool is_spatial) {
  SeededRandom random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto seed = static_cast<unsigned>(random());
    SCOPED_TRACE(testing::Message() << "direct_stream(" << seed << ")");
    const ComparedDecisions compared = expect_equal(direct_stream(seed, is_cabac, is_spatial));
    EXPECT_EQ(compared.pictures, 8);
    EXPECT_GE(compared.predicted_blocks, 2 * 4 * 2);  // Two pictures, both lists of each block.
    if (testing::Test::HasFailure()) return;
  }
}

TEST(WrittenTools, TemporalDirectIsEqualInCavlc) { expect_equal_directs(false, false); }

TEST(WrittenTools, TemporalDirectIsEqualInCabac) { expect_equal_directs(true, false); }

TEST(WrittenTools, SpatialDirectIsEqualInCabac) { expect_equal_directs(true, true); }

// Pictures whose frame_num has gaps that the sequence allows. Each P picture refers to one that is
// there. With order type 1 some are no references, and are shown before the one in front of them.
std::vector<std::uint8_t> stream_with_gaps(unsigned seed, int picture_order_type) {
  constexpr int kReferences = 4;
  constexpr int kPictures = 40;  // frame_num has four bits, and wraps several times.
  const Draw draw(seed);
  SequenceParameters sequence;
  sequence.profile = 77;
  sequence.level = 30;
  sequence.picture_order_type = picture_order_type;
  sequence.offset_for_non_reference = -6;
  sequence.offsets_for_reference_frames = {4, 6, 2};
  sequence.max_reference_frames = kReferences;
  sequence.max_reorder_frames = 2;
  sequence.max_decoded_frames = kReferences + 2;
  sequence.gaps_in_frame_number_allowed = true;
  sequence.width_in_macroblocks = 2;
  sequence.height_in_macroblocks = 2;
  sequence.direct_8x8_inference = true;
  const PictureParameters picture = {};
  h264::StreamWriter writer(sequence, picture);
  std::vector<bool> window;  // True for a picture that is there; the newest first.
  int frame_number = 0;
  bool was_reference = true;
  for (int n = 0; n < kPictures; ++n) {
    // libavcodec counts neither the wraps of frame_num inside of gaps nor, behind a picture that is
    // no reference, all pictures of a gap.
    const bool may_have_gap = frame_number % 16 != 0 && was_reference;
    const int most_missing = may_have_gap ? 15 - frame_number % 16 : 0;
    const bool is_reference = n == 0 || !was_reference || picture_order_type == 2 || draw(3) != 0;
    was_reference = is_reference;
    for (int missing = std::min(draw(4), most_missing); missing > 0; --missing) {
      window.insert(window.begin(), false);
      ++frame_number;
    }
    window.resize(std::min<std::size_t>(window.size(), kReferences));
    const auto references = static_cast<int>(window.size());
    const bool has_reference = std::ranges::count(window, true) > 0;
    SliceHeader header = header_of(has_reference ? SliceType::kP : SliceType::kI,
                                   is_reference ? 1 : 0, frame_number % 16, 0);
    header.nal_unit_type = n == 0 ? 5 : 1;
    if (has_reference) {
      header.reference_counts[0] = references;
      writer.add_slice(header, [&](BitWriter& data) {
        for (int macroblock = 0; macroblock < 4; ++macroblock) {
          int index = draw(references);
          while (!window[static_cast<std::size_t>(index)]) index = draw(references);
          h264::write_inter(data, references, index, draw(33) - 16, draw(33) - 16);
        }
      });
    } else {
      writer.add_slice(header,
                       [&](BitWriter& data) { write_noise(data, draw, sequence, picture); });
    }
    if (is_reference) {
      window.insert(window.begin(), true);
      window.resize(std::min<std::size_t>(window.size(), kReferences));
      ++frame_number;
    }
  }
  return writer.bytes();
}

void expect_equal_gaps(int picture_order_type) {
  SeededRandom random;
  for (int trial = 0; trial < kTrials; ++trial) {
    const auto seed = static_cast<unsigned>(random());
    SCOPED_TRACE(testing::Message()
                 << "stream_with_gaps(" << seed << ", " << picture_order_type << ")");
    const ComparedDecisions compared = expect_equal(stream_with_gaps(seed, picture_order_type));
    EXPECT_EQ(compared.pictures, 40);
    EXPECT_GT(compared.predicted_blocks, 0);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(WrittenTools, GapsInFrameNumbersAreEqualWithOrderType1) { expect_equal_gaps(1); }

TEST(WrittenTools, GapsInFrameNumbersAreEqualWithOrderType2) { expect_equal_gaps(2); }

}  // namespace
}  // namespace millrace::tools
