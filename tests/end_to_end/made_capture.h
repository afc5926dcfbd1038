// SPDX-License-Identifier: Apache-2.0

// Captures of byte streams, for tests.
#ifndef MILLRACE_TESTS_END_TO_END_MADE_CAPTURE_H_
#define MILLRACE_TESTS_END_TO_END_MADE_CAPTURE_H_

#include <millrace/algorithms/h264/rtp/made_packets.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::end_to_end {

// Returns the NAL units of a byte stream whose start codes are 4 bytes long, or 3.
inline std::vector<h264::PacketBytes> units_of(const std::string& bytes) {
  std::vector<h264::PacketBytes> units;
  std::size_t at = bytes.find(std::string("\0\0\1", 3));
  while (at != bytes.npos) {
    at += 3;
    const std::size_t next = bytes.find(std::string("\0\0\1", 3), at);
    std::string unit = bytes.substr(at, next == bytes.npos ? next : next - at);
    while (unit.ends_with('\0')) unit.pop_back();
    units.emplace_back(unit.begin(), unit.end());
    at = next;
  }
  return units;
}

// Returns the Ethernet packets of a byte stream in RTP: single NAL units, or FU-A of those over
// 1,000 bytes (RFC 6184, clause 5.8). Sequence numbers wrap after the second packet.
inline std::vector<h264::PacketBytes> packets_of(const std::string& bytes,
                                                 std::uint32_t ssrc = 0x11223344, int port = 5004) {
  constexpr std::size_t kMost = 1000;
  std::vector<h264::PacketBytes> payloads;
  for (const h264::PacketBytes& unit : units_of(bytes)) {
    if (unit.size() <= kMost) {
      payloads.push_back(unit);
      continue;
    }
    for (std::size_t at = 1; at < unit.size(); at += kMost) {
      const bool is_last = unit.size() - at <= kMost;
      const auto flags = static_cast<std::uint8_t>((at == 1 ? 0x80 : 0) | (is_last ? 0x40 : 0));
      payloads.push_back(
          h264::joined({{static_cast<std::uint8_t>((unit[0] & 0xe0) | 28),
                         static_cast<std::uint8_t>(flags | (unit[0] & 31))},
                        {unit.begin() + static_cast<long>(at),
                         unit.begin() + static_cast<long>(std::min(at + kMost, unit.size()))}}));
    }
  }
  std::vector<h264::PacketBytes> packets;
  std::uint16_t number = 65'534;
  for (const h264::PacketBytes& payload : payloads) {
    packets.push_back(h264::made_ethernet(
        h264::made_ipv4(h264::made_udp(h264::made_rtp(number++, payload, ssrc), port))));
  }
  return packets;
}

inline std::string pcap_of(const std::vector<h264::PacketBytes>& packets) {
  const h264::PacketBytes file = h264::made_pcap(packets);
  return {file.begin(), file.end()};
}

// Returns a pcapng file of one section and one Ethernet interface: enhanced packet blocks.
inline std::string pcapng_of(const std::vector<h264::PacketBytes>& packets) {
  using h264::little;
  const auto block = [](std::uint32_t type, h264::PacketBytes body) {
    body.resize((body.size() + 3) / 4 * 4);
    const h264::PacketBytes size = little(body.size() + 12, 4);
    return h264::joined({little(type, 4), size, body, size});
  };
  h264::PacketBytes file =
      h264::joined({block(0x0a0d0d0a, h264::joined({little(0x1a2b3c4d, 4), little(1, 2),
                                                    little(0, 2), h264::PacketBytes(8, 0xff)})),
                    block(1, h264::joined({little(1, 2), little(0, 2), little(0, 4)}))});
  for (const h264::PacketBytes& packet : packets) {
    const h264::PacketBytes size = little(packet.size(), 4);
    file = h264::joined(
        {file, block(6, h264::joined({little(0, 4), little(0, 8), size, size, packet}))});
  }
  return {file.begin(), file.end()};
}

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_MADE_CAPTURE_H_
