// SPDX-License-Identifier: Apache-2.0

// The coded data of one slice, and its parser for hosts and devices.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_SLICE_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_SLICE_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_reader.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_reader.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>
#include <millrace/algorithms/h264/entropy/coefficient_bound.h>
#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/entropy/slice_parser.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Tables of both entropy codes. Not owned.
struct EntropyTables {
  const CabacTables* cabac;
  const CavlcTables* cavlc;
};

// Pointers are not owned.
struct CodedSlice {
  SliceParameters parameters;
  const std::uint8_t* payload = nullptr;  // Has no emulation prevention bytes.
  std::size_t payload_bytes = 0;
  std::size_t first_bit = 0;  // The first one of slice_data().
  std::size_t end = 0;        // Bit of rbsp_stop_one_bit, after first_bit.
  bool is_cabac = false;
  int cabac_table = 0;  // cabac_init_idc
};

// Returns most_coefficients() of the slice.
MILLRACE_FUNCTION inline std::size_t most_coefficients_of(const CodedSlice& slice) {
  const SliceParameters& parameters = slice.parameters;
  const auto left =
      static_cast<std::size_t>(parameters.width * parameters.height - parameters.first_macroblock);
  return most_coefficients(8 * slice.payload_bytes, left);
}

// Parses a slice that SliceInputMaker has checked; see parse_slice_data().
MILLRACE_FUNCTION inline SliceEnd parse(const CodedSlice& slice, const EntropyTables& tables) {
  if (slice.is_cabac) {
    CabacReader reader(*tables.cabac, slice.payload, slice.payload_bytes, slice.first_bit,
                       {.type = slice.parameters.type,
                        .cabac_table = slice.cabac_table,
                        .qp = slice.parameters.qp});
    return SliceParser<CabacReader>(slice.parameters, reader, slice.first_bit, slice.end).parse();
  }
  CavlcReader reader(*tables.cavlc, slice.payload, slice.payload_bytes, slice.first_bit);
  return SliceParser<CavlcReader>(slice.parameters, reader, slice.first_bit, slice.end).parse();
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_CODED_SLICE_H_
