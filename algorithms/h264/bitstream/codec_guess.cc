// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/codec_guess.h>

#include <bit>

namespace millrace::h264 {
namespace {

// Kinds of units, recognized by their first bytes. Several units together name a codec.
enum Sign : std::uint32_t {
  // H.265 clause 7.3.1.2: types 32 to 34, layer 0, temporal id 0.
  kHevcVideo = 1 << 0,
  kHevcSequence = 1 << 1,
  kHevcPicture = 1 << 2,
  // H.266 clause 7.3.1.2: types 14 to 16, layer 0, temporal id 0.
  kVvcVideo = 1 << 3,
  kVvcSequence = 1 << 4,
  kVvcPicture = 1 << 5,
  // H.262 Table 6-1; MPEG-1 has no extensions.
  kMpegSequence = 1 << 6,
  kMpegExtension = 1 << 7,
  kMpegSlice = 1 << 8,
  // ISO/IEC 14496-2 Table 6-3.
  kMpeg4Sequence = 1 << 9,
  kMpeg4Layer = 1 << 10,
  kMpeg4Plane = 1 << 11,
  // ISO/IEC 13818-1 Table 2-33.
  kProgramPack = 1 << 12,
};

std::uint32_t sign_of_pair(int first, int second) {
  switch (first << 8 | second) {
    case 0x4001: return kHevcVideo;
    case 0x4201: return kHevcSequence;
    case 0x4401: return kHevcPicture;
    case 0x0071: return kVvcVideo;
    case 0x0079: return kVvcSequence;
    case 0x0081: return kVvcPicture;
    default: return 0;
  }
}

std::uint32_t sign_of_start_code(int first) {
  switch (first) {
    case 0x01: return kMpegSlice;
    case 0xb0: return kMpeg4Sequence;
    case 0xb3: return kMpegSequence;
    case 0xb5: return kMpegExtension;
    case 0xb6: return kMpeg4Plane;
    case 0xba: return kProgramPack;
    default: return first >= 0x20 && first <= 0x2f ? std::uint32_t{kMpeg4Layer} : 0U;
  }
}

}  // namespace

void CodecGuess::add(std::span<const std::uint8_t> unit) {
  if (unit.empty()) return;
  seen_ |= sign_of_start_code(unit[0]);
  if (unit.size() > 1) seen_ |= sign_of_pair(unit[0], unit[1]);
}

const char* CodecGuess::name() const {
  const auto count = [this](std::uint32_t signs) { return std::popcount(seen_ & signs); };
  if (count(kHevcVideo | kHevcSequence | kHevcPicture) >= 2) return "HEVC (H.265)";
  if (count(kVvcVideo | kVvcSequence | kVvcPicture) >= 2) return "VVC (H.266)";
  if (count(kProgramPack) == 1) return "an MPEG program stream";
  if (count(kMpegSequence | kMpegSlice) == 2) {
    return count(kMpegExtension) == 1 ? "MPEG-2 video" : "MPEG-1 video";
  }
  if (count(kMpeg4Plane) == 1 && count(kMpeg4Sequence | kMpeg4Layer) >= 1) return "MPEG-4 Visual";
  return nullptr;
}

}  // namespace millrace::h264
