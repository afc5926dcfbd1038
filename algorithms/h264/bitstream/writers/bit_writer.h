// SPDX-License-Identifier: Apache-2.0

// Writes syntax elements to a payload (ITU-T H.264 clauses 7.2 and 9.1).
//
//   BitWriter writer;
//   writer.ue(3);
//   writer.trailing_bits();
//   send(make_nal_unit(3, 7, writer.bytes()));
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_BIT_WRITER_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_BIT_WRITER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// Grows as it is written to. One thread at a time may call it, bytes() included.
class BitWriter {
 public:
  // Writes u(n): the lowest `count` bits of `value`, 0 to 64, highest first.
  void bits(std::uint64_t value, int count) {
    if (count > kChunk) {
      bits(value >> kChunk, count - kChunk);
      count = kChunk;
    }
    pending_ = pending_ << count | (value & ((std::uint64_t{1} << count) - 1));
    pending_count_ += count;
    if (pending_count_ >= kChunk) {
      pending_count_ -= kChunk;
      if (bytes_.size() < size_ + kChunk / 8) grow();
      store(static_cast<std::uint32_t>(pending_ >> pending_count_), kChunk / 8);
      size_ += kChunk / 8;
    }
  }
  void flag(bool value) { bits(value ? 1 : 0, 1); }

  // Writes ue(v), 0 to 2^32 - 2.
  void ue(std::uint32_t value) {
    const std::uint64_t code = std::uint64_t{value} + 1;
    bits(code, 2 * std::bit_width(code) - 1);
  }
  // Writes se(v), -(2^31 - 1) to 2^31 - 1.
  void se(std::int32_t value) {
    const std::int64_t wide = value;
    ue(static_cast<std::uint32_t>(wide > 0 ? 2 * wide - 1 : -2 * wide));
  }
  // Writes zeros up to the next whole byte.
  void align() { bits(0, -pending_count_ & 7); }
  // Writes rbsp_trailing_bits().
  void trailing_bits() {
    bits(1, 1);
    align();
  }

  // Returns the number of bits written.
  std::size_t position() const { return 8 * size_ + static_cast<std::size_t>(pending_count_); }
  // Returns all bits written, with zeros in the rest of the last byte. Valid until the next write.
  const std::vector<std::uint8_t>& bytes() const {
    const int count = (pending_count_ + 7) / 8;
    bytes_.resize(size_ + static_cast<std::size_t>(count));
    store(static_cast<std::uint32_t>(pending_ << (kChunk - pending_count_)), count);
    return bytes_;
  }

 private:
  static constexpr int kChunk = 32;  // Bits that are stored at a time.

  void grow() { bytes_.resize(std::max<std::size_t>(256, 2 * bytes_.size())); }
  // Stores the highest `count` bytes of a chunk behind those that are complete.
  void store(std::uint32_t chunk, int count) const {
    for (int k = 0; k < count; ++k) {
      bytes_[size_ + static_cast<std::size_t>(k)] =
          static_cast<std::uint8_t>(chunk >> (kChunk - 8 - 8 * k));
    }
  }

  // The first size_ bytes are complete; bytes() cuts off those that are not written.
  mutable std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0;
  std::uint64_t pending_ = 0;  // Its lowest pending_count_ bits follow, fewer than a chunk.
  int pending_count_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_WRITERS_BIT_WRITER_H_
