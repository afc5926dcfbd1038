// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/algorithms/h264/rtp/udp_datagram.h>

#include <gtest/gtest.h>

#include <vector>

namespace millrace::h264 {
namespace {

const PacketBytes kPayload = {1, 2, 3};

PacketBytes found(int link_type, const PacketBytes& packet) {
  UdpDatagram datagram;
  EXPECT_EQ(find_datagram(link_type, packet, datagram), DatagramKind::kUdp) << link_type;
  EXPECT_EQ(datagram.destination_port, 5004);
  return {datagram.payload.begin(), datagram.payload.end()};
}

DatagramKind kind(int link_type, const PacketBytes& packet) {
  UdpDatagram datagram;
  return find_datagram(link_type, packet, datagram);
}

TEST(UdpDatagram, IsFoundBehindEveryLinkHeader) {
  const PacketBytes ip = made_ipv4(made_udp(kPayload));
  EXPECT_EQ(found(1, made_ethernet(ip)), kPayload);
  EXPECT_EQ(found(1, made_ethernet(joined({big(5, 2), big(0x0800, 2), ip}), 0x8100)), kPayload);
  EXPECT_EQ(
      found(1, made_ethernet(joined({big(5, 2), big(0x8100, 2), big(6, 2), big(0x0800, 2), ip}),
                             0x88a8)),
      kPayload);
  EXPECT_EQ(found(101, ip), kPayload);
  EXPECT_EQ(found(12, ip), kPayload);
  EXPECT_EQ(found(228, ip), kPayload);
  EXPECT_EQ(found(0, joined({little(2, 4), ip})), kPayload);
  EXPECT_EQ(found(113, joined({PacketBytes(14, 0), big(0x0800, 2), ip})), kPayload);
  EXPECT_EQ(found(276, joined({big(0x0800, 2), PacketBytes(18, 0), ip})), kPayload);
}

TEST(UdpDatagram, IsFoundInIpv6WithExtensions) {
  const PacketBytes udp = made_udp(kPayload);
  EXPECT_EQ(found(229, made_ipv6(udp)), kPayload);
  EXPECT_EQ(found(1, made_ethernet(made_ipv6(udp), 0x86dd)), kPayload);
  const PacketBytes hop_by_hop = joined({{60, 0}, PacketBytes(6, 0)});
  const PacketBytes options = joined({{17, 1}, PacketBytes(14, 0)});
  EXPECT_EQ(found(101, made_ipv6(udp, 0, joined({hop_by_hop, options}))), kPayload);
  const PacketBytes whole_fragment = joined({{17, 0}, big(0, 2), big(7, 4)});
  EXPECT_EQ(found(101, made_ipv6(udp, 44, whole_fragment)), kPayload);
}

TEST(UdpDatagram, HasAddresses) {
  UdpDatagram datagram;
  find_datagram(101, made_ipv4(made_udp(kPayload)), datagram);
  EXPECT_EQ(datagram.source.text(), "10.0.0.2");
  EXPECT_EQ(datagram.destination.text(), "10.0.0.1");
  find_datagram(101, made_ipv6(made_udp(kPayload)), datagram);
  EXPECT_EQ(datagram.destination.text(), "2001:db8:0:0:0:0:0:1");
}

TEST(UdpDatagram, PaddingOfShortFramesIsNoPayload) {
  const PacketBytes packet =
      joined({made_ethernet(made_ipv4(made_udp(kPayload))), PacketBytes(20, 0)});
  EXPECT_EQ(found(1, packet), kPayload);
}

TEST(UdpDatagram, FragmentsAreSaid) {
  const PacketBytes udp = made_udp(kPayload);
  EXPECT_EQ(kind(101, made_ipv4(udp, 0x2000)), DatagramKind::kFragment);  // More follow.
  EXPECT_EQ(kind(101, made_ipv4(udp, 185)), DatagramKind::kFragment);     // A later one.
  EXPECT_EQ(kind(101, made_ipv4(udp, 0x4000)), DatagramKind::kUdp);       // May not be fragmented.
  EXPECT_EQ(kind(101, made_ipv6(udp, 44, joined({{17, 0}, big(1, 2), big(7, 4)}))),
            DatagramKind::kFragment);
}

TEST(UdpDatagram, ThatIsCutAnywhereIsNone) {
  for (const auto& [link_type, packet] : std::vector<std::pair<int, PacketBytes>>{
           {1, made_ethernet(made_ipv4(made_udp(kPayload)))},
           {101, made_ipv6(made_udp(kPayload), 0, joined({{17, 0}, PacketBytes(6, 0)}))}}) {
    for (std::size_t size = 0; size < packet.size(); ++size) {
      // Bytes of its own, so that a sanitizer sees a read behind them.
      const PacketBytes cut(packet.begin(), packet.begin() + static_cast<long>(size));
      EXPECT_NE(kind(link_type, cut), DatagramKind::kUdp) << link_type << ' ' << size;
    }
  }
}

TEST(UdpDatagram, OtherProtocolsAreNone) {
  PacketBytes tcp = made_ipv4(made_udp(kPayload));
  tcp[9] = 6;
  EXPECT_EQ(kind(101, tcp), DatagramKind::kOther);
  EXPECT_EQ(kind(1, made_ethernet(made_ipv4(made_udp(kPayload)), 0x0806)), DatagramKind::kOther);
  EXPECT_EQ(kind(147, made_ipv4(made_udp(kPayload))), DatagramKind::kOther);
}

}  // namespace
}  // namespace millrace::h264
