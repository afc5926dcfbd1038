// SPDX-License-Identifier: Apache-2.0

// The header of an RTP packet (RFC 3550, clause 5.1).
#ifndef MILLRACE_ALGORITHMS_H264_RTP_RTP_PACKET_H_
#define MILLRACE_ALGORITHMS_H264_RTP_RTP_PACKET_H_

#include <cstdint>
#include <optional>
#include <span>

namespace millrace::h264 {

struct RtpPacket {
  int payload_type = 0;
  bool has_marker = false;
  std::uint16_t sequence_number = 0;
  std::uint32_t timestamp = 0;
  std::uint32_t source = 0;                    // SSRC
  std::span<const std::uint8_t> payload = {};  // Excludes extension and padding.
};

// Returns the packet in a datagram; nothing for what cannot be one, and for RTCP (RFC 5761, clause
// 4).
std::optional<RtpPacket> read_rtp(std::span<const std::uint8_t> datagram);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_RTP_PACKET_H_
