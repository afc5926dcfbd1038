// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/measured_picture_maker.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace millrace::h264 {
namespace {

std::int32_t clamp_to_32_bits(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::min<std::int64_t>(value, std::numeric_limits<std::int32_t>::max()));
}

MeasuredReference measured(const ParsedPicture& picture, const Reference& reference, int step) {
  if (reference.picture < 0) return {};
  const std::int64_t order =
      std::abs(std::int64_t{picture.picture_order} - reference.picture_order);
  const std::int64_t twice = std::max<std::int64_t>(2, 2 / step * order);
  return {.vector_scale = 1 / static_cast<double>(twice),
          .twice_output_distance = clamp_to_32_bits(twice),
          .decoding_distance =
              clamp_to_32_bits(std::max<std::int64_t>(1, picture.id - reference.picture))};
}

}  // namespace

void append_references(const ParsedPicture& picture, const Slice& slice, int picture_order_step,
                       std::vector<MeasuredReference>& references) {
  for (const auto& list : slice.references) {
    for (const Reference& reference : list) {
      references.push_back(measured(picture, reference, picture_order_step));
    }
  }
}

MeasuredPicture MeasuredPictureMaker::make(const ParsedPicture& picture, int picture_order_step) {
  references_.clear();
  for (const Slice& slice : picture.slices) {
    append_references(picture, slice, picture_order_step, references_);
  }
  slices_.clear();
  const MeasuredReference* references = references_.data();
  for (const Slice& slice : picture.slices) {
    MeasuredSlice& measured = slices_.emplace_back();
    measured.type = slice.header.type;
    measured.coefficients = picture.coefficients.list().data();
    for (int list = 0; list < 2; ++list) {
      const std::size_t count = slice.references[list].size();
      measured.counts[list] = static_cast<std::int32_t>(count);
      measured.references[list] = references;
      references += count;
    }
  }

  const std::size_t count = picture.macroblocks.size();
  const SequenceParameters* const sequence = picture.sequence.get();
  const bool has_size = sequence != nullptr && sequence->width_in_macroblocks > 0 &&
                        static_cast<std::size_t>(sequence->macroblock_count()) == count;
  const bool has_coefficients = count > 0 && picture.coefficients.size() == count;
  return {.macroblocks = picture.macroblocks.data(),
          .ranges = has_coefficients ? picture.coefficients.ranges().data() : nullptr,
          .slices = slices_.data(),
          .slice_count = static_cast<std::int32_t>(slices_.size()),
          .width = has_size ? sequence->width_in_macroblocks : static_cast<std::int32_t>(count),
          .height = has_size ? sequence->height_in_macroblocks : 1};
}

}  // namespace millrace::h264
