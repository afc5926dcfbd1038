// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/encoder/macroblock/level_choice.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace millrace::h264 {
namespace {

// A block of random coefficients, quantised to the nearest levels.
struct RandomBlock {
  RandomBlock(SeededRandom& random, int qp) : quantiser(level_quantiser(qp)) {
    for (int k = 0; k < 16; ++k) {
      const int most = 3000 >> (k / 2);
      const int w = static_cast<int>(random(0, static_cast<std::uint64_t>(2 * most))) - most;
      fine[k] = fine_level(w, quantiser.multipliers_4x4[k], quantiser.shift_4x4);
      levels[k] = static_cast<std::int16_t>(
          quantised_level(w, quantiser.multipliers_4x4[k], quantiser.shift_4x4, 512));
    }
  }

  // Returns squared error + lambda * bits, times 2^20, of other levels.
  std::uint64_t cost(const std::int16_t* of, std::uint64_t lambda) const {
    std::uint64_t error = 0;
    for (int k = 0; k < 16; ++k) error += level_error(fine[k], of[k], quantiser.energies_4x4[k]);
    return error + lambda * rate(of);
  }

  // Bits of a simple code, in 1 / 1024.
  static std::uint32_t rate(const std::int16_t* of) {
    std::uint32_t bits = 1;
    for (int k = 0; k < 16; ++k) bits += of[k] == 0 ? 1 : 3 + 2 * std::abs(of[k]);
    return 1024 * bits;
  }

  const LevelQuantiser quantiser;
  std::int64_t fine[16];
  std::int16_t levels[16];
};

TEST(LevelChoiceTest, LevelsCostNoMoreThanRoundedOnesAndThanNone) {
  SeededRandom random;
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const RandomBlock block(random, static_cast<int>(random(0, 51)));
    const std::uint64_t lambda = random(0, 1 << 22);
    std::int16_t chosen[16];
    for (int k = 0; k < 16; ++k) chosen[k] = block.levels[k];
    const LevelGain gain = choose_levels<16>(chosen, 0, block.fine, block.quantiser.energies_4x4,
                                             lambda, RandomBlock::rate);
    const std::int16_t none[16] = {};
    const std::uint64_t cost = block.cost(chosen, lambda);
    EXPECT_LE(cost, block.cost(block.levels, lambda));
    EXPECT_LE(cost, block.cost(none, lambda));
    EXPECT_EQ(gain.no_bits, RandomBlock::rate(none));
    EXPECT_EQ(gain.gain, block.cost(none, lambda) - cost);
    for (int k = 0; k < 16; ++k) {
      EXPECT_LE(std::abs(chosen[k]), std::abs(block.levels[k]));
      EXPECT_GE(chosen[k] * block.levels[k], 0);
    }
  }
}

TEST(LevelChoiceTest, WithoutAWeightOfBitsNoErrorIsAdded) {
  SeededRandom random;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const RandomBlock block(random, static_cast<int>(random(0, 51)));
    std::int16_t chosen[16];
    for (int k = 0; k < 16; ++k) chosen[k] = block.levels[k];
    choose_levels<16>(chosen, 0, block.fine, block.quantiser.energies_4x4, 0, RandomBlock::rate);
    EXPECT_EQ(block.cost(chosen, 0), block.cost(block.levels, 0));
  }
}

// The energy of a level is the squared error that its samples make.
TEST(LevelChoiceTest, AnErrorOfALevelIsThatOfItsSamples) {
  const LevelQuantiser quantiser = level_quantiser(28);
  // A step of the quantiser at QP 28 is 16, and the transforms keep squares.
  for (const std::uint32_t energy : quantiser.energies_4x4) {
    EXPECT_NEAR(energy / 65536.0, 256, 16);
  }
  for (const std::uint32_t energy : quantiser.energies_8x8) {
    EXPECT_NEAR(energy / 65536.0, 256, 16);
  }
}

}  // namespace
}  // namespace millrace::h264
