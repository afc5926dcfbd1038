#include <millrace/algorithms/idct/idct.h>

#include <cstdint>
#include <string>

#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/indexed_tasks.h>

namespace millrace::idct {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

// A plane's samples lie in `data` to here.
template <class Sample>
const std::uint8_t* end_of(const BasicPlane<Sample>& plane) {
  return plane.data + plane.stride * (plane.height - 1) + plane.width;
}

bool overlap(const void* a, const void* a_end, const void* b, const void* b_end) {
  return a < b_end && b < a_end;
}

void check(const MacroblockQueue& macroblocks) {
  if (macroblocks.sizes == nullptr) refuse("macroblocks.sizes is null");
  if (macroblocks.coefficients == nullptr) refuse("macroblocks.coefficients is null");
}

template <class Sample>
void check(const BasicPlane<Sample>& plane, const std::string& name, std::size_t count) {
  if (plane.data == nullptr) refuse(name + ".data is null");
  const auto is_whole = [](int size) { return size > 0 && size % kMacroblockWidth == 0; };
  if (!is_whole(plane.width) || !is_whole(plane.height)) {
    refuse(name + " is " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
           " samples; both must be positive multiples of " + std::to_string(kMacroblockWidth));
  }
  if (plane.stride < plane.width) {
    refuse(name + ".stride is " + std::to_string(plane.stride) + "; it is at least the width, " +
           std::to_string(plane.width));
  }
  if (count > plane.macroblock_count()) {
    refuse("macroblocks.count is " + std::to_string(count) + "; " + name + " holds " +
           std::to_string(plane.macroblock_count()));
  }
}

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
  if (macroblocks.count > 0) {
    check(macroblocks);
    if (residual == nullptr) refuse("residual is null");
    const std::size_t samples = kMacroblockSamples * macroblocks.count;
    if (overlap(residual, residual + samples, macroblocks.coefficients,
                macroblocks.coefficients + samples)) {
      refuse("residual overlaps macroblocks.coefficients");
    }
  }
  return run<ResidualTasks>(queue, macroblocks, {macroblocks.coefficients, residual}, options);
}

RunReport reconstruct(Queue& queue, const MacroblockQueue& macroblocks, ConstPlane prediction,
                      Plane output, const RunOptions& options) {
  if (macroblocks.count > 0) {
    check(macroblocks);
    check(prediction, "prediction", macroblocks.count);
    check(output, "output", macroblocks.count);
    if (prediction.width != output.width) {
      refuse("prediction is " + std::to_string(prediction.width) + " samples wide and output " +
             std::to_string(output.width));
    }
    const bool is_in_place = prediction.data == output.data && prediction.stride == output.stride;
    if (!is_in_place && overlap(prediction.data, end_of(prediction), output.data, end_of(output))) {
      refuse("output overlaps prediction and is not the same plane");
    }
  }
  return run<ReconstructionTasks>(queue, macroblocks,
                                  {macroblocks.coefficients, prediction, output}, options);
}

}  // namespace millrace::idct
