// SPDX-License-Identifier: Apache-2.0

// Bits of a macroblock by class of syntax element in CABAC.
#include <millrace/algorithms/h264/bitstream/writers/bit_writer.h>
#include <millrace/algorithms/h264/entropy/cabac/cabac_encoder.h>
#include <millrace/algorithms/h264/entropy/testing/slice_test_input.h>
#include <millrace/algorithms/h264/entropy/testing/write_cabac.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kQp = 28;  // The QP of SliceTestInput.

// P_L0_16x16 with the first 8x8 block of luma and both chroma components coded.
struct Contents {
  int difference_x = 3, difference_y = -2;
  int qp_delta = 0;
  int luma_level = 2;    // The first level of each coded 4x4 block.
  int chroma_level = 2;  // The first level of each DC and AC block; 0: chroma is not coded.
};

using BitsByClass = std::array<int, kSyntaxClasses>;

// Writes a slice of one macroblock. Counts the bits that leave the encoder's register in each class
// but types, of which the slice's first and last bits are.
class CountingWriter {
 public:
  explicit CountingWriter(const Contents& contents) : contents_(contents) {
    write_types();
    count(SyntaxClass::kVectors, [this] {
      write_vector_difference(encoder_, 40, 0, contents_.difference_x);
      write_vector_difference(encoder_, 47, 0, contents_.difference_y);
    });
    write_pattern();
    count(SyntaxClass::kLuma, [this] { write_blocks(2, 16, contents_.luma_level); });
    if (contents_.chroma_level != 0) {
      count(SyntaxClass::kChroma, [this] {
        const std::vector<int> dc = {contents_.chroma_level, 0, -1, 0};
        write_cabac_block(encoder_, 3, 0, dc);
        write_cabac_block(encoder_, 3, 0, dc);
        for (int component = 0; component < 2; ++component) {
          write_blocks(4, 15, contents_.chroma_level);
        }
      });
    }
    encoder_.terminate(true);
    end_ = writer_.position() - 1;  // The last bit is the stop bit.
    writer_.align();
    bits_[static_cast<int>(SyntaxClass::kTypes)] =
        static_cast<int>(end_) - bits_[static_cast<int>(SyntaxClass::kVectors)] -
        bits_[static_cast<int>(SyntaxClass::kLuma)] - bits_[static_cast<int>(SyntaxClass::kChroma)];
  }

  const BitWriter& writer() const { return writer_; }
  const BitsByClass& bits() const { return bits_; }

 private:
  template <class Write>
  void count(SyntaxClass syntax_class, const Write& write) {
    const std::size_t before = encoder_.position();
    write();
    bits_[static_cast<int>(syntax_class)] = static_cast<int>(encoder_.position() - before);
  }

  void write_types() {
    encoder_.bin(11, false);             // mb_skip_flag
    encoder_.bins({14, 15, 16}, "000");  // mb_type P_L0_16x16
  }

  void write_pattern() {
    encoder_.bin(73, true);  // Luma has blocks 0, 1, 2, 3.
    encoder_.bin(73, false);
    encoder_.bin(73, false);
    encoder_.bin(73 + 1 + 2, false);
    encoder_.bin(77, contents_.chroma_level != 0);
    if (contents_.chroma_level != 0) encoder_.bin(77 + 4, true);  // AC, too.
    const int delta = contents_.qp_delta;
    const int code = delta > 0 ? 2 * delta - 1 : -2 * delta;
    for (int k = 0; k <= code; ++k) encoder_.bin(60 + (k == 0 ? 0 : k == 1 ? 2 : 3), k < code);
  }

  // Writes four blocks, which are all coded.
  void write_blocks(int category, std::size_t size, int level) {
    std::vector<int> levels(size, 0);
    levels[0] = level;
    levels[3] = -1;
    for (int block = 0; block < 4; ++block) {
      write_cabac_block(encoder_, category, (block % 2) + 2 * (block / 2), levels);
    }
  }

  const Contents contents_;
  BitWriter writer_;
  CabacEncoder encoder_{writer_, SliceType::kP, 0, kQp};
  BitsByClass bits_ = {};
  std::size_t end_ = 0;
};

