// The two types of macroblock as tasks of an indexed queue, for each of the two outputs.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_

#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

struct ResidualArguments {
  const std::int16_t* coefficients;
  std::int16_t* residual;
};

// Macroblock `index` of n x n blocks.
template <int n>
struct ResidualTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  ResidualArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::int16_t* coefficients = arguments.coefficients + kMacroblockSamples * index;
    std::int16_t* residual = arguments.residual + kMacroblockSamples * index;
    inverse_transform_cooperative<n>(
        context, *context.template scratch<TransformScratch>(1),
        [=](int place, std::int16_t* to) { copy_eight(coefficients + 8 * place, to); },
        [=](const std::int16_t* from, int place) { copy_eight(from, residual + 8 * place); });
  }
};

// The order of the types is that of TransformSize, whose values are the tags.
struct ResidualTasks : TaskSet<ResidualTask<4>, ResidualTask<8>> {
  using Arguments = ResidualArguments;
};

struct ReconstructionArguments {
  const std::int16_t* coefficients;
  ConstPlane prediction;
  Plane output;
};

// As ResidualTask, into a picture.
template <int n>
struct ReconstructionTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  ReconstructionArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::int16_t* coefficients = arguments.coefficients + kMacroblockSamples * index;
    const std::uint8_t* prediction = arguments.prediction.macroblock(index);
    std::uint8_t* output = arguments.output.macroblock(index);
    const std::ptrdiff_t prediction_stride = arguments.prediction.stride;
    const std::ptrdiff_t output_stride = arguments.output.stride;
    inverse_transform_cooperative<n>(
        context, *context.template scratch<TransformScratch>(1),
        [=](int place, std::int16_t* to) { copy_eight(coefficients + 8 * place, to); },
        [=](const std::int16_t* from, int place) {
          const int y = place / 2;
          const int x = place % 2 * 8;
          reconstruct_eight(eight_samples(from), prediction + y * prediction_stride + x,
                            output + y * output_stride + x);
        });
  }
};

struct ReconstructionTasks : TaskSet<ReconstructionTask<4>, ReconstructionTask<8>> {
  using Arguments = ReconstructionArguments;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
