// The two types of macroblock as tasks of an indexed queue, for each of the two outputs.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_

#include <millrace/algorithms/idct/idct_math.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

struct ResidualArguments {
  const std::int16_t* coefficients;
  std::int16_t* residual;
};

// Macroblock `index` of n x n blocks; lanes share the blocks.
template <int n>
struct ResidualTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  ResidualArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::int16_t* residual = arguments.residual + kMacroblockSamples * index;
    inverse_transform_macroblock<n>(arguments.coefficients + kMacroblockSamples * index,
                                    context.lane(), context.lanes(),
                                    [residual](int y, int x, std::int16_t sample) {
                                      residual[kMacroblockWidth * y + x] = sample;
                                    });
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
  ReconstructionArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint8_t* from = arguments.prediction.macroblock(index);
    std::uint8_t* to = arguments.output.macroblock(index);
    const std::ptrdiff_t from_stride = arguments.prediction.stride;
    const std::ptrdiff_t to_stride = arguments.output.stride;
    inverse_transform_macroblock<n>(
        arguments.coefficients + kMacroblockSamples * index, context.lane(), context.lanes(),
        [=](int y, int x, std::int16_t sample) {
          to[y * to_stride + x] = reconstruct_sample(from[y * from_stride + x], sample);
        });
  }
};

struct ReconstructionTasks : TaskSet<ReconstructionTask<4>, ReconstructionTask<8>> {
  using Arguments = ReconstructionArguments;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