BitsByClass parsed_bits(const CountingWriter& written) {
  SliceTestInput input(1, 1, SliceType::kP, true);
  const SliceEnd end = input.parse(written.writer().bytes());
  EXPECT_EQ(end.damage, nullptr);
  BitsByClass bits = {};
  for (int k = 0; k < kSyntaxClasses; ++k) bits[k] = static_cast<int>(input.macroblock(0).bits[k]);
  return bits;
}

BitsByClass parsed_bits(const Contents& contents) { return parsed_bits(CountingWriter(contents)); }

int of(const BitsByClass& bits, SyntaxClass syntax_class) {
  return bits[static_cast<int>(syntax_class)];
}

// Expects that `more` bits are in one class, and in the others as many as before.
void expect_growth(const BitsByClass& before, const BitsByClass& after, SyntaxClass grown,
                   int more) {
  BitsByClass expected = before;
  expected[static_cast<int>(grown)] += more;
  EXPECT_EQ(after, expected);
}

TEST(CabacBits, OfEachClassAreThoseOfTheEncoder) {
  SeededRandom random;
  const auto below = [&](int bound) { return random.integer(0, bound - 1); };
  for (int trial = 0; trial < 500; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const CountingWriter written({.difference_x = below(1 << below(16)),
                                  .difference_y = -below(1 << below(16)),
                                  .qp_delta = below(52) - 26,
                                  .luma_level = 1 + below(1 << below(12)),
                                  .chroma_level = below(3) == 0 ? 0 : 1 + below(1 << below(12))});
    ASSERT_EQ(parsed_bits(written), written.bits());
  }
}

// Bins of suffixes are not adapted: each is one bit, and leaves the others' as they are. A suffix
// of Exp-Golomb of order k has 2 floor(log2(v / 2^k + 1)) + 1 + k of them (clause 9.3.2.3).
TEST(CabacBits, OfLongerVectorsAreVectors) {
  // v is 0, and 8 * 7.
  expect_growth(parsed_bits({.difference_x = 9}), parsed_bits({.difference_x = 9 + 56}),
                SyntaxClass::kVectors, 6);
  expect_growth(parsed_bits({.difference_y = -9}), parsed_bits({.difference_y = -9 - 56}),
                SyntaxClass::kVectors, 6);
}

TEST(CabacBits, OfLongerLevelsAreTheirComponents) {
  // v is 0, and 62: 10 bits more in four blocks of luma, and in two DC and eight AC blocks of
  // chroma.
  expect_growth(parsed_bits({.luma_level = 15}), parsed_bits({.luma_level = 15 + 62}),
                SyntaxClass::kLuma, 4 * 10);
  expect_growth(parsed_bits({.chroma_level = 15}), parsed_bits({.chroma_level = 15 + 62}),
                SyntaxClass::kChroma, (2 + 8) * 10);
}

// Other bins change the range of the arithmetic code, so that a class may have a bit more or less.
TEST(CabacBits, OfOtherElementsAreRoundedToABit) {
  const BitsByClass with = parsed_bits({.chroma_level = 2});
  const BitsByClass without = parsed_bits({.chroma_level = 0});
  EXPECT_EQ(of(without, SyntaxClass::kChroma), 0);
  // Ten blocks, each of two levels with their signs.
  EXPECT_GT(of(with, SyntaxClass::kChroma), 10 * 2);
  EXPECT_NEAR(of(with, SyntaxClass::kLuma), of(without, SyntaxClass::kLuma), 1);
  EXPECT_EQ(of(with, SyntaxClass::kVectors), of(without, SyntaxClass::kVectors));
  // mb_qp_delta of 53 bins.
  const BitsByClass changed = parsed_bits({.qp_delta = -26});
  EXPECT_GT(of(changed, SyntaxClass::kTypes), of(with, SyntaxClass::kTypes) + 5);
  EXPECT_NEAR(of(changed, SyntaxClass::kLuma), of(with, SyntaxClass::kLuma), 1);
  EXPECT_NEAR(of(changed, SyntaxClass::kChroma), of(with, SyntaxClass::kChroma), 1);
  EXPECT_EQ(of(changed, SyntaxClass::kVectors), of(with, SyntaxClass::kVectors));
}

}  // namespace
}  // namespace millrace::h264
