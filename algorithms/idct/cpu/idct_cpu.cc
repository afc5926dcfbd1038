// SPDX-License-Identifier: Apache-2.0

// IDCT on the CPU: the runtime's policies over batches of macroblocks, SIMD within a batch.
#include <millrace/algorithms/idct/cpu/idct_simd.h>
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/backends/cpu/host/cache_size.h>
#include <millrace/backends/cpu/task_target.h>

namespace millrace::idct {
namespace {

MacroblockBatch simd_batch(const TaskTag* sizes, const std::int16_t* coefficients,
                           const cpu::Batch& batch) {
  return {.sizes = reinterpret_cast<const TransformSize*>(sizes),
          .coefficients = coefficients,
          .order = batch.order,
          .begin = batch.begin,
          .end = batch.end};
}

}  // namespace
}  // namespace millrace::idct

namespace millrace::cpu {

template <>
struct BatchBody<idct::ResidualTasks> {
  static constexpr bool kDefined = true;

  static void run(const IndexedTasks<idct::ResidualTasks>& items, const Batch& batch) {
    const idct::ResidualArguments& arguments = items.arguments;
    const std::size_t output_bytes = items.count * idct::kMacroblockSamples * sizeof(std::int16_t);
    idct::inverse_transform(idct::simd_batch(items.tags, arguments.coefficients, batch),
                            arguments.residual, stores_for(output_bytes));
  }
};

template <>
struct BatchBody<idct::ReconstructionTasks> {
  static constexpr bool kDefined = true;

  static void run(const IndexedTasks<idct::ReconstructionTasks>& items, const Batch& batch) {
    const idct::ReconstructionArguments& arguments = items.arguments;
    idct::reconstruct(idct::simd_batch(items.tags, arguments.coefficients, batch),
                      arguments.prediction, arguments.output);
  }
};

}  // namespace millrace::cpu

namespace millrace::idct {
namespace {

const cpu::RegisterTasks<ResidualTasks> registered_residual;
const cpu::RegisterTasks<ReconstructionTasks> registered_reconstruction;

}  // namespace
}  // namespace millrace::idct
