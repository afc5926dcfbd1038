// SPDX-License-Identifier: Apache-2.0

// Divides byte streams into NAL units (ITU-T H.264 Annex B) and NAL units into payloads (clause
// 7.3.1).
#ifndef MILLRACE_ALGORITHMS_H264_BITSTREAM_NAL_UNIT_H_
#define MILLRACE_ALGORITHMS_H264_BITSTREAM_NAL_UNIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::h264 {

struct NalUnit {
  std::span<const std::uint8_t> bytes;  // Excludes the start code and trailing zeros.
  std::int64_t byte = 0;                // Offset of its first byte in the stream.
  int start_code_bytes = 3;             // 3, or 4 where a zero byte is in front of the code.
};

// Divides a byte stream that arrives in pieces.
//
//   AnnexBSplitter splitter;
//   splitter.push(bytes);  // And again, as bytes arrive; then finish().
//   while (const std::optional<NalUnit> unit = splitter.next()) ...
class AnnexBSplitter {
 public:
  // A unit of more than `max_unit_bytes` is cut there, and the bytes up to the next start code are
  // skipped. This bounds the memory for input that is not a byte stream.
  explicit AnnexBSplitter(std::size_t max_unit_bytes = std::size_t{64} << 20)
      : max_unit_bytes_(max_unit_bytes) {}

  // Copies the bytes.
  void push(std::span<const std::uint8_t> bytes);
  // Ends the stream: no bytes follow, so the last unit is complete.
  void finish() { is_finished_ = true; }
  // Returns the next whole unit that is not empty. Its bytes stay valid until the next push().
  std::optional<NalUnit> next();
  // Returns the number of bytes skipped: those before the first start code, and those of units that
  // were too long.
  std::int64_t skipped_bytes() const { return skipped_bytes_; }

 private:
  bool find_start_code();

  std::size_t max_unit_bytes_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t buffer_byte_ = 0;  // Offset of the buffer's first byte in the stream.
  std::size_t begin_ = 0;         // First byte that is not consumed.
  std::size_t searched_ = 0;      // No start code ends before it.
  std::int64_t skipped_bytes_ = 0;
  int start_code_bytes_ = 0;  // Precede begin_; 0: begin_ is not in a unit.
  bool is_finished_ = false;
};

// The payload of a NAL unit.
struct NalPayload {
  std::vector<std::uint8_t> bytes;  // RBSP: without NAL header and emulation prevention bytes.
  std::vector<std::size_t> emulation_prevention;  // Number of bytes before each one removed.

  // Returns the offset in the NAL unit of byte `byte` of the payload.
  std::size_t unit_byte(std::size_t byte) const;
};

// Returns the offset in a NAL unit of byte `byte` of its payload. `emulation_prevention` is as in
// NalPayload.
std::size_t unit_byte_of(std::span<const std::size_t> emulation_prevention, std::size_t byte);

// Writes the payload of `unit`, whose header is one byte, to `payload`, whose memory it reuses.
void extract_payload(std::span<const std::uint8_t> unit, NalPayload& payload);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_BITSTREAM_NAL_UNIT_H_
