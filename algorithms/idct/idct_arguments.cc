// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_arguments.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstdint>
#include <string>

namespace millrace::idct {
namespace {

// The address range of an argument.
struct Range {
  const char* name;
  std::uintptr_t begin;
  std::uintptr_t end;
};

template <class T>
Range range_of(const char* name, const T* data, std::size_t count) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  return {name, begin, begin + count * sizeof(T)};
}

template <class Sample>
Range range_of(const char* name, const picture::BasicPlane<Sample>& plane) {
  return range_of(name, plane.data,
                  static_cast<std::size_t>(plane.stride) * (plane.height - 1) + plane.width);
}

void check_disjoint(const Range& output, const Range& input) {
  if (output.begin < input.end && input.begin < output.end) {
    reject(std::string(output.name) + " overlaps " + input.name + "; the arrays must be disjoint");
  }
}

// Checks `count` first, because the ends of the arrays depend on it.
void check(const MacroblockQueue& macroblocks) {
  if (macroblocks.count > kMaxRoots) {
    reject("macroblocks.count is " + std::to_string(macroblocks.count) + "; it must be at most " +
           std::to_string(kMaxRoots));
  }
  check_not_null("macroblocks.sizes", macroblocks.sizes);
  check_not_null("macroblocks.coefficients", macroblocks.coefficients);
}

void check_disjoint(const Range& output, const MacroblockQueue& macroblocks) {
  check_disjoint(output, range_of("macroblocks.sizes", macroblocks.sizes, macroblocks.count));
  check_disjoint(output, range_of("macroblocks.coefficients", macroblocks.coefficients,
                                  kMacroblockSamples * macroblocks.count));
}

template <class Sample>
void check(const picture::BasicPlane<Sample>& plane, const std::string& name, std::size_t count) {
  check_not_null(name + ".data", plane.data);
  const auto is_whole = [](int size) { return size > 0 && size % kMacroblockWidth == 0; };
  if (!is_whole(plane.width) || !is_whole(plane.height)) {
    reject(name + " is " + std::to_string(plane.width) + "x" + std::to_string(plane.height) +
           " samples; both must be positive multiples of " + std::to_string(kMacroblockWidth));
  }
  if (plane.stride < plane.width) {
    reject(name + ".stride is " + std::to_string(plane.stride) +
           "; it must be at least the width, " + std::to_string(plane.width));
  }
  if (count > plane.macroblock_count()) {
    reject("macroblocks.count is " + std::to_string(count) + "; " + name + " holds " +
           std::to_string(plane.macroblock_count()) + " macroblocks");
  }
}

}  // namespace

void check_residual_arguments(const MacroblockQueue& macroblocks, const std::int16_t* residual) {
  if (macroblocks.count == 0) return;
  check(macroblocks);
  check_not_null("residual", residual);
  check_disjoint(range_of("residual", residual, kMacroblockSamples * macroblocks.count),
                 macroblocks);
}

void check_picture_arguments(const MacroblockQueue& macroblocks, const ConstPlane& prediction,
                             const Plane& output) {
  if (macroblocks.count == 0) return;
  check(macroblocks);
  check(prediction, "prediction", macroblocks.count);
  check(output, "output", macroblocks.count);
  if (prediction.width != output.width) {
    reject("prediction is " + std::to_string(prediction.width) + " samples wide and output " +
           std::to_string(output.width) + "; the widths must match");
  }
  const bool is_in_place = prediction.data == output.data && prediction.stride == output.stride;
  if (!is_in_place) {
    check_disjoint(range_of("output", output), range_of("prediction", prediction));
  }
  check_disjoint(range_of("output", output), macroblocks);
}

}  // namespace millrace::idct
