// SPDX-License-Identifier: Apache-2.0

// Random pictures and the byte stream that is written of them, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_WRITTEN_STREAM_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_WRITTEN_STREAM_H_

#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/encoder/syntax/testing/random_pictures.h>
#include <millrace/algorithms/h264/encoder/syntax/write_slice.h>
#include <millrace/algorithms/h264/parameter_sets.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace millrace::h264 {

struct WrittenStream {
  SequenceParameters sequence;
  PictureParameters parameters;
  std::vector<RandomPicture> pictures;
  std::vector<std::uint8_t> bytes;

  // Writes `bytes` from the other members.
  void write() {
    bytes.clear();
    append_nal_unit(sequence_nal_unit(sequence), bytes);
    append_nal_unit(picture_nal_unit(parameters), bytes);
    for (const RandomPicture& picture : pictures) {
      for (std::size_t slice = 0; slice < picture.slices.size(); ++slice) {
        const SliceMacroblocks input = {picture.macroblocks.data(), picture.levels.data(),
                                        picture.counts[slice]};
        append_nal_unit(write_slice(picture.slices[slice], sequence, parameters, input), bytes);
      }
    }
  }
};

// Returns an IDR picture and `more` others that refer to it and to each other.
inline WrittenStream random_stream(unsigned seed, bool is_cabac, int more = 3) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<int>(random() % bound); };
  WrittenStream stream;
  SequenceParameters& sequence = stream.sequence;
  sequence.profile = 100;
  sequence.level = 51;
  sequence.log2_max_frame_number = 8;
  sequence.picture_order_type = 2;
  sequence.max_reference_frames = 16;
  sequence.width_in_macroblocks = 1 + below(7);
  sequence.height_in_macroblocks = 1 + below(5);
  sequence.direct_8x8_inference = true;
  PictureParameters& parameters = stream.parameters;
  parameters.is_cabac = is_cabac;
  parameters.initial_qp = below(52);
  parameters.chroma_qp_offsets[0] = below(25) - 12;
  parameters.chroma_qp_offsets[1] = below(25) - 12;
  parameters.has_8x8_transform = below(2) == 0;
  parameters.has_constrained_intra_prediction = below(2) == 0;
  RandomPictures pictures(seed + 1, sequence, parameters);
  for (int number = 0; number <= more; ++number) stream.pictures.push_back(pictures.draw(number));
  stream.write();
  return stream;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SYNTAX_TESTING_WRITTEN_STREAM_H_
