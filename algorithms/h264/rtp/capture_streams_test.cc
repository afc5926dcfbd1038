// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_streams.h>
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

PacketBytes framed(const PacketBytes& rtp, int port = 5004) {
  return made_ethernet(made_ipv4(made_udp(rtp, port)));
}

std::string error_of(const PacketBytes& file, const std::vector<DescribedStream>& described = {}) {
  try {
    find_streams(reader_of(file), "a.pcap", described);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CaptureStreams, AreDistinguishedBySsrcAndPort) {
  const PacketBytes file = made_pcap({
      framed(made_rtp(1, {0x67, 1}, 0xa)),
      framed(made_rtp(9, {0x67, 1}, 0xb)),
      framed(made_rtp(2, {0x65, 1, 2}, 0xa)),
      framed(made_rtp(1, {0x67, 1}, 0xa), 5006),
  });
  const CaptureStreams found = find_streams(reader_of(file), "a.pcap", {});
  ASSERT_EQ(found.streams.size(), 3u);
  EXPECT_EQ(found.streams[0].name(), "10.0.0.1:5004/0x0000000a");
  EXPECT_EQ(found.streams[1].name(), "10.0.0.1:5004/0x0000000b");
  EXPECT_EQ(found.streams[2].name(), "10.0.0.1:5006/0x0000000a");
  ASSERT_EQ(found.streams[0].packets.size(), 2u);
  const CapturedPayload payload = found.streams[0].packets[1];
  EXPECT_EQ(payload.sequence_number, 2);
  ASSERT_EQ(payload.bytes, 3);
  EXPECT_EQ(file[static_cast<std::size_t>(payload.position)], 0x65);
  EXPECT_EQ(found.packets, 4);
  EXPECT_EQ(found.notes(), "");
}

TEST(CaptureStreams, RandomPayloadsAreAnotherCodecOrEncrypted) {
  std::mt19937 random(5);
  std::vector<PacketBytes> packets;
  for (std::uint16_t i = 0; i < 50; ++i) {
    PacketBytes payload(40);
    for (std::uint8_t& byte : payload) byte = static_cast<std::uint8_t>(random());
    packets.push_back(framed(made_rtp(i, payload, 0xc)));
  }
  EXPECT_EQ(error_of(made_pcap(packets)),
            "a.pcap: has no H.264 over RTP in its 50 packets: 1 RTP stream is of another codec or "
            "encrypted (SRTP)");
  packets.push_back(framed(made_rtp(1, {0x67, 1}, 0xa)));
  const PacketBytes file = made_pcap(packets);
  const CaptureStreams found = find_streams(reader_of(file), "a.pcap", {});
  EXPECT_EQ(found.streams.size(), 1u);
  EXPECT_EQ(found.other_streams, 1);
}

TEST(CaptureStreams, StaticPayloadTypesAreNoH264) {
  EXPECT_EQ(error_of(made_pcap({framed(made_rtp(1, {0x67, 1}, 0xa, 8))})),
            "a.pcap: has no H.264 over RTP in its 1 packet");
}

TEST(CaptureStreams, ADescriptionSaysWhichTheyAre) {
  const std::vector<DescribedStream> described = {
      {.port = 5006, .payload_type = 100, .parameter_sets = {{0x67, 9}}}};
  const PacketBytes file = made_pcap({
      framed(made_rtp(1, {0x67, 1}, 0xa, 96), 5006),
      framed(made_rtp(1, {0x65, 1}, 0xb, 100), 5006),
      framed(made_rtp(1, {0x65, 1}, 0xc, 100), 5008),
  });
  const CaptureStreams found = find_streams(reader_of(file), "a.pcap", described);
  ASSERT_EQ(found.streams.size(), 1u);
  EXPECT_EQ(found.streams[0].key.ssrc, 0xbu);
  EXPECT_EQ(found.streams[0].parameter_sets, (std::vector<std::vector<std::uint8_t>>{{0x67, 9}}));
}

TEST(CaptureStreams, SayFragmentsAndCutPackets) {
  PacketBytes cut = framed(made_rtp(2, {0x65, 1, 2, 3}));
  cut.resize(cut.size() - 2);
  const PacketBytes file = made_pcap({
      framed(made_rtp(1, {0x67, 1})),
      made_ethernet(made_ipv4(made_udp(made_rtp(3, {0x65})), 0x2000)),
      cut,
  });
  EXPECT_EQ(find_streams(reader_of(file), "a.pcap", {}).notes(),
            "1 fragment of an IP datagram is left out, and count as lost; 1 packet was captured "
            "only in part, and count as lost; capture with a larger snap length");
}

TEST(SessionDescription, HasPortsTypesAndParameterSets) {
  const auto streams = read_session_description(
      "v=0\r\nm=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000\r\nm=video 5004 RTP/AVP 96 97\r\n"
      "a=rtpmap:96 h264/90000\r\na=rtpmap:97 VP8/90000\r\n"
      "a=fmtp:96 profile-level-id=42e01e; packetization-mode=1;sprop-parameter-sets=Z0IA,aA==\r\n",
      "s.sdp");
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0].port, 5004);
  EXPECT_EQ(streams[0].payload_type, 96);
  EXPECT_EQ(streams[0].packetisation_mode, 1);
  EXPECT_EQ(streams[0].parameter_sets,
            (std::vector<std::vector<std::uint8_t>>{{0x67, 0x42, 0}, {0x68}}));
}

TEST(SessionDescription, RejectsOthers) {
  EXPECT_THROW(read_session_description("", "s.sdp"), Error);
  EXPECT_THROW(read_session_description("m=video 1 RTP/AVP 97\na=rtpmap:97 VP8/90000\n", "s.sdp"),
               Error);
  const std::string head = "m=video 1 RTP/AVP 96\na=rtpmap:96 H264/90000\na=fmtp:96 ";
  EXPECT_THROW(read_session_description(head + "packetization-mode=2\n", "s.sdp"), Error);
  EXPECT_THROW(read_session_description(head + "sprop-parameter-sets=?\n", "s.sdp"), Error);
}

TEST(Base64, IsDecoded) {
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(decode_base64("TWFu"), (Bytes{'M', 'a', 'n'}));
  EXPECT_EQ(decode_base64("TWE="), (Bytes{'M', 'a'}));
  EXPECT_EQ(decode_base64("TQ"), (Bytes{'M'}));
  EXPECT_EQ(decode_base64("+/+/"), (Bytes{0xfb, 0xff, 0xbf}));
  EXPECT_EQ(decode_base64("T"), std::nullopt);
  EXPECT_EQ(decode_base64("TW-u"), std::nullopt);
}

}  // namespace
}  // namespace millrace::h264
