// SPDX-License-Identifier: Apache-2.0

// The UDP datagram in a captured packet.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_UDP_DATAGRAM_H_
#define MILLRACE_ALGORITHMS_H264_RTP_UDP_DATAGRAM_H_

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace millrace::h264 {

struct IpAddress {
  bool is_v6 = false;
  std::array<std::uint8_t, 16> bytes = {};  // The first four of IPv4.

  // "10.0.0.1", or "2001:db8:0:0:0:0:0:1".
  std::string text() const;
  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

struct UdpDatagram {
  IpAddress source, destination;
  int source_port = 0;
  int destination_port = 0;
  std::span<const std::uint8_t> payload = {};
};

enum class DatagramKind {
  kUdp,
  kFragment,  // A fragment of a datagram; fragments are not put together.
  kCut,       // UDP, of which the capture has only the beginning.
  kOther,     // Another protocol, an unknown link type, or damaged headers.
};

// Finds the datagram in the bytes of a packet, of which `payload` is a part. Link types: Ethernet
// with VLAN tags, Linux cooked (SLL, SLL2), BSD loopback, raw IP; IPv4 and IPv6 with extension
// headers. Never reads outside the packet. `datagram` is set for kUdp.
DatagramKind find_datagram(int link_type, std::span<const std::uint8_t> packet,
                           UdpDatagram& datagram);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_UDP_DATAGRAM_H_
