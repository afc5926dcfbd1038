// SPDX-License-Identifier: Apache-2.0

// A small stream whose features follow from the syntax elements that are written here.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_KNOWN_STREAM_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_KNOWN_STREAM_H_

#include <millrace/algorithms/h264/stream/testing/stream_writer.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::tools {

// Three pictures of 3 x 5 macroblocks, one slice each:
//
// 0. IDR, QP 26: Intra16x16 of DC prediction. Macroblocks of the first and the last row have no
//    coefficients. The others have one level of 1 for the DC of luma, which the Hadamard transform
//    spreads to the DC of all 16 blocks.
// 1. P: the first row is skipped with QP 40. Macroblocks 3 and 4 are P16x16 with QP 30, of vectors
//    (6, -8) and (10, 24), which are predicted as (0, 0). Macroblock 3 has one coefficient. The
//    other ones are skipped with QP 30.
// 2. P: all macroblocks are skipped with QP 26.
//
// Vectors of skipped macroblocks are zero: at the left and the upper edge by rule, others since a
// neighbour's is (ITU-T H.264, clause 8.4.1.1).
struct KnownStream {
  static constexpr int kColumns = 3;
  static constexpr int kRows = 5;
  static constexpr int kMacroblocks = kColumns * kRows;
  static constexpr int kPictures = 3;

  std::vector<std::uint8_t> bytes;
  std::vector<std::size_t> picture_bytes;  // The parameter sets are part of the first one.
};

namespace known_stream {

using h264::BitWriter;

// Writes a block whose nC is 0 or 1 (Table 9-5): one coefficient of level 1, the first one.
inline void write_one_coefficient(BitWriter& data) {
  data.bits(1, 2);  // coeff_token: one coefficient, a trailing one.
  data.bits(0, 1);  // Its sign is +.
  data.bits(1, 1);  // total_zeros 0
}

inline void write_no_coefficient(BitWriter& data) { data.bits(1, 1); }

inline void write_intra_picture(BitWriter& data) {
  for (int row = 0; row < KnownStream::kRows; ++row) {
    for (int column = 0; column < KnownStream::kColumns; ++column) {
      data.ue(3);  // mb_type I_16x16_2_0_0
      data.ue(0);  // intra_chroma_pred_mode
      data.se(0);  // mb_qp_delta
      if (row == 0 || row == KnownStream::kRows - 1) {
        write_no_coefficient(data);
      } else {
        write_one_coefficient(data);
      }
    }
  }
}

inline void write_moving_picture(BitWriter& data) {
  data.ue(KnownStream::kColumns);  // mb_skip_run
  data.ue(0);                      // mb_type P_L0_16x16
  data.se(6);
  data.se(-8);
  data.ue(2);    // coded_block_pattern 1 of an inter macroblock (Table 9-4).
  data.se(-10);  // mb_qp_delta
  write_one_coefficient(data);
  for (int block = 1; block < 4; ++block) write_no_coefficient(data);
  h264::write_inter(data, 1, 0, 10, 24);
  data.ue(KnownStream::kMacroblocks - 5);
}

}  // namespace known_stream

inline KnownStream known_stream_of_three_pictures() {
  h264::SequenceParameters sequence;
  sequence.profile = 66;
  sequence.level = 30;
  sequence.picture_order_type = 2;
  sequence.max_reference_frames = 1;
  sequence.width_in_macroblocks = KnownStream::kColumns;
  sequence.height_in_macroblocks = KnownStream::kRows;
  sequence.direct_8x8_inference = true;
  h264::StreamWriter writer(sequence, {});
  KnownStream stream;
  std::size_t begin = 0;
  const auto end_picture = [&] {
    stream.picture_bytes.push_back(writer.bytes().size() - begin);
    begin = writer.bytes().size();
  };

  h264::SliceHeader intra;
  intra.nal_unit_type = 5;
  intra.nal_reference = 1;
  writer.add_slice(intra, known_stream::write_intra_picture);
  end_picture();

  h264::SliceHeader inter;
  inter.type = h264::SliceType::kP;
  inter.nal_reference = 1;
  inter.reference_counts[0] = 1;
  inter.frame_number = 1;
  inter.qp = 40;
  writer.add_slice(inter, known_stream::write_moving_picture);
  end_picture();

  inter.frame_number = 2;
  inter.qp = 26;
  writer.add_slice(inter, [](h264::BitWriter& data) { data.ue(KnownStream::kMacroblocks); });
  end_picture();
  stream.bytes = writer.bytes();
  return stream;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_KNOWN_STREAM_H_
