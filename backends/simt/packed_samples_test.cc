// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/api.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::simt_backend {
namespace {

TEST(PackedSamplesTest, DifferencesOfFourBytesAreAddedUp) {
  EXPECT_EQ(sum_absolute_differences<std::uint8_t>(0x00ff0180, 0xff00037f, 1000),
            1000u + 255 + 255 + 2 + 1);
}

TEST(PackedSamplesTest, DifferencesOfTwoWordsAreAddedUp) {
  EXPECT_EQ(sum_absolute_differences<std::uint16_t>(0x000003ff, 0x03fe0001, 5), 5u + 1022 + 1022);
}

TEST(PackedSamplesTest, BytesAreThoseThatTheSelectorNames) {
  EXPECT_EQ(permute_bytes<0x7430>(0x44332211, 0x88776655), 0x88554411u);
}

TEST(PackedSamplesTest, HalvesAreComparedEachWithItsOwn) {
  EXPECT_EQ(min_halves(0x0001ffff, 0x80000002), 0x00010002u);
  EXPECT_EQ(max_halves(0x0001ffff, 0x80000002), 0x8000ffffu);
}

}  // namespace
}  // namespace millrace::simt_backend
