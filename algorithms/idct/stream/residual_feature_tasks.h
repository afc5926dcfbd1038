// SPDX-License-Identifier: Apache-2.0

// Features of the residual as tasks: each transforms a macroblock and keeps only sums of the
// residual.
#ifndef MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURE_TASKS_H_
#define MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURE_TASKS_H_

#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/algorithms/idct/stream/residual_features.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// Adds eight samples to the sums.
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

struct ResidualFeatureArguments {
  const std::int16_t* coefficients;
  ResidualFeatures* features;      // Features of the picture of item 0; the next pictures' follow.
  std::uint32_t index_in_picture;  // Index of item 0 in its picture.
  std::uint32_t picture_size;      // Counted in macroblocks.

  MILLRACE_FUNCTION ResidualFeatures* features_of(std::size_t index) const {
    return features + (index_in_picture + static_cast<std::uint32_t>(index)) / picture_size;
  }
};

// Adds the features of macroblock `index`, of n x n blocks, to those of its picture.
template <int n>
struct ResidualFeatureTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  ResidualFeatureArguments arguments;
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
        [=](int octet, std::int16_t* to) { copy_eight<kIsAligned>(coefficients + 8 * octet, to); },
        [&sums](const std::int16_t* from, int) { add_samples(eight_samples(from), sums); });
    ResidualFeatures* const features = arguments.features_of(index);
    context.add_together(&features->sum_of_squares, sums.sum_of_squares);
    context.add_together(&features->sum_of_absolutes, sums.sum_of_absolutes);
  }
};

// The types are in the order of TransformSize.
struct ResidualFeatureTasks : TaskSet<ResidualFeatureTask<4>, ResidualFeatureTask<8>> {
  using Arguments = ResidualFeatureArguments;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_STREAM_RESIDUAL_FEATURE_TASKS_H_
