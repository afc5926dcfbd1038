// SPDX-License-Identifier: Apache-2.0

// Writes syntax elements to a payload, for tests.
//
//   BitWriter writer;
//   writer.ue(3);
//   writer.trailing_bits();
//   parser.push_nal_unit(make_nal_unit(3, 7, writer.bytes()));
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_BIT_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_BIT_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

class BitWriter {
 public:
  // u(n): the lowest `count` bits of `value`, 0 to 64, highest first.
  void bits(std::uint64_t value, int count) {
    for (int bit = count - 1; bit >= 0; --bit) {
      if (position_ % 8 == 0) bytes_.push_back(0);
      bytes_.back() |= static_cast<std::uint8_t>((value >> bit & 1) << (7 - position_ % 8));
      ++position_;
    }
  }
  void flag(bool value) { bits(value ? 1 : 0, 1); }

  // ue(v), 0 to 2^32 - 2.
  void ue(std::uint32_t value) {
    const std::uint64_t code = std::uint64_t{value} + 1;
    int length = 0;
    while (code >> length != 0) ++length;
    bits(code, 2 * length - 1);
  }
  void se(std::int32_t value) {
    const std::int64_t wide = value;
    ue(static_cast<std::uint32_t>(wide > 0 ? 2 * wide - 1 : -2 * wide));
  }
  // rbsp_trailing_bits()
  void trailing_bits() {
    bits(1, 1);
    while (position_ % 8 != 0) bits(0, 1);
  }

  std::size_t position() const { return position_; }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t position_ = 0;
};

// Returns a NAL unit of that payload with emulation prevention bytes, without a start code (clause
// 7.4.1.1).
inline std::vector<std::uint8_t> make_nal_unit(int nal_reference, int nal_unit_type,
                                               std::span<const std::uint8_t> payload) {
  std::vector<std::uint8_t> unit = {static_cast<std::uint8_t>(nal_reference << 5 | nal_unit_type)};
  int zeros = 0;
  for (const std::uint8_t byte : payload) {
    if (zeros == 2 && byte <= 3) {
      unit.push_back(3);
      zeros = 0;
    }
    unit.push_back(byte);
    zeros = byte == 0 ? zeros + 1 : 0;
  }
  if (unit.back() == 0) unit.push_back(3);
  return unit;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_TESTING_BIT_WRITER_H_
