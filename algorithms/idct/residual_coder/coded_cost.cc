// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/residual_coder/coded_cost.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/idct/residual_coder/coded_cost.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires this after foreach_target.h:
#include <hwy/highway.h>

#include <array>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace millrace::idct {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sets bit x of coded_rows[y] for every level [y][x] that is not zero. Returns the sum of the
// biased exponents of all levels as floats: 126 + bit_width(|level|), or 0 for 0.
int scan_levels(const std::int16_t* levels, std::uint16_t* coded_rows) {
#if HWY_TARGET == HWY_SCALAR
  int exponents = 0;
  for (int y = 0; y < kMacroblockWidth; ++y) {
    coded_rows[y] = 0;
    for (int x = 0; x < kMacroblockWidth; ++x) {
      const int level = levels[kMacroblockWidth * y + x];
      const auto magnitude = static_cast<unsigned>(level < 0 ? -level : level);
      coded_rows[y] |= static_cast<std::uint16_t>((level != 0 ? 1U : 0U) << x);
      exponents += level != 0 ? 126 + static_cast<int>(std::bit_width(magnitude)) : 0;
    }
  }
  return exponents;
#else
  const hn::CappedTag<std::int16_t, kMacroblockWidth> d;
  const hn::Half<decltype(d)> half;
  const hn::RepartitionToWide<decltype(d)> wide;
  const hn::Rebind<float, decltype(wide)> real;
  const auto exponent = [&](auto magnitude) HWY_ATTR {
    const auto value = hn::ConvertTo(real, hn::PromoteTo(wide, magnitude));
    return hn::ShiftRight<23>(hn::BitCast(wide, value));
  };
  auto exponents = hn::Zero(wide);
  for (int y = 0; y < kMacroblockWidth; ++y) {
    std::uint8_t bits[8] = {};
    for (std::size_t x = 0; x < kMacroblockWidth; x += hn::Lanes(d)) {
      const auto level = hn::LoadU(d, levels + kMacroblockWidth * y + x);
      hn::StoreMaskBits(d, hn::Ne(level, hn::Zero(d)), bits + x / 8);
      const auto magnitude = hn::Abs(level);
      exponents = hn::Add(exponents, exponent(hn::LowerHalf(half, magnitude)));
      exponents = hn::Add(exponents, exponent(hn::UpperHalf(half, magnitude)));
    }
    coded_rows[y] = static_cast<std::uint16_t>(bits[0] | bits[1] << 8);
  }
  return static_cast<int>(hn::GetLane(hn::SumOfLanes(wide, exponents)));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::idct
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::idct {
namespace {

HWY_EXPORT(scan_levels);

// zigzag[j][i] is the position of coefficient c_ij in the zig-zag order of an n x n block.
template <int n>
constexpr std::array<std::array<std::uint8_t, n>, n> zigzag_order() {
  std::array<std::array<std::uint8_t, n>, n> order = {};
  std::uint8_t k = 0;
  for (int diagonal = 0; diagonal <= 2 * (n - 1); ++diagonal) {
    for (int step = 0; step <= diagonal; ++step) {
      const int i = diagonal % 2 == 1 ? step : diagonal - step;
      const int j = diagonal - i;
      if (i < n && j < n) {
        order[j][i] = k++;
      }
    }
  }
  return order;
}

// kScattered<n>[j][i / 4][four] moves four adjacent elements of row j in a block, a bit each, to
// their positions in zig-zag order.
template <int n>
constexpr auto kScattered = [] {
  constexpr auto kOrder = zigzag_order<n>();
  std::array<std::array<std::array<std::uint64_t, 16>, n / 4>, n> positions = {};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      for (int four = 0; four < 16; ++four) {
        positions[j][i / 4][four] |= std::uint64_t{four >> (i % 4) & 1U} << kOrder[j][i];
      }
    }
  }
  return positions;
}();

constexpr std::array<std::uint8_t, 64> kRunBits = [] {
  std::array<std::uint8_t, 64> bits = {};
  for (unsigned run = 0; run < 64; ++run) {
    bits[run] = static_cast<std::uint8_t>(2 * std::bit_width(run + 1) - 1);
  }
  return bits;
}();

// Returns the bits of ue(run) of each coded level, given a bit for each position in zig-zag order.
// A run of zero takes one bit, so only the runs of zeros are visited.
int run_bits(std::uint64_t coded) {
  int bits = std::popcount(coded);
  for (std::uint64_t ends = coded & ~(coded << 1); ends != 0; ends &= ends - 1) {
    const int end = std::countr_zero(ends);
    const int begin = std::bit_width(coded & ((std::uint64_t{1} << end) - 1));
    bits += kRunBits[end - begin] - 1;
  }
  return bits;
}

template <int n>
int all_run_bits(const std::array<std::uint16_t, kMacroblockWidth>& coded_rows) {
  int bits = 0;
  for (int by = 0; by < kMacroblockWidth; by += n) {
    for (int bx = 0; bx < kMacroblockWidth; bx += n) {
      std::uint64_t block = 0;
      for (int j = 0; j < n; ++j) {
        const unsigned row = static_cast<unsigned>(coded_rows[by + j]) >> bx;
        for (int i = 0; i < n; i += 4) {
          block |= kScattered<n>[j][i / 4][row >> i & 15U];
        }
      }
      bits += run_bits(block);
    }
  }
  return bits;
}

}  // namespace

CodedCost coded_cost(TransformSize size, const std::int16_t (&levels)[kMacroblockSamples]) {
  std::array<std::uint16_t, kMacroblockWidth> coded_rows;
  const int exponents = HWY_DYNAMIC_DISPATCH(scan_levels)(levels, coded_rows.data());
  int coded = 0;
  for (const std::uint16_t row : coded_rows) {
    coded += std::popcount(row);
  }
  const bool is_4x4 = size == TransformSize::k4x4;
  int bits = is_4x4 ? 16 : 4;
  if (coded > 0) {
    bits += 2 * exponents - (2 * 126 - 1) * coded;  // se(level): 2 * bit_width(|level|) + 1.
    bits += is_4x4 ? all_run_bits<4>(coded_rows) : all_run_bits<8>(coded_rows);
  }
  return {bits, kMacroblockSamples - coded};
}

}  // namespace millrace::idct
#endif  // HWY_ONCE
