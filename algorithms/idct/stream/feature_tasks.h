// SPDX-License-Identifier: Apache-2.0

// Features of the residual as tasks: the transform, of which nothing is kept but sums.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_FEATURE_TASKS_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_FEATURE_TASKS_H_

#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// Adds some samples.
MILLRACE_FUNCTION inline void add_samples(EightSamples samples, ResidualFeatures& sums) {
  std::uint32_t absolutes = 0;
  for (int k = 0; k < 8; ++k) {
    const std::int32_t sample = samples.get(k);
    const auto absolute = static_cast<std::uint32_t>(sample < 0 ? -sample : sample);
    absolutes += absolute;
    sums.sum_of_squares += absolute * absolute;
  }
  sums.sum_of_absolutes += absolutes;
}

struct FeatureArguments {
  const std::int16_t* coefficients;
  ResidualFeatures* features;      // Of the first item's picture and those behind it.
  std::uint32_t place_in_picture;  // Of the first item.
  std::uint32_t picture_size;      // In macroblocks.

  MILLRACE_FUNCTION ResidualFeatures* features_of(std::size_t index) const {
    return features + (place_in_picture + static_cast<std::uint32_t>(index)) / picture_size;
  }
};

// Adds what there is of macroblock `index`, of n x n blocks, to its picture's features.
template <int n>
struct FeatureTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  FeatureArguments arguments;
  std::size_t index;

  MILLRACE_FUNCTION void prefetch(int lane, int lanes) const {
    prefetch_macroblock(arguments.coefficients + kMacroblockSamples * index, lane, lanes);
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (address_bits(arguments.coefficients) % 16 == 0) {
      run<true>(context);
    } else {
      run<false>(context);
    }
  }

 private:
  template <bool kIsAligned, class Context>
  MILLRACE_FUNCTION void run(Context& context) const {
    const std::int16_t* coefficients = arguments.coefficients + kMacroblockSamples * index;
    ResidualFeatures sums;
    inverse_transform_cooperative<n>(
        context, *context.template scratch<TransformScratch>(1),
        [=](int place, std::int16_t* to) { copy_eight<kIsAligned>(coefficients + 8 * place, to); },
        [&sums](const std::int16_t* from, int) { add_samples(eight_samples(from), sums); });
    ResidualFeatures* const features = arguments.features_of(index);
    context.add_together(&features->sum_of_squares, sums.sum_of_squares);
    context.add_together(&features->sum_of_absolutes, sums.sum_of_absolutes);
  }
};

// The order of the types is that of TransformSize.
struct FeatureTasks : TaskSet<FeatureTask<4>, FeatureTask<8>> {
  using Arguments = FeatureArguments;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_FEATURE_TASKS_H_
