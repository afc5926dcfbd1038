// SPDX-License-Identifier: Apache-2.0

// The two types of macroblock as tasks of an indexed queue, for each of the two outputs.
#ifndef MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
#define MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_

#include <millrace/algorithms/idct/idct_cooperative.h>
#include <millrace/algorithms/idct/macroblock.h>
#include <millrace/runtime/tasks/prefetch.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::idct {

// Returns an address as an integer, to test its alignment.
MILLRACE_FUNCTION inline std::uintptr_t address_bits(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

MILLRACE_FUNCTION inline void prefetch_macroblock(const std::int16_t* coefficients, int lane,
                                                  int lanes) {
  for (int octet = lane; octet < kOctets; octet += lanes) prefetch_line(coefficients + 8 * octet);
}

struct ResidualArguments {
  const std::int16_t* coefficients;
  std::int16_t* residual;
};

// Transforms macroblock `index` of n x n blocks.
template <int n>
struct ResidualTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  ResidualArguments arguments;
  std::size_t index;

  MILLRACE_FUNCTION void prefetch(int lane, int lanes) const {
    prefetch_macroblock(arguments.coefficients + kMacroblockSamples * index, lane, lanes);
  }

  // In one queue all macroblocks are aligned or none is, so lanes do not diverge.
  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if ((address_bits(arguments.coefficients) | address_bits(arguments.residual)) % 16 == 0) {
      run<true>(context);
    } else {
      run<false>(context);
    }
  }

 private:
  template <bool kIsAligned, class Context>
  MILLRACE_FUNCTION void run(Context& context) const {
    const std::int16_t* coefficients = arguments.coefficients + kMacroblockSamples * index;
    std::int16_t* residual = arguments.residual + kMacroblockSamples * index;
    inverse_transform_cooperative<n>(
        context, *context.template scratch<TransformScratch>(1),
        [=](int octet, std::int16_t* to) { copy_eight<kIsAligned>(coefficients + 8 * octet, to); },
        [=](const std::int16_t* from, int octet) {
          copy_eight<kIsAligned>(from, residual + 8 * octet);
        });
  }
};

// The types are in the order of TransformSize, whose values are the tags.
struct ResidualTasks : TaskSet<ResidualTask<4>, ResidualTask<8>> {
  using Arguments = ResidualArguments;
};

struct ReconstructionArguments {
  const std::int16_t* coefficients;
  ConstPlane prediction;
  Plane output;
};

// Does as ResidualTask, but adds the residual to a picture.
template <int n>
struct ReconstructionTask {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(TransformScratch);
  static constexpr bool kSpawns = false;
  ReconstructionArguments arguments;
  std::size_t index;

  MILLRACE_FUNCTION void prefetch(int lane, int lanes) const {
    prefetch_macroblock(arguments.coefficients + kMacroblockSamples * index, lane, lanes);
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto picture_bits = address_bits(arguments.prediction.data) |
                              address_bits(arguments.output.data) |
                              static_cast<std::uintptr_t>(arguments.prediction.stride) |
                              static_cast<std::uintptr_t>(arguments.output.stride);
    if (address_bits(arguments.coefficients) % 16 == 0 && picture_bits % 8 == 0) {
      run<true>(context);
    } else {
      run<false>(context);
    }
  }

 private:
  template <bool kIsAligned, class Context>
  MILLRACE_FUNCTION void run(Context& context) const {
    const std::int16_t* coefficients = arguments.coefficients + kMacroblockSamples * index;
    const std::uint8_t* prediction = arguments.prediction.macroblock(index);
    std::uint8_t* output = arguments.output.macroblock(index);
    const std::ptrdiff_t prediction_stride = arguments.prediction.stride;
    const std::ptrdiff_t output_stride = arguments.output.stride;
    inverse_transform_cooperative<n>(
        context, *context.template scratch<TransformScratch>(1),
        [=](int octet, std::int16_t* to) { copy_eight<kIsAligned>(coefficients + 8 * octet, to); },
        [=](const std::int16_t* from, int octet) {
          const int y = octet / 2;
          const int x = octet % 2 * 8;
          reconstruct_eight<kIsAligned>(eight_samples(from), prediction + y * prediction_stride + x,
                                        output + y * output_stride + x);
        });
  }
};

struct ReconstructionTasks : TaskSet<ReconstructionTask<4>, ReconstructionTask<8>> {
  using Arguments = ReconstructionArguments;
};

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_IDCT_TASKS_H_
