// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/host_span.h>
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_arguments.h>
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/indexed_tasks.h>

#include <cstdint>

namespace millrace::idct {
namespace {

template <class Set>
RunReport run(Queue& queue, const MacroblockQueue& macroblocks,
              const typename Set::Arguments& arguments, const RunOptions& options) {
  return run_tasks(queue,
                   IndexedTasks<Set>{.tags = reinterpret_cast<const TaskTag*>(macroblocks.sizes),
                                     .count = macroblocks.count,
                                     .arguments = arguments},
                   options);
}

}  // namespace

RunReport inverse_transform(Queue& queue, const MacroblockQueue& macroblocks,
                            std::int16_t* residual, const RunOptions& options) {
  check_residual_arguments(macroblocks, residual);
  return run<ResidualTasks>(queue, macroblocks, {macroblocks.coefficients, residual}, options);
}

RunReport inverse_transform_host(Queue& queue, const MacroblockQueue& macroblocks,
                                 std::int16_t* residual, const RunOptions& options) {
  if (queue.device().info().shares_host_memory) {
    return inverse_transform(queue, macroblocks, residual, options);
  }
  check_residual_arguments(macroblocks, residual);
  const std::size_t count = macroblocks.count;
  const std::size_t samples = kMacroblockSamples * count;
  const auto device = queue.device().shared_from_this();
  Buffer<TransformSize> sizes(device, MemorySpace::kDevice, count);
  Buffer<std::int16_t> coefficients(device, MemorySpace::kDevice, samples);
  Buffer<std::int16_t> output(device, MemorySpace::kDevice, samples);
  copy(queue, sizes.span(), host_span(macroblocks.sizes, count));
  copy(queue, coefficients.span(), host_span(macroblocks.coefficients, samples));
  queue.wait();  // If anything below throws, the caller may reuse the arrays.
  const RunReport report = run<ResidualTasks>(queue, {sizes.data(), coefficients.data(), count},
                                              {coefficients.data(), output.data()}, options);
  copy(queue, host_span(residual, samples), output.span());
  queue.wait();
  return report;
}

RunReport reconstruct(Queue& queue, const MacroblockQueue& macroblocks, ConstPlane prediction,
                      Plane output, const RunOptions& options) {
  check_picture_arguments(macroblocks, prediction, output);
  return run<ReconstructionTasks>(queue, macroblocks,
                                  {macroblocks.coefficients, prediction, output}, options);
}

}  // namespace millrace::idct
