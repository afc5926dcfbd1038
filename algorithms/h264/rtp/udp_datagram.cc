// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/read_at.h>
#include <millrace/algorithms/h264/rtp/udp_datagram.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace millrace::h264 {
namespace {

using Bytes = std::span<const std::uint8_t>;

// LINKTYPE_ values.
constexpr int kLoopback = 0;
constexpr int kEthernet = 1;
constexpr int kRawBsd = 12;
constexpr int kRawOpenBsd = 14;
constexpr int kRaw = 101;
constexpr int kOpenBsdLoopback = 108;
constexpr int kLinuxCooked = 113;
constexpr int kIpv4 = 228;
constexpr int kIpv6 = 229;
constexpr int kLinuxCooked2 = 276;

// EtherTypes.
constexpr int kTypeIpv4 = 0x0800;
constexpr int kTypeIpv6 = 0x86dd;
constexpr bool is_vlan(int type) { return type == 0x8100 || type == 0x88a8 || type == 0x9100; }

// Protocols of IP.
constexpr int kHopByHop = 0;
constexpr int kUdpProtocol = 17;
constexpr int kRouting = 43;
constexpr int kFragmentHeader = 44;
constexpr int kAuthentication = 51;
constexpr int kDestinationOptions = 60;

Bytes without(Bytes bytes, std::size_t count) {
  return bytes.subspan(std::min(count, bytes.size()));
}

IpAddress address(const std::uint8_t* bytes, bool is_v6) {
  IpAddress address;
  address.is_v6 = is_v6;
  std::copy_n(bytes, is_v6 ? 16 : 4, address.bytes.begin());
  return address;
}

DatagramKind read_udp(Bytes bytes, UdpDatagram& datagram) {
  constexpr std::size_t kHeader = 8;
  if (bytes.size() < kHeader) return DatagramKind::kOther;
  datagram.source_port = big_16(bytes.data());
  datagram.destination_port = big_16(bytes.data() + 2);
  const std::size_t size = big_16(bytes.data() + 4);
  if (size < kHeader) return DatagramKind::kOther;
  if (size > bytes.size()) return DatagramKind::kCut;
  datagram.payload = bytes.subspan(kHeader, size - kHeader);
  return DatagramKind::kUdp;
}

DatagramKind read_ipv4(Bytes bytes, UdpDatagram& datagram) {
  if (bytes.size() < 20) return DatagramKind::kOther;
  const std::size_t header = 4 * std::size_t{bytes[0] & 15u};
  if (header < 20 || header > bytes.size()) return DatagramKind::kOther;
  if (bytes[9] != kUdpProtocol) return DatagramKind::kOther;
  constexpr int kMoreOrOffset = 0x3fff;
  if ((big_16(bytes.data() + 6) & kMoreOrOffset) != 0) return DatagramKind::kFragment;
  datagram.source = address(bytes.data() + 12, false);
  datagram.destination = address(bytes.data() + 16, false);
  // Padding of short frames follows. 0: an offloading card had not filled it in.
  const std::size_t total = big_16(bytes.data() + 2);
  if (total >= header && total < bytes.size()) bytes = bytes.first(total);
  return read_udp(bytes.subspan(header), datagram);
}

DatagramKind read_ipv6(Bytes bytes, UdpDatagram& datagram) {
  constexpr std::size_t kHeader = 40;
  if (bytes.size() < kHeader) return DatagramKind::kOther;
  datagram.source = address(bytes.data() + 8, true);
  datagram.destination = address(bytes.data() + 24, true);
  int protocol = bytes[6];
  bytes = bytes.subspan(kHeader);
  while (protocol != kUdpProtocol) {
    if (bytes.size() < 8) return DatagramKind::kOther;
    std::size_t size = 8 * (std::size_t{bytes[1]} + 1);
    if (protocol == kFragmentHeader) {
      constexpr int kMoreOrOffset = 0xfff9;
      if ((big_16(bytes.data() + 2) & kMoreOrOffset) != 0) {
        return bytes[0] == kUdpProtocol ? DatagramKind::kFragment : DatagramKind::kOther;
      }
      size = 8;
    } else if (protocol == kAuthentication) {
      size = 4 * (std::size_t{bytes[1]} + 2);
    } else if (protocol != kHopByHop && protocol != kRouting && protocol != kDestinationOptions) {
      return DatagramKind::kOther;
    }
    protocol = bytes[0];
    bytes = without(bytes, size);
  }
  return read_udp(bytes, datagram);
}

DatagramKind read_ip(Bytes bytes, UdpDatagram& datagram) {
  if (bytes.empty()) return DatagramKind::kOther;
  if (bytes[0] >> 4 == 4) return read_ipv4(bytes, datagram);
  if (bytes[0] >> 4 == 6) return read_ipv6(bytes, datagram);
  return DatagramKind::kOther;
}

// Reads what follows an EtherType, which is at `bytes[at]`; the payload begins `skip` bytes on.
DatagramKind read_typed(Bytes bytes, std::size_t at, std::size_t skip, UdpDatagram& datagram) {
  if (bytes.size() < skip) return DatagramKind::kOther;
  int type = big_16(bytes.data() + at);
  bytes = bytes.subspan(skip);
  while (is_vlan(type)) {
    if (bytes.size() < 4) return DatagramKind::kOther;
    type = big_16(bytes.data() + 2);
    bytes = bytes.subspan(4);
  }
  return type == kTypeIpv4 || type == kTypeIpv6 ? read_ip(bytes, datagram) : DatagramKind::kOther;
}

}  // namespace

std::string IpAddress::text() const {
  std::string text;
  if (!is_v6) {
    for (std::size_t i = 0; i < 4; ++i) text += (i > 0 ? "." : "") + std::to_string(bytes[i]);
    return text;
  }
  for (std::size_t i = 0; i < 16; i += 2) {
    char digits[4];
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, big_16(bytes.data() + i), 16);
    text += (i > 0 ? ":" : "") + std::string(digits, end);
  }
  return text;
}

DatagramKind find_datagram(int link_type, std::span<const std::uint8_t> packet,
                           UdpDatagram& datagram) {
  switch (link_type) {
    case kEthernet: return read_typed(packet, 12, 14, datagram);
    case kLinuxCooked: return read_typed(packet, 14, 16, datagram);
    case kLinuxCooked2: return read_typed(packet, 0, 20, datagram);
    case kLoopback:
    case kOpenBsdLoopback: return read_ip(without(packet, 4), datagram);
    case kRaw:
    case kRawBsd:
    case kRawOpenBsd:
    case kIpv4:
    case kIpv6: return read_ip(packet, datagram);
    default: return DatagramKind::kOther;
  }
}

}  // namespace millrace::h264
