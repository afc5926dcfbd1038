// SPDX-License-Identifier: Apache-2.0

// Writes small byte streams from syntax elements, for tests.
//
//   StreamWriter writer(sequence, picture);
//   writer.add_slice(header, [](BitWriter& data) { write_pcm(data, 40); });
//   decode(writer.bytes());
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_TESTING_STREAM_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_TESTING_STREAM_WRITER_H_

#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>
#include <millrace/algorithms/h264/bitstream/writers/syntax_writer.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/slice.h>

#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

// A byte stream (Annex B) of one sequence and one picture parameter set.
class StreamWriter {
 public:
  StreamWriter(const SequenceParameters& sequence, const PictureParameters& picture)
      : sequence_(sequence), picture_(picture) {
    add_unit(sequence_nal_unit(sequence));
    add_unit(picture_nal_unit(picture));
  }

  void add_unit(std::span<const std::uint8_t> unit) { append_nal_unit(unit, bytes_); }

  // Adds a slice whose slice_data() `write_data` writes, up to the trailing bits, which follow
  // unless the slice is of CABAC: its last bit is the stop bit. `zero_words` cabac_zero_words come
  // last.
  template <class WriteData>
  void add_slice(const SliceHeader& header, const WriteData& write_data, int zero_words = 0) {
    BitWriter writer;
    write_slice_header(writer, header, sequence_, picture_);
    write_data(writer);
    if (!picture_.is_cabac) writer.bits(1, 1);
    writer.align();
    for (int word = 0; word < zero_words; ++word) writer.bits(0, 16);
    add_unit(make_nal_unit(header.nal_reference, header.nal_unit_type, writer.bytes()));
  }

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  SequenceParameters sequence_;
  PictureParameters picture_;
  std::vector<std::uint8_t> bytes_;
};

// Writes the samples of I_PCM, behind pcm_alignment_zero_bits: all are `sample`.
inline void write_pcm_samples(BitWriter& writer, int sample) {
  while (writer.position() % 8 != 0) writer.bits(0, 1);
  for (int k = 0; k < 384; ++k) writer.bits(static_cast<std::uint64_t>(sample), 8);
}

// Writes a CAVLC macroblock of an I slice: I_PCM of one grey.
inline void write_pcm(BitWriter& writer, int sample) {
  writer.ue(25);  // mb_type
  write_pcm_samples(writer, sample);
}

// Writes a CAVLC macroblock of a P slice of `references` active ones: P_L0_16x16 without residual.
inline void write_inter(BitWriter& writer, int references, int reference, int difference_x,
                        int difference_y) {
  writer.ue(0);                                      // mb_skip_run
  writer.ue(0);                                      // mb_type
  if (references == 2) writer.flag(reference == 0);  // te(v) of range 1 is inverted.
  if (references > 2) writer.ue(static_cast<std::uint32_t>(reference));
  writer.se(difference_x);
  writer.se(difference_y);
  writer.ue(0);  // coded_block_pattern 0
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_TESTING_STREAM_WRITER_H_
