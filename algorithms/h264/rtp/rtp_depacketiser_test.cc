// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/algorithms/h264/rtp/rtp_depacketiser.h>
#include <millrace/algorithms/h264/rtp/rtp_packet.h>

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

// Units as they come; "loss" for a loss.
class Recorder final : public NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    EXPECT_EQ(framing_bytes, 4);
    text += " ";
    for (const std::uint8_t value : unit) text += std::to_string(value) + ".";
    bytes.push_back(byte);
  }
  void receive_beside(std::span<const std::uint8_t> unit) override { receive(unit, 0, 4); }
  void note_loss() override { text += " loss"; }

  std::string text;
  std::vector<std::int64_t> bytes;
};

class Depacketiser : public testing::Test {
 protected:
  void push(int sequence_number, const PacketBytes& payload, std::int64_t byte = 0) {
    depacketiser_.push(static_cast<std::uint16_t>(sequence_number), payload, byte);
  }
  std::string text() {
    depacketiser_.finish();
    return recorder_.text;
  }

  Recorder recorder_;
  RtpDepacketiser depacketiser_{recorder_};
};

TEST_F(Depacketiser, PassesSingleUnitsOn) {
  push(7, {0x65, 1, 2}, 100);
  push(8, {0x41, 3});
  EXPECT_EQ(text(), " 101.1.2. 65.3.");
  EXPECT_EQ(recorder_.bytes[0], 100);
  EXPECT_EQ(depacketiser_.counts().lost, 0);
}

TEST_F(Depacketiser, DividesAggregates) {
  push(0, {24, 0, 2, 0x67, 1, 0, 1, 0x68}, 50);
  EXPECT_EQ(text(), " 103.1. 104.");
  EXPECT_EQ(recorder_.bytes, (std::vector<std::int64_t>{53, 57}));
}

TEST_F(Depacketiser, JoinsFragments) {
  push(0, {0x7c, 0x85, 1, 2}, 9);  // NRI 3, type 5, start.
  push(1, {0x7c, 0x05, 3});
  push(2, {0x7c, 0x45, 4});
  EXPECT_EQ(text(), " 101.1.2.3.4.");
  EXPECT_EQ(recorder_.bytes[0], 9);
}

TEST_F(Depacketiser, DropsAUnitWithoutOneFragment) {
  push(0, {0x7c, 0x85, 1});
  push(2, {0x7c, 0x45, 3});
  push(3, {0x41, 9});
  EXPECT_EQ(text(), " loss 65.9.");
  EXPECT_EQ(depacketiser_.counts().lost, 1);
}

TEST_F(Depacketiser, NotesFragmentsWithoutAnEnd) {
  push(0, {0x7c, 0x85, 1});
  push(1, {0x41, 9});
  push(2, {0x7c, 0x85, 1});
  EXPECT_EQ(text(), " loss 65.9. loss");
}

TEST_F(Depacketiser, PutsPacketsInOrderOverTheWrap) {
  push(65534, {0x41, 1});
  push(0, {0x41, 3});
  push(65535, {0x41, 2});
  push(1, {0x41, 4});
  EXPECT_EQ(text(), " 65.1. 65.2. 65.3. 65.4.");
  EXPECT_EQ(depacketiser_.counts().lost, 0);
}

TEST_F(Depacketiser, DropsPacketsThatComeAgain) {
  push(5, {0x41, 1});
  push(5, {0x41, 1});
  push(7, {0x41, 3});
  push(7, {0x41, 3});
  push(6, {0x41, 2});
  push(4, {0x41, 0});
  EXPECT_EQ(text(), " 65.1. 65.2. 65.3.");
  EXPECT_EQ(depacketiser_.counts().repeated, 3);
}

TEST_F(Depacketiser, NotesAGapOnceThePacketsAfterItFillTheWindow) {
  push(0, {0x41, 0});
  constexpr int kWindow = static_cast<int>(RtpDepacketiser::kWindow);
  for (int i = 0; i < kWindow; ++i) push(3 + i, {0x41, 1});
  EXPECT_EQ(recorder_.text, " 65.0.");
  push(3 + kWindow, {0x41, 1});
  EXPECT_TRUE(recorder_.text.starts_with(" 65.0. loss 65.1."));
  EXPECT_EQ(depacketiser_.counts().lost, 2);
  EXPECT_EQ(recorder_.bytes.size(), static_cast<std::size_t>(kWindow) + 2);
}

TEST_F(Depacketiser, TakesALargeJumpForARestart) {
  push(10, {0x41, 1});
  push(30000, {0x41, 2});
  push(30001, {0x41, 3});
  EXPECT_EQ(text(), " 65.1. loss 65.2. 65.3.");
  EXPECT_EQ(depacketiser_.counts().restarts, 1);
  EXPECT_EQ(depacketiser_.counts().lost, 0);
}

TEST_F(Depacketiser, RejectsWhatTheFormatDoesNotHave) {
  push(0, {25, 0, 0, 0, 1, 0x41});  // STAP-B.
  push(1, {24, 0, 9, 0x67});        // Longer than its packet.
  push(2, {28});                    // No second byte.
  push(3, {28, 0xc1, 1});           // First and last at once.
  push(4, {0xe1, 1});               // forbidden_zero_bit.
  push(5, {0x1f});                  // Type 31.
  push(6, {});                      // Nothing, which is allowed.
  EXPECT_EQ(text(), " loss loss loss loss loss loss");
  EXPECT_EQ(depacketiser_.counts().interleaved, 1);
  EXPECT_EQ(depacketiser_.counts().broken, 5);
}

TEST_F(Depacketiser, TakesAnyBytes) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 20'000; ++i) {
    PacketBytes payload(random() % 8);
    for (std::uint8_t& byte : payload) byte = static_cast<std::uint8_t>(random());
    if (!payload.empty() && random() % 2 == 0) payload[0] = random() % 2 == 0 ? 24 : 28;
    push(static_cast<int>(random() % 100 == 0 ? random() : static_cast<unsigned>(i)), payload);
  }
  text();
  EXPECT_EQ(depacketiser_.counts().packets, 20'000);
}

TEST(RtpPacket, IsReadWithoutExtensionAndPadding) {
  const PacketBytes datagram = joined({{0xb1, 0xe0},
                                       big(513, 2),
                                       big(7, 4),
                                       big(9, 4),
                                       big(1, 4),  // One CSRC.
                                       big(0xbede, 2),
                                       big(1, 2),
                                       big(0, 4),  // An extension.
                                       {0x65, 1, 0, 0, 3}});
  const auto packet = read_rtp(datagram);
  ASSERT_TRUE(packet);
  EXPECT_EQ(packet->payload_type, 96);
  EXPECT_TRUE(packet->has_marker);
  EXPECT_EQ(packet->sequence_number, 513);
  EXPECT_EQ(packet->source, 9u);
  EXPECT_EQ(PacketBytes(packet->payload.begin(), packet->payload.end()), (PacketBytes{0x65, 1}));
  for (std::size_t size = 0; size < 24; ++size) {
    EXPECT_FALSE(
        read_rtp(PacketBytes(datagram.begin(), datagram.begin() + static_cast<long>(size))))
        << size;
  }
}

TEST(RtpPacket, IsNoReportOfRtcp) {
  PacketBytes report = made_rtp(1, {});
  report[1] = 200;
  EXPECT_FALSE(read_rtp(report));
  report[1] = 96;
  report[0] = 0x40;
  EXPECT_FALSE(read_rtp(report));
}

}  // namespace
}  // namespace millrace::h264
