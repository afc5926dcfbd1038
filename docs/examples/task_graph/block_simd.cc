// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/task_graph/block_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "docs/examples/task_graph/block_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires these after foreach_target.h:
#include <hwy/highway.h>

#include <cstddef>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace millrace::examples {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_CAPPED(double, kBlockSide) kRows;
constexpr std::size_t kLanes = hn::MaxLanes(kRows);
constexpr std::size_t kVectors = kBlockSide / kLanes;  // Vectors of a column of a block.

// As many sums as hide the latency of a multiplication and fit the registers of AVX2.
constexpr std::size_t kSums = 8;
constexpr std::size_t kSumColumns = kSums / kVectors;

// Subtracts kSumColumns columns of the product. A pack instead of a loop keeps sums in registers.
template <std::size_t... kSum>
HWY_INLINE void subtract_columns(double* HWY_RESTRICT c, const double* HWY_RESTRICT a,
                                 const double* HWY_RESTRICT b, int depth,
                                 std::index_sequence<kSum...>) {
  hn::Vec<decltype(kRows)> sums[kSums] = {((void)kSum, hn::Zero(kRows))...};
  for (int k = 0; k < depth; ++k) {
    ((sums[kSum] = hn::MulAdd(hn::LoadU(kRows, a + kSum % kVectors * kLanes),
                              hn::Set(kRows, b[kSum / kVectors]), sums[kSum])),
     ...);
    a += kBlockSide;
    b += kBlockSide;
  }
  (hn::StoreU(hn::Sub(hn::LoadU(kRows, c + kSum * kLanes), sums[kSum]), kRows, c + kSum * kLanes),
   ...);
}

void subtract_product(double* c, const double* a, const double* b, int depth) {
  for (std::size_t column = 0; column < kBlockSide; column += kSumColumns) {
    subtract_columns(c + column * kBlockSide, a, b + column, depth,
                     std::make_index_sequence<kSums>());
  }
}

// Subtracts `factor` times one column of a block from another.
HWY_INLINE void subtract_scaled(double* HWY_RESTRICT column, const double* HWY_RESTRICT other,
                                double factor) {
  const auto factors = hn::Set(kRows, factor);
  for (std::size_t row = 0; row < kBlockSide; row += kLanes) {
    hn::StoreU(
        hn::NegMulAdd(hn::LoadU(kRows, other + row), factors, hn::LoadU(kRows, column + row)),
        kRows, column + row);
  }
}

HWY_INLINE void divide(double* column, double divisor) {
  const auto divisors = hn::Set(kRows, divisor);
  for (std::size_t row = 0; row < kBlockSide; row += kLanes) {
    hn::StoreU(hn::Div(hn::LoadU(kRows, column + row), divisors), kRows, column + row);
  }
}

void solve(double* x, const double* l) {
  for (int column = 0; column < kBlockSide; ++column) {
    double* const now = x + column * kBlockSide;
    for (int k = 0; k < column; ++k) {
      subtract_scaled(now, x + k * kBlockSide, l[k * kBlockSide + column]);
    }
    divide(now, l[column * kBlockSide + column]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::examples
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::examples {

HWY_EXPORT(subtract_product);
HWY_EXPORT(solve);

void subtract_block_product(double* c, const double* a, const double* b, int depth) {
  HWY_DYNAMIC_DISPATCH(subtract_product)(c, a, b, depth);
}

void solve_block(double* x, const double* l) { HWY_DYNAMIC_DISPATCH(solve)(x, l); }

}  // namespace millrace::examples
#endif  // HWY_ONCE
