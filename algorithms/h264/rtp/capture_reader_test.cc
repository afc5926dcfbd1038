// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_reader.h>
#include <millrace/algorithms/h264/rtp/made_packets.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

struct Read {
  std::vector<PacketBytes> packets;
  std::vector<int> link_types;
  std::vector<bool> are_cut;
  std::string problem;
};

Read read_all(const PacketBytes& file) {
  CaptureReader reader(reader_of(file), "test");
  CapturedPacket packet;
  Read read;
  while (reader.next(packet)) {
    read.packets.emplace_back(packet.bytes.begin(), packet.bytes.end());
    read.link_types.push_back(packet.link_type);
    read.are_cut.push_back(packet.is_cut);
    EXPECT_TRUE(std::equal(packet.bytes.begin(), packet.bytes.end(),
                           file.begin() + static_cast<std::ptrdiff_t>(packet.position)));
  }
  read.problem = reader.problem();
  return read;
}

// A block of pcapng in either byte order.
PacketBytes block(bool is_big, std::uint32_t type, PacketBytes body) {
  while (body.size() % 4 != 0) body.push_back(0);
  const auto number = [&](std::uint64_t value) {
    return is_big ? big(value, 4) : little(value, 4);
  };
  return joined({number(type), number(body.size() + 12), body, number(body.size() + 12)});
}

PacketBytes section(bool is_big) {
  const auto number = [&](std::uint64_t value, int bytes) {
    return is_big ? big(value, bytes) : little(value, bytes);
  };
  return block(is_big, 0x0a0d0d0a,
               joined({number(0x1a2b3c4d, 4), number(1, 2), number(0, 2), PacketBytes(8, 0xff)}));
}

TEST(CaptureReader, ReadsPcap) {
  const Read read = read_all(made_pcap({{1, 2, 3}, {}, {4}}, 101));
  EXPECT_EQ(read.packets, (std::vector<PacketBytes>{{1, 2, 3}, {}, {4}}));
  EXPECT_EQ(read.link_types, (std::vector<int>{101, 101, 101}));
  EXPECT_EQ(read.problem, "");
}

TEST(CaptureReader, ReadsBigEndianNanosecondsAndCutPackets) {
  const PacketBytes file = joined({big(0xa1b23c4d, 4),
                                   big(2, 2),
                                   big(4, 2),
                                   big(0, 8),
                                   big(65535, 4),
                                   big(1, 4),
                                   big(0, 8),
                                   big(2, 4),
                                   big(9, 4),
                                   {7, 8}});
  const Read read = read_all(file);
  EXPECT_EQ(read.packets, (std::vector<PacketBytes>{{7, 8}}));
  EXPECT_TRUE(read.are_cut[0]);
}

TEST(CaptureReader, ReadsBlocksOfPcapngInBothByteOrders) {
  const PacketBytes file = joined({
      section(false),
      block(false, 1, joined({little(1, 2), little(0, 2), little(0, 4)})),
      block(false, 1, joined({little(101, 2), little(0, 2), little(3, 4)})),
      block(false, 0x0bad, {1, 2, 3}),  // A block of another kind.
      block(false, 6, joined({little(1, 4), little(0, 8), little(2, 4), little(2, 4), {5, 6}})),
      block(false, 2,
            joined({little(0, 2), little(0, 2), little(0, 8), little(1, 4), little(4, 4), {7}})),
      section(true),
      block(true, 1, joined({big(113, 2), big(0, 2), big(2, 4)})),
      block(true, 3, joined({big(5, 4), {8, 9}})),
  });
  const Read read = read_all(file);
  EXPECT_EQ(read.packets, (std::vector<PacketBytes>{{5, 6}, {7}, {8, 9}}));
  EXPECT_EQ(read.link_types, (std::vector<int>{101, 1, 113}));
  EXPECT_EQ(read.are_cut, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(read.problem, "");
}

TEST(CaptureReader, RejectsOtherFiles) {
  EXPECT_THROW(read_all({}), Error);
  EXPECT_THROW(read_all(PacketBytes(100, 0)), Error);
  PacketBytes version = made_pcap({});
  version[4] = 3;
  EXPECT_THROW(read_all(version), Error);
}

TEST(CaptureReader, SaysWhereAFileIsCut) {
  const PacketBytes file = made_pcap({{1, 2, 3, 4}, {5, 6}});
  for (std::size_t size = 24; size < file.size(); ++size) {
    const Read read = read_all(PacketBytes(file.begin(), file.begin() + static_cast<long>(size)));
    const bool is_whole = size == 24 || size == 24 + 16 + 4;
    EXPECT_EQ(read.problem.empty(), is_whole) << size;
    EXPECT_EQ(read.packets.size(), size < 24 + 16 + 4 ? 0u : 1u) << size;
  }
}

TEST(CaptureReader, SaysWhatIsDamaged) {
  PacketBytes file = made_pcap({{1}});
  file[24 + 8 + 3] = 0xff;  // The packet's length.
  EXPECT_EQ(read_all(file).problem,
            "the capture is damaged: a packet of 4278190081 bytes at byte 24");
  const PacketBytes odd = joined({section(false), little(6, 4), little(13, 4), PacketBytes(20, 0)});
  EXPECT_EQ(read_all(odd).problem, "the capture is damaged: a block of 13 bytes at byte 28");
}

TEST(CaptureReader, PassesOverPacketsOfNoInterface) {
  const PacketBytes file = joined(
      {section(false),
       block(false, 6, joined({little(3, 4), little(0, 8), little(1, 4), little(1, 4), {5}}))});
  const Read read = read_all(file);
  EXPECT_TRUE(read.packets.empty());
  EXPECT_EQ(read.problem, "");
}

}  // namespace
}  // namespace millrace::h264
