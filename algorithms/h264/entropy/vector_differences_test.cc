// SPDX-License-Identifier: Apache-2.0

// Vector differences of all partitions and both lists are read as they are written.
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/testing/inter_slice_writer.h>
#include <millrace/algorithms/h264/entropy/testing/slice_test_input.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kWidth = 3;
constexpr int kHeight = 2;
constexpr int kQp = 28;  // The QP of SliceTestInput.

// The ends of the range (clause 7.4.5.1), those of CABAC's prefix and of its context increments,
// and zero.
constexpr std::int16_t kComponents[] = {-32768, 32767, -8192, 8191, 0,  1,  -1, 2,
                                        3,      8,     -8,    9,    -9, 16, 17, -33};

MacroblockType type_of(Division division) {
  constexpr MacroblockType kTypes[] = {MacroblockType::kInter16x16, MacroblockType::kInter16x8,
                                       MacroblockType::kInter8x16, MacroblockType::kInter8x8};
  return kTypes[static_cast<int>(division)];
}

void expect_read_back(SliceType type, bool is_cabac) {
  SeededRandom random;
  const auto below = [&random](int bound) { return random.integer(0, bound - 1); };
  const auto component = [&] {
    return below(4) == 0 ? static_cast<std::int16_t>(below(65536) - 32768)
                         : kComponents[below(static_cast<int>(std::size(kComponents)))];
  };
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    std::vector<InterMacroblock> macroblocks(kWidth * kHeight);
    for (InterMacroblock& macroblock : macroblocks) {
      macroblock = draw_inter_macroblock(type, below);
      macroblock.draw_differences([&] { return MotionVector{component(), component()}; });
    }
    SliceTestInput input(kWidth, kHeight, type, is_cabac);
    BitWriter writer;
    const InterSliceWriter slice(type, kWidth, macroblocks);
    if (is_cabac) {
      slice.write_cabac(writer, 0, kQp);
      writer.align();
    } else {
      slice.write_cavlc(writer);
      writer.trailing_bits();
    }
    const SliceEnd end = input.parse(writer.bytes());
    ASSERT_EQ(end.damage, nullptr);
    ASSERT_EQ(end.macroblocks, kWidth * kHeight);
    for (int address = 0; address < kWidth * kHeight; ++address) {
      const InterMacroblock& written = macroblocks[static_cast<std::size_t>(address)];
      const Macroblock& read = input.macroblock(address);
      ASSERT_EQ(read.type, type_of(written.division));
      for (int list = 0; list < 2; ++list) {
        for (int block = 0; block < 16; ++block) {
          ASSERT_EQ(read.differences[list][block], written.differences[list][block])
              << "macroblock " << address << ", list " << list << ", block " << block;
        }
        for (int block = 0; block < 4; ++block) {
          ASSERT_EQ(read.references[list][block], (written.lists[block] >> list & 1) - 1);
        }
      }
    }
  }
}

TEST(VectorDifferences, OfPAreExactInCavlc) { expect_read_back(SliceType::kP, false); }

TEST(VectorDifferences, OfPAreExactInCabac) { expect_read_back(SliceType::kP, true); }

TEST(VectorDifferences, OfBothListsOfBAreExactInCavlc) { expect_read_back(SliceType::kB, false); }

TEST(VectorDifferences, OfBothListsOfBAreExactInCabac) { expect_read_back(SliceType::kB, true); }

}  // namespace
}  // namespace millrace::h264
