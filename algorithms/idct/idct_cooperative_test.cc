// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/random_macroblocks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace millrace::idct {
namespace {

// Returns the largest number of different words that one access of `bytes` per lane requests from
// one of 32 banks of 4 bytes. `offsets` are the lanes' offsets in bytes. The hardware serves 128
// bytes at a time.
int worst_bank_conflict(const std::vector<std::ptrdiff_t>& offsets, int bytes) {
  const std::size_t lanes_at_a_time = std::min<std::size_t>(offsets.size(), 128 / bytes);
  std::size_t worst = 0;
  for (std::size_t first = 0; first < offsets.size(); first += lanes_at_a_time) {
    std::map<std::ptrdiff_t, std::set<std::ptrdiff_t>> words_of_bank;
    for (std::size_t lane = first; lane < first + lanes_at_a_time; ++lane) {
      for (int byte = 0; byte < bytes; byte += 2) {
        const std::ptrdiff_t word = (offsets[lane] + byte) / 4;
        words_of_bank[word % 32].insert(word);
      }
    }
    for (const auto& [bank, words] : words_of_bank) worst = std::max(worst, words.size());
  }
  return static_cast<int>(worst);
}

// Returns the offset in bytes of `sample` for each of the 32 octets.
template <class Sample>
std::vector<std::ptrdiff_t> offsets_of(const Sample& sample) {
  static ScratchMacroblock macroblock;
  std::vector<std::ptrdiff_t> offsets;
  for (int octet = 0; octet < kOctets; ++octet) {
    offsets.push_back(2 * (sample(macroblock, octet) - macroblock.at(0, 0)));
  }
  return offsets;
}

TEST(ScratchMacroblock, HasNoBankConflictsByOctet) {
  const auto offsets = offsets_of(
      [](ScratchMacroblock& macroblock, int octet) { return macroblock.at_octet(octet); });
  EXPECT_EQ(worst_bank_conflict(offsets, 16), 1);
}

TEST(ScratchMacroblock, HasNoBankConflictsByColumn) {
  for (int row = 0; row < 8; ++row) {
    const auto offsets = offsets_of([row](ScratchMacroblock& macroblock, int octet) {
      return macroblock.at(octet / 16 * 8, octet % 16) + row_offset(row);
    });
    EXPECT_EQ(worst_bank_conflict(offsets, 2), 1) << "row " << row;
  }
}

template <int n>
void expect_no_conflicts_by_transposed_row() {
  for (int k = 0; k < 8; ++k) {
    const auto offsets = offsets_of([k](ScratchMacroblock& macroblock, int octet) {
      const int y = octet / 2 / n * n;
      const int x = octet % 2 * 8 + k / n * n + octet / 2 % n;
      return macroblock.at(y, x) + row_offset(k % n);
    });
    EXPECT_EQ(worst_bank_conflict(offsets, 2), 1) << n << "x" << n << ", sample " << k;
  }
}

TEST(ScratchMacroblock, HasNoBankConflictsByTransposedRow) {
  expect_no_conflicts_by_transposed_row<4>();
  expect_no_conflicts_by_transposed_row<8>();
}

TEST(ScratchMacroblock, HoldsEverySampleOnce) {
  ScratchMacroblock macroblock;
  std::set<const std::int16_t*> samples;
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) samples.insert(macroblock.at(y, x));
  }
  EXPECT_EQ(samples.size(), 256U);
  EXPECT_LE(*samples.rbegin() - *samples.begin() + 1,
            static_cast<std::ptrdiff_t>(sizeof(macroblock) / 2));
}

TEST(RegisterInt16, WrapsAsWrappedInt16Does) {
  SeededRandom random;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    RegisterInt16 in_register[8];
    WrappedInt16 wrapped[8];
    for (int k = 0; k < 8; ++k) {
      const int value = random.integer(0, 3) == 0 ? random.integer(0, 1) * 65535 - 32768
                                                  : random.integer(-32768, 32767);
      in_register[k].value = value;
      wrapped[k].value = static_cast<std::int16_t>(value);
    }
    inverse_transform_1d(in_register);
    inverse_transform_1d(wrapped);
    for (int k = 0; k < 8; ++k) {
      EXPECT_EQ(static_cast<std::int16_t>(in_register[k].value), wrapped[k].value);
    }
  }
}

TEST(EightSamples, AreSignedAndInOrder) {
  alignas(16) const std::int16_t samples[8] = {1, -2, 32767, -32768, 5, 6, -7, 0};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(eight_samples(samples).get(k), samples[k]);
}

TEST(ReconstructEight, EqualsReconstructSampleAtAnyAddress) {
  SeededRandom random;
  for (int shift = 0; shift < 8; ++shift) {
    alignas(16) std::int16_t residual[8];
    alignas(8) std::uint8_t prediction[16];
    alignas(8) std::uint8_t output[16] = {};
    for (std::int16_t& sample : residual)
      sample = static_cast<std::int16_t>(random.integer(-300, 300));
    residual[0] = 32767;
    residual[1] = -32768;
    for (std::uint8_t& sample : prediction)
      sample = static_cast<std::uint8_t>(random.integer(0, 255));
    const auto expect_sums = [&] {
      for (int k = 0; k < 8; ++k) {
        EXPECT_EQ(output[shift + k], reconstruct_sample(prediction[shift + k], residual[k]));
      }
    };
    reconstruct_eight<false>(eight_samples(residual), prediction + shift, output + shift);
    expect_sums();
    if (shift > 0) continue;
    for (std::uint8_t& sample : output) sample = 0;
    reconstruct_eight<true>(eight_samples(residual), prediction, output);
    expect_sums();
  }
}

}  // namespace
}  // namespace millrace::idct
