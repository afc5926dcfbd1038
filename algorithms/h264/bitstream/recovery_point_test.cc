// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/recovery_point.h>
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::h264 {
namespace {

// Writes a message of that many bytes, all 0xA5.
void write_message(BitWriter& writer, std::uint32_t type, std::size_t bytes) {
  for (; type >= 255; type -= 255) writer.bits(255, 8);
  writer.bits(type, 8);
  std::size_t size = bytes;
  for (; size >= 255; size -= 255) writer.bits(255, 8);
  writer.bits(size, 8);
  for (std::size_t i = 0; i < bytes; ++i) writer.bits(0xA5, 8);
}

void write_recovery_point(BitWriter& writer) {
  writer.bits(6, 8);
  writer.bits(1, 8);
  writer.ue(2);        // recovery_frame_cnt: 011
  writer.flag(true);   // exact_match_flag
  writer.flag(false);  // broken_link_flag
  writer.bits(0, 2);   // changing_slice_group_idc
  writer.bits(1, 1);   // bit_equal_to_one
}

TEST(RecoveryPointTest, IsFoundAmongOtherMessages) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{254}, std::size_t{255}, std::size_t{256}, std::size_t{1000}}) {
    BitWriter writer;
    write_message(writer, 5, bytes);
    write_message(writer, 300, bytes);
    write_recovery_point(writer);
    write_message(writer, 1, bytes);
    writer.trailing_bits();
    std::optional<RecoveryPoint> point;
    ASSERT_FALSE(find_recovery_point(writer.bytes(), point)) << bytes;
    ASSERT_TRUE(point.has_value()) << bytes;
    EXPECT_EQ(point->frames, 2);
    EXPECT_TRUE(point->is_exact);
    EXPECT_FALSE(point->has_broken_link);
  }
}

TEST(RecoveryPointTest, IsNotInOtherMessages) {
  BitWriter writer;
  write_message(writer, 4, 40);
  writer.trailing_bits();
  std::optional<RecoveryPoint> point;
  EXPECT_FALSE(find_recovery_point(writer.bytes(), point));
  EXPECT_FALSE(point.has_value());
}

TEST(RecoveryPointTest, IsDamagedWhereAMessageIsCut) {
  BitWriter writer;
  write_message(writer, 5, 20);
  for (std::size_t size = 1; size < writer.bytes().size(); ++size) {
    std::vector<std::uint8_t> cut(writer.bytes().begin(),
                                  writer.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    std::optional<RecoveryPoint> point;
    const bool is_one_byte = size == 1;  // Taken for trailing bits.
    EXPECT_EQ(find_recovery_point(cut, point).has_value(), !is_one_byte) << size;
  }
}

}  // namespace
}  // namespace millrace::h264
