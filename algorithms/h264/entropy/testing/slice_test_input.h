// SPDX-License-Identifier: Apache-2.0

// Small pictures with one slice, for tests of parse_slice_data().
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_SLICE_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_SLICE_TEST_INPUT_H_

#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/parsed_picture.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace millrace::h264 {

// A picture of `width` x `height` macroblocks with flat scaling lists, whose slice of `type` begins
// at macroblock 0 with QP 28.
struct SliceTestInput {
  SliceTestInput(int width, int height, SliceType type, bool is_cabac)
      : sequence(std::make_shared<SequenceParameters>()),
        parameters(std::make_shared<PictureParameters>()) {
    sequence->width_in_macroblocks = width;
    sequence->height_in_macroblocks = height;
    sequence->direct_8x8_inference = true;
    parameters->is_cabac = is_cabac;
    std::fill_n(&parameters->scaling.lists_4x4[0][0], 6 * 16, std::uint8_t{16});
    std::fill_n(&parameters->scaling.lists_8x8[0][0], 2 * 64, std::uint8_t{16});
    picture.sequence = sequence;
    picture.picture_parameters = {parameters};
    picture.slices.resize(1);
    picture.macroblocks.resize(static_cast<std::size_t>(width * height));
    picture.coefficients.reset(picture.macroblocks.size());
    SliceHeader& header = picture.slices[0].header;
    header.type = type;
    header.qp = 28;
    header.reference_counts[0] = type == SliceType::kI ? 0 : 1;
    header.reference_counts[1] = type == SliceType::kB ? 1 : 0;
    for (int list = 0; list < 2; ++list) {
      picture.slices[0].references[list].resize(
          static_cast<std::size_t>(header.reference_counts[list]));
    }
  }

  SliceHeader& header() { return picture.slices[0].header; }
  Macroblock& macroblock(int address) {
    return picture.macroblocks[static_cast<std::size_t>(address)];
  }
  MacroblockCoefficients coefficients(int address) const {
    MacroblockCoefficients dense;
    expand(picture.coefficients.of(static_cast<std::size_t>(address)), dense);
    return dense;
  }

  SliceEnd parse(std::span<const std::uint8_t> payload, std::size_t first_bit = 0) {
    std::fill(picture.macroblocks.begin(), picture.macroblocks.end(), Macroblock{});
    picture.coefficients.reset(picture.macroblocks.size());
    return parse_slice_data(picture, 0, payload, first_bit);
  }

  std::shared_ptr<SequenceParameters> sequence;
  std::shared_ptr<PictureParameters> parameters;
  ParsedPicture picture;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TESTING_SLICE_TEST_INPUT_H_
