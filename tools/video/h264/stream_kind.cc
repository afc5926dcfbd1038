// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_reader.h>
#include <millrace/tools/video/h264/stream_kind.h>

#include <cstddef>

namespace millrace::tools {
namespace {

// Other video codecs have start codes as well: MPEG-1 and MPEG-2 set the first bit, MPEG-4 begins
// with type 0, and HEVC's header of two bytes has types that H.264 would not begin with.
bool is_first_unit(unsigned char header, unsigned char next) {
  const int type = header & 31;
  const int reference = header >> 5 & 3;
  if (header >> 7 != 0) return false;
  switch (type) {
    case 1: return true;
    case 2:
    case 3:
    case 4: return next != 1;  // HEVC: layer 0, temporal id 1.
    case 5:
    case 7:
    case 8:
    case 15: return reference != 0;
    case 6:
    case 9:
    case 10:
    case 11:
    case 12: return reference == 0;
    case 14:
    case 20: return true;
    default: return false;
  }
}

bool begins_as_byte_stream(std::string_view head) {
  std::size_t zeros = 0;
  while (zeros < head.size() && head[zeros] == '\0') ++zeros;
  if (zeros < 2 || zeros + 1 >= head.size() || head[zeros] != '\1') return false;
  const auto unit = static_cast<unsigned char>(head[zeros + 1]);
  // Only the ends of a sequence and of a stream have no byte behind this one.
  if (zeros + 2 == head.size()) return unit == 10 || unit == 11;
  return is_first_unit(unit, static_cast<unsigned char>(head[zeros + 2]));
}

}  // namespace

StreamKind stream_kind(std::string_view head) {
  if (begins_as_byte_stream(head)) return StreamKind::kByteStream;
  if (h264::begins_as_capture(head)) return StreamKind::kCapture;
  return StreamKind::kContainer;
}

}  // namespace millrace::tools
