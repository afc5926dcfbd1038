// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/slice_input_maker.h>

namespace millrace::h264 {

SliceEnd parse_slice_data(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
                          std::size_t first_bit) {
  if (picture.macroblocks.empty()) return {0, kNoMacroblocks, first_bit};
  thread_local SliceInputMaker maker;
  SliceInputMaker::Input input = maker.make(picture, slice, payload, first_bit);
  if (input.damage != nullptr) return {0, input.damage, first_bit};
  SliceParameters& parameters = input.slice.parameters;
  const std::size_t before = picture.coefficients.list().size();
  if (picture.coefficients.are_wanted()) {
    parameters.coefficient_capacity = most_coefficients_of(input.slice);
    parameters.coefficients = picture.coefficients.extend(parameters.coefficient_capacity);
    parameters.coefficient_ranges = picture.coefficients.ranges().data();
    parameters.first_coefficient = static_cast<std::uint32_t>(before);
  }
  const SliceEnd parsed = parse(input.slice, {&kCabacTables, &kCavlcTables});
  picture.coefficients.shorten(before + parsed.coefficients);
  return parsed;
}

}  // namespace millrace::h264
