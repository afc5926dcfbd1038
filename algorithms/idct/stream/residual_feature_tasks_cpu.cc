// SPDX-License-Identifier: Apache-2.0

// Features of the residual on the CPU: SIMD for a window of macroblocks, whose residual stays in
// the caches, then their sums.
#include <millrace/algorithms/idct/cpu/idct_simd.h>
#include <millrace/algorithms/idct/stream/residual_feature_tasks.h>
#include <millrace/backends/cpu/task_target.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace millrace::idct {
namespace {

// Macroblocks transformed together: 16 KiB of residual.
constexpr std::size_t kWindow = 32;

// Adds a macroblock's samples to the sums. Compilers vectorise its loop.
void add_macroblock(const std::int16_t* residual, ResidualFeatures& sums) {
  std::uint64_t squares = 0;
  std::uint32_t absolutes = 0;
  for (int i = 0; i < kMacroblockSamples; ++i) {
    const std::int32_t sample = residual[i];
    squares += static_cast<std::uint32_t>(sample * sample);
    absolutes += static_cast<std::uint32_t>(sample < 0 ? -sample : sample);
  }
  sums.sum_of_squares += squares;
  sums.sum_of_absolutes += absolutes;
}

void add(const ResidualFeatures& sums, ResidualFeatures* to) {
  std::atomic_ref(to->sum_of_squares).fetch_add(sums.sum_of_squares, std::memory_order_relaxed);
  std::atomic_ref(to->sum_of_absolutes).fetch_add(sums.sum_of_absolutes, std::memory_order_relaxed);
}

// Adds macroblocks first..first+count-1, at most kWindow of them, to their pictures' features.
void add_window(const IndexedTasks<ResidualFeatureTasks>& items, std::size_t first,
                std::size_t count) {
  const ResidualFeatureArguments& arguments = items.arguments;
  alignas(64) std::int16_t residual[kMacroblockSamples * kWindow];
  inverse_transform({.sizes = reinterpret_cast<const TransformSize*>(items.tags) + first,
                     .coefficients = arguments.coefficients + kMacroblockSamples * first,
                     .end = count},
                    residual);
  ResidualFeatures sums;
  for (std::size_t m = 0; m < count; ++m) {
    add_macroblock(residual + kMacroblockSamples * m, sums);
    ResidualFeatures* const to = arguments.features_of(first + m);
    if (m + 1 < count && arguments.features_of(first + m + 1) == to) continue;
    add(sums, to);
    sums = {};
  }
}

}  // namespace
}  // namespace millrace::idct

namespace millrace::cpu {

template <>
struct BatchBody<idct::ResidualFeatureTasks> {
  static constexpr bool kDefined = true;

  static void run(const IndexedTasks<idct::ResidualFeatureTasks>& items, const Batch& batch) {
    const std::size_t step = batch.order == nullptr ? idct::kWindow : 1;
    for (std::size_t i = batch.begin; i < batch.end; i += step) {
      const std::size_t first = batch.order == nullptr ? i : batch.order[i];
      idct::add_window(items, first, std::min(step, batch.end - i));
    }
  }
};

}  // namespace millrace::cpu

namespace millrace::idct {
namespace {

const cpu::RegisterTasks<ResidualFeatureTasks> registered_features;

}  // namespace
}  // namespace millrace::idct
