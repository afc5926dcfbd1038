// SPDX-License-Identifier: Apache-2.0

// Taps of 4x4 intra predictions against intra_sample().
#include <millrace/algorithms/h264/encoder/cpu/intra_tap.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace millrace::h264 {
namespace {

int sample_of(const IntraEdge<4>& edge, IntraTap tap) {
  const int i = tap.position;
  switch (tap.line) {
    case kLineOfSamples: return edge.line[i];
    case kLineOfMean2: return edge.mean2(i);
    default: return i > 0 ? edge.mean3(i) : (3 * edge.line[0] + edge.line[1] + 2) >> 2;
  }
}

TEST(IntraTap, GivesTheSampleOfEachMode) {
  SeededRandom random;
  IntraEdge<4> edge;
  for (std::uint8_t& sample : edge.line) sample = static_cast<std::uint8_t>(random(0, 255));
  for (int mode = 0; mode < 9; ++mode) {
    if (mode == kIntraDc) continue;
    for (int k = 0; k < 16; ++k) {
      EXPECT_EQ(sample_of(edge, intra_tap(mode, k % 4, k / 4)),
                intra_sample(edge, mode, k % 4, k / 4))
          << "mode " << mode << ", sample " << k;
    }
  }
}

TEST(IntraTaps, MaskSelectsTheLineOfEachSample) {
  for (int mode = 0; mode < 9; ++mode) {
    if (mode == kIntraDc) continue;
    const IntraTaps taps = intra_taps(mode);
    for (int k = 0; k < 16; ++k) {
      const IntraTap tap = intra_tap(mode, k % 4, k / 4);
      EXPECT_EQ(taps.index[k], tap.position);
      for (int line = 0; line < 3; ++line) {
        EXPECT_EQ(taps.mask[line][k], line == tap.line ? 255 : 0);
        EXPECT_LE(taps.mask[line][k] != 0, taps.has_line[line]);
      }
    }
  }
}

}  // namespace
}  // namespace millrace::h264
