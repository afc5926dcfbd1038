// SPDX-License-Identifier: Apache-2.0

// Parser of the H.264 headers that show lost pictures.
#ifndef MILLRACE_TOOLS_VIDEO_DECODER_H264_HEADERS_H_
#define MILLRACE_TOOLS_VIDEO_DECODER_H264_HEADERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>

namespace millrace::tools {

// Syntax elements of ITU-T H.264, 7.3. Keeps the parameter sets of the stream so far. Knows both
// the byte stream format (Annex B) and units behind their length (ISO/IEC 14496-15). Used by one
// thread at a time.
class H264Headers {
 public:
  struct Picture {
    int frame_num = 0;
    int max_frame_num = 16;  // frame_num counts modulo this.
    bool is_idr = false;
    bool is_reference = false;
    bool is_field = false;
    bool is_bottom_field = false;
    bool allows_gaps = false;  // Numbers may be skipped although nothing is lost.
  };

  // `extradata`: parameter sets beside the stream, as FFmpeg keeps them; may be empty.
  explicit H264Headers(std::span<const std::uint8_t> extradata);

  // Returns the picture whose slices a packet has; nothing if no slice can be read.
  std::optional<Picture> read(std::span<const std::uint8_t> packet);

 private:
  class Bits;
  struct SequenceSet {
    int frame_num_bits = 4;
    bool allows_gaps = false;
    bool has_colour_planes = false;
    bool is_frames_only = true;
  };

  void read_units(std::span<const std::uint8_t> bytes, std::optional<Picture>& picture);
  void read_unit(std::span<const std::uint8_t> unit, std::optional<Picture>& picture);
  void read_sequence_set(Bits& bits);
  void read_picture_set(Bits& bits);
  std::optional<Picture> read_slice(Bits& bits, int unit_type, int reference) const;

  int length_bytes_ = 0;                       // Bytes of a unit's length; 0: byte stream.
  std::map<unsigned, SequenceSet> sequences_;  // Indexed by seq_parameter_set_id.
  std::map<unsigned, unsigned> pictures_;      // Sequence sets by pic_parameter_set_id.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_DECODER_H264_HEADERS_H_
