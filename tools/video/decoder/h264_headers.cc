// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/h264_headers.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace millrace::tools {
namespace {

enum UnitType {
  kSlice = 1,
  kSlicePartitionA = 2,
  kIdrSlice = 5,
  kSequenceSet = 7,
  kPictureSet = 8
};

// Limit of the parsed bytes of a unit: parameter sets with all scaling lists are shorter.
constexpr std::size_t kMostUnit = 2048;
constexpr unsigned kMostSets = 256;
constexpr unsigned kMostFrameNumBits = 16;

// Returns the payload, without the emulation prevention bytes (7.4.1).
std::vector<std::uint8_t> payload_of(std::span<const std::uint8_t> unit) {
  std::vector<std::uint8_t> payload;
  int zeros = 0;
  for (const std::uint8_t byte : unit.first(std::min(unit.size(), kMostUnit))) {
    const bool is_guard = zeros >= 2 && byte == 3;
    zeros = byte == 0 ? zeros + 1 : 0;
    if (!is_guard) payload.push_back(byte);
  }
  return payload;
}

}  // namespace

// Reads zeros behind the end.
class H264Headers::Bits {
 public:
  explicit Bits(std::span<const std::uint8_t> unit) : bytes_(payload_of(unit)) {}

  unsigned take(int count) {
    unsigned value = 0;
    for (int i = 0; i < count; ++i, ++bit_offset_) {
      const std::size_t byte = bit_offset_ / 8;
      const unsigned bit = byte < bytes_.size() ? bytes_[byte] >> (7 - bit_offset_ % 8) & 1U : 0;
      value = value << 1 | bit;
    }
    return value;
  }

  bool flag() { return take(1) != 0; }

  // ue(v), Exp-Golomb (9.1).
  unsigned unsigned_code() {
    int zeros = 0;
    while (zeros < 31 && !is_over() && take(1) == 0) ++zeros;
    return (1U << zeros) - 1 + take(zeros);
  }

  // se(v).
  int signed_code() {
    const auto code = static_cast<int>(unsigned_code());
    return code % 2 != 0 ? code / 2 + 1 : -(code / 2);
  }

  bool is_over() const { return bit_offset_ >= 8 * bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t bit_offset_ = 0;
};

namespace {

// scaling_list() (7.3.2.1.1.1).
template <class Bits>
void skip_scaling_list(Bits& bits, int size) {
  int last = 8;
  int next = 8;
  for (int i = 0; i < size && !bits.is_over(); ++i) {
    if (next != 0) next = (last + bits.signed_code() + 256) % 256;
    if (next != 0) last = next;
  }
}

bool has_chroma_format(unsigned profile) {
  constexpr unsigned kProfiles[] = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135};
  return std::ranges::find(kProfiles, profile) != std::end(kProfiles);
}

}  // namespace

H264Headers::H264Headers(std::span<const std::uint8_t> extradata) {
  std::optional<Picture> none;
  if (extradata.size() < 7 || extradata[0] != 1) {
    read_units(extradata, none);
    return;
  }
  // AVCDecoderConfigurationRecord: sets behind two bytes of length each, of both kinds in turn.
  length_bytes_ = 2;
  std::size_t position = 5;
  for (const unsigned mask : {0x1FU, 0xFFU}) {
    if (position >= extradata.size()) break;
    unsigned count = extradata[position++] & mask;
    for (; count > 0 && position + 2 <= extradata.size(); --count) {
      const std::size_t size = std::size_t{extradata[position]} * 256 + extradata[position + 1];
      if (position + 2 + size > extradata.size()) break;
      read_unit(extradata.subspan(position + 2, size), none);
      position += 2 + size;
    }
  }
  length_bytes_ = (extradata[4] & 3) + 1;
}

std::optional<H264Headers::Picture> H264Headers::read(std::span<const std::uint8_t> packet) {
  std::optional<Picture> picture;
  read_units(packet, picture);
  return picture;
}

