// SPDX-License-Identifier: Apache-2.0

// Bytes that are read by position, and integers in them.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_READ_AT_H_
#define MILLRACE_ALGORITHMS_H264_RTP_READ_AT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::h264 {

// Reads bytes from `position` on; returns their number, fewer than requested only at the end of the
// file. May throw Error(kIo).
using ReadAt = std::function<std::size_t(std::uint64_t position, std::span<std::uint8_t> bytes)>;

// Big-endian integers; `bytes` has them.
constexpr std::uint16_t big_16(const std::uint8_t* bytes) {
  return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]);
}
constexpr std::uint32_t big_32(const std::uint8_t* bytes) {
  return std::uint32_t{big_16(bytes)} << 16 | big_16(bytes + 2);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_READ_AT_H_
