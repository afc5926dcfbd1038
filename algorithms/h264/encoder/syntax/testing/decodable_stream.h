// SPDX-License-Identifier: Apache-2.0

// Random streams that any decoder of their profile and level decodes to the same pictures, for
// tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_DECODABLE_STREAM_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_DECODABLE_STREAM_H_

#include <millrace/algorithms/h264/encoder/syntax/testing/legal_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/random_levels.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/random_pictures.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/written_stream.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace millrace::h264 {

// Finds the macroblocks of more bits than a stream may have: 128 + RawMbBits (clause A.3.1).
class LongMacroblocks : public PictureSink {
 public:
  explicit LongMacroblocks(const WrittenStream& stream) {
    StreamParser parser(*this);
    push_stream(stream.bytes, parser);
  }

  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    constexpr std::uint32_t kMostBits = 128 + 384 * 8;
    for (std::size_t address = 0; address < picture->macroblocks.size(); ++address) {
      const Macroblock& macroblock = picture->macroblocks[address];
      const auto bits = std::accumulate(std::begin(macroblock.bits), std::end(macroblock.bits), 0U);
      if (bits > kMostBits) positions.emplace_back(picture_, address);
    }
    ++picture_;
  }
  void fault(const StreamFault&) override {}

  std::vector<std::pair<std::size_t, std::size_t>> positions;  // Picture and address.

 private:
  std::size_t picture_ = 0;
};

// Returns an IDR picture and five others of level 2.2, which has no limit on the number of vectors.
// All else is random: cropping, slices and how they are deblocked, the order of references,
// weights, QPs, and what write_slice_test.cc draws.
inline WrittenStream decodable_stream(unsigned seed, bool is_cabac) {
  constexpr int kPictures = 6;
  std::mt19937 random(seed);
  RandomLevels levels(random, 1);
  WrittenStream stream;
  SequenceParameters& sequence = stream.sequence;
  sequence.profile = 100;
  sequence.level = 22;
  sequence.log2_max_frame_number = 8;
  sequence.picture_order_type = 2;
  sequence.max_reference_frames = 1 + levels.below(4);
  sequence.width_in_macroblocks = 1 + levels.below(6);
  sequence.height_in_macroblocks = 1 + levels.below(5);
  sequence.direct_8x8_inference = true;
  for (int* const crop :
       {&sequence.crop_left, &sequence.crop_right, &sequence.crop_top, &sequence.crop_bottom}) {
    if (levels.chance(2)) *crop = 2 * levels.below(4);
  }
  PictureParameters& parameters = stream.parameters;
  parameters.is_cabac = is_cabac;
  parameters.initial_qp = levels.below(52);
  parameters.chroma_qp_offsets[0] = levels.below(25) - 12;
  parameters.chroma_qp_offsets[1] = levels.below(25) - 12;
  parameters.has_8x8_transform = levels.chance(2);
  parameters.has_constrained_intra_prediction = levels.chance(2);
  parameters.has_deblocking_control = true;
  parameters.has_weighted_prediction = levels.chance(3);
  RandomPictures pictures(seed + 1, sequence, parameters, true);
  for (int number = 0; number < kPictures; ++number) {
    stream.pictures.push_back(pictures.draw(number));
  }
  for (;;) {
    stream.write();
    const LongMacroblocks too_long(stream);
    if (too_long.positions.empty()) return stream;
    for (const auto& [number, address] : too_long.positions) {
      RandomPicture& picture = stream.pictures[number];
      levels.thin(picture.levels[address]);
      LegalLevels(levels).apply(picture.macroblocks[address], picture.levels[address]);
    }
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_DECODABLE_STREAM_H_
