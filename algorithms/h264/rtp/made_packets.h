// SPDX-License-Identifier: Apache-2.0

// Captures and packets that tests build byte by byte.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_MADE_PACKETS_H_
#define MILLRACE_ALGORITHMS_H264_RTP_MADE_PACKETS_H_

#include <millrace/algorithms/h264/rtp/read_at.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace millrace::h264 {

using PacketBytes = std::vector<std::uint8_t>;

inline PacketBytes joined(std::initializer_list<PacketBytes> pieces) {
  PacketBytes all;
  for (const PacketBytes& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

inline PacketBytes big(std::uint64_t value, int bytes) {
  PacketBytes all;
  for (int i = bytes; i-- > 0;) all.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return all;
}

inline PacketBytes little(std::uint64_t value, int bytes) {
  PacketBytes all = big(value, bytes);
  std::reverse(all.begin(), all.end());
  return all;
}

// An RTP packet of payload type 96 without extension.
inline PacketBytes made_rtp(std::uint16_t sequence_number, const PacketBytes& payload,
                            std::uint32_t ssrc = 0x11223344, int payload_type = 96) {
  return joined({{0x80, static_cast<std::uint8_t>(payload_type)},
                 big(sequence_number, 2),
                 big(0, 4),
                 big(ssrc, 4),
                 payload});
}

inline PacketBytes made_udp(const PacketBytes& payload, int port = 5004) {
  return joined({big(40000, 2), big(static_cast<std::uint64_t>(port), 2),
                 big(payload.size() + 8, 2), big(0, 2), payload});
}

// From 10.0.0.2 to 10.0.0.1. `fragment` has the flags and the offset.
inline PacketBytes made_ipv4(const PacketBytes& udp, int fragment = 0) {
  return joined({{0x45, 0},
                 big(udp.size() + 20, 2),
                 big(1, 2),
                 big(static_cast<std::uint64_t>(fragment), 2),
                 {64, 17},
                 big(0, 2),
                 {10, 0, 0, 2, 10, 0, 0, 1},
                 udp});
}

// From 2001:db8::2 to 2001:db8::1. `extensions` begin with a header of type `next`.
inline PacketBytes made_ipv6(const PacketBytes& udp, int next = 17,
                             const PacketBytes& extensions = {}) {
  PacketBytes from = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
  PacketBytes to = from;
  to.back() = 1;
  return joined({{0x60, 0, 0, 0},
                 big(udp.size() + extensions.size(), 2),
                 {static_cast<std::uint8_t>(next), 64},
                 from,
                 to,
                 extensions,
                 udp});
}

inline PacketBytes made_ethernet(const PacketBytes& ip, int type = 0x0800) {
  return joined({PacketBytes(12, 0xee), big(static_cast<std::uint64_t>(type), 2), ip});
}

// A pcap file of little-endian headers with microseconds.
inline PacketBytes made_pcap(const std::vector<PacketBytes>& packets, int link_type = 1) {
  PacketBytes file = joined({little(0xa1b2c3d4, 4), little(2, 2), little(4, 2), little(0, 8),
                             little(65535, 4), little(static_cast<std::uint64_t>(link_type), 4)});
  for (const PacketBytes& packet : packets) {
    file = joined({file, little(0, 8), little(packet.size(), 4), little(packet.size(), 4), packet});
  }
  return file;
}

inline ReadAt reader_of(const PacketBytes& file) {
  return [&file](std::uint64_t position, std::span<std::uint8_t> bytes) {
    if (position >= file.size()) return std::size_t{0};
    const std::size_t size =
        std::min<std::size_t>(bytes.size(), file.size() - static_cast<std::size_t>(position));
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(position), size, bytes.begin());
    return size;
  };
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_MADE_PACKETS_H_