void H264Headers::read_units(std::span<const std::uint8_t> bytes, std::optional<Picture>& picture) {
  if (length_bytes_ > 0) {
    while (bytes.size() > static_cast<std::size_t>(length_bytes_)) {
      std::size_t size = 0;
      for (int i = 0; i < length_bytes_; ++i) size = size << 8 | bytes[i];
      bytes = bytes.subspan(length_bytes_);
      size = std::min(size, bytes.size());
      read_unit(bytes.first(size), picture);
      bytes = bytes.subspan(size);
    }
    return;
  }
  constexpr std::array<std::uint8_t, 3> kStartCode = {0, 0, 1};
  auto start = std::ranges::search(bytes, kStartCode);
  while (!start.empty()) {
    const std::span<const std::uint8_t> rest(start.end(), bytes.end());
    const auto next = std::ranges::search(rest, kStartCode);
    read_unit(rest.first(static_cast<std::size_t>(next.begin() - rest.begin())), picture);
    // All slices of a picture have the same fields, and they are long.
    if (picture) return;
    bytes = rest;
    start = std::ranges::search(bytes, kStartCode);
  }
}

void H264Headers::read_unit(std::span<const std::uint8_t> unit, std::optional<Picture>& picture) {
  if (unit.empty()) return;
  const int type = unit[0] & 0x1F;
  const int reference = unit[0] >> 5 & 3;
  if (type == kSequenceSet || type == kPictureSet) {
    Bits bits(unit.subspan(1));
    if (type == kSequenceSet)
      read_sequence_set(bits);
    else
      read_picture_set(bits);
  } else if (!picture && (type == kSlice || type == kSlicePartitionA || type == kIdrSlice)) {
    Bits bits(unit.subspan(1));
    picture = read_slice(bits, type, reference);
  }
}

void H264Headers::read_sequence_set(Bits& bits) {
  SequenceSet set;
  const unsigned profile = bits.take(8);
  bits.take(16);  // Constraints and level.
  const unsigned id = bits.unsigned_code();
  if (has_chroma_format(profile)) {
    const unsigned chroma = bits.unsigned_code();
    if (chroma == 3) set.has_colour_planes = bits.flag();
    bits.unsigned_code();  // Depth of luma.
    bits.unsigned_code();  // Depth of chroma.
    bits.flag();           // Lossless transform bypass.
    const int lists = bits.flag() ? (chroma == 3 ? 12 : 8) : 0;
    for (int i = 0; i < lists; ++i) {
      if (bits.flag()) skip_scaling_list(bits, i < 6 ? 16 : 64);
    }
  }
  // Compared before the sum: a damaged stream may say nearly 2^32.
  const unsigned more_bits = bits.unsigned_code();
  if (more_bits > kMostFrameNumBits - 4) return;
  set.frame_num_bits = static_cast<int>(more_bits) + 4;
  const unsigned order_type = bits.unsigned_code();
  if (order_type == 0) bits.unsigned_code();
  if (order_type == 1) {
    bits.flag();
    bits.signed_code();
    bits.signed_code();
    for (unsigned i = bits.unsigned_code(); i > 0 && !bits.is_over(); --i) bits.signed_code();
  }
  bits.unsigned_code();  // Reference frames.
  set.allows_gaps = bits.flag();
  bits.unsigned_code();  // Width.
  bits.unsigned_code();  // Height.
  set.is_frames_only = bits.flag();
  if (bits.is_over() || id >= kMostSets) return;
  sequences_[id] = set;
}

void H264Headers::read_picture_set(Bits& bits) {
  const unsigned id = bits.unsigned_code();
  const unsigned sequence = bits.unsigned_code();
  if (!bits.is_over() && id < kMostSets) pictures_[id] = sequence;
}

std::optional<H264Headers::Picture> H264Headers::read_slice(Bits& bits, int unit_type,
                                                            int reference) const {
  bits.unsigned_code();  // First macroblock.
  bits.unsigned_code();  // Slice type.
  const auto picture_set = pictures_.find(bits.unsigned_code());
  if (picture_set == pictures_.end()) return std::nullopt;
  const auto sequence = sequences_.find(picture_set->second);
  if (sequence == sequences_.end()) return std::nullopt;
  const SequenceSet& set = sequence->second;
  if (set.has_colour_planes) bits.take(2);
  Picture picture;
  picture.frame_num = static_cast<int>(bits.take(set.frame_num_bits));
  picture.max_frame_num = 1 << set.frame_num_bits;
  picture.is_idr = unit_type == kIdrSlice;
  picture.is_reference = reference != 0;
  picture.allows_gaps = set.allows_gaps;
  if (!set.is_frames_only) {
    picture.is_field = bits.flag();
    picture.is_bottom_field = picture.is_field && bits.flag();
  }
  if (bits.is_over()) return std::nullopt;
  return picture;
}

}  // namespace millrace::tools
