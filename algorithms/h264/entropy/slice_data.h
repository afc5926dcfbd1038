// SPDX-License-Identifier: Apache-2.0

// Parses the macroblocks of a slice (ITU-T H.264 clauses 7.3.4 and 7.3.5), coded by CAVLC or CABAC.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_DATA_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_DATA_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::h264 {

struct SliceEnd {
  int macroblocks = 0;           // Number parsed, from first_macroblock on, in raster order.
  const char* damage = nullptr;  // Null: the slice ends exactly at its trailing bits.
  std::size_t bit = 0;           // The bit where parsing ended, counted from the payload's first.
  std::size_t coefficients = 0;  // Number appended to the picture's.
};

// Parses slice `slice` of `picture`, whose header, reference lists and parameter sets are filled
// in. `payload` is the whole raw byte sequence payload without emulation prevention bytes, from
// which slice_data() begins at bit `first_bit`. Writes the slice's macroblocks, which may have any
// contents before but the type kLost, and where `picture.coefficients` is not empty, appends theirs
// to it; and nothing else. A macroblock that another slice of the picture has already is damage.
// Never reads or writes outside its arguments, whatever the payload says.
SliceEnd parse_slice_data(ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
                          std::size_t first_bit);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_SLICE_DATA_H_
