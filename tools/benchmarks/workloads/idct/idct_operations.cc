// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_operations.h>

#include <algorithm>

namespace millrace::tools {
namespace {

// A sample that counts the operations that made it and those of the samples it was made of before.
struct CountedSample {
  int* count = nullptr;

  CountedSample counted() const {
    ++*count;
    return *this;
  }
  friend CountedSample operator+(CountedSample a, CountedSample) { return a.counted(); }
  friend CountedSample operator-(CountedSample a, CountedSample) { return a.counted(); }
  friend CountedSample operator>>(CountedSample a, int) { return a.counted(); }
};

// Returns the operations of a row or column of n samples.
template <int n>
int line_operations() {
  int count = 0;
  CountedSample line[n];
  std::ranges::fill(line, CountedSample{&count});
  idct::inverse_transform_1d(line);
  return count;
}

// Blocks have n rows and n columns, and each sample is rounded by an addition and a shift.
template <int n>
double macroblock_operations() {
  constexpr int kBlocks = static_cast<int>(idct::kMacroblockSamples) / (n * n);
  constexpr int kRounding = 2;
  return kBlocks * (2 * n * line_operations<n>() + kRounding * n * n);
}

}  // namespace

double idct_operations(idct::TransformSize size) {
  return size == idct::TransformSize::k4x4 ? macroblock_operations<4>()
                                           : macroblock_operations<8>();
}

double idct_operations(std::span<const idct::TransformSize> sizes) {
  const auto of_4x4 = static_cast<double>(std::ranges::count(sizes, idct::TransformSize::k4x4));
  const double of_8x8 = static_cast<double>(sizes.size()) - of_4x4;
  return of_4x4 * idct_operations(idct::TransformSize::k4x4) +
         of_8x8 * idct_operations(idct::TransformSize::k8x8);
}

}  // namespace millrace::tools
