// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace millrace::c {
namespace {

using motion::MotionVector;

motion::Precision precision_of(millrace_precision precision) {
  switch (precision) {
    case MILLRACE_INTEGER: return motion::Precision::kInteger;
    case MILLRACE_HALF: return motion::Precision::kHalf;
    case MILLRACE_QUARTER: return motion::Precision::kQuarter;
  }
  reject("arguments->precision is " + std::to_string(static_cast<int>(precision)) +
         "; it must be MILLRACE_INTEGER, MILLRACE_HALF or MILLRACE_QUARTER");
}

static_assert(motion::kPartitions == MILLRACE_PARTITIONS);
static_assert(sizeof(MotionVector) == sizeof(millrace_vector));

// Returns the number of elements of one picture's results.
std::size_t field_size(const millrace_motion_arguments& arguments) {
  constexpr auto kWidth = static_cast<std::size_t>(motion::kMacroblockWidth);
  return motion::kPartitions * (static_cast<std::size_t>(arguments.width) / kWidth) *
         (static_cast<std::size_t>(arguments.height) / kWidth);
}

// Searches the clip on a device or a group. The estimator checks the other arguments.
template <class Sample, class On>
void search(const On& on, const millrace_motion_arguments& arguments) {
  motion::MotionEstimator<Sample> estimator(
      on, arguments.width, arguments.height,
      {.search = {.range = arguments.range,
                  .lambda = arguments.lambda,
                  .precision = precision_of(arguments.precision)}});
  const auto* const samples = static_cast<const Sample*>(arguments.samples);
  const std::size_t picture =
      static_cast<std::size_t>(arguments.width) * static_cast<std::size_t>(arguments.height);
  const std::size_t field = field_size(arguments);
  estimator.run({
      .produce =
          [&](motion::InputPicture<Sample>& input) {
            if (input.index == arguments.frames) return false;
            input.source = samples + input.index * picture;
            return true;
          },
      .consume =
          [&](const motion::PictureMotion& found) {
            if (found.references == 0) return;
            const std::size_t first = (found.index - 1) * field;
            std::memcpy(arguments.vectors + first, found.vectors[0].data(),
                        field * sizeof(MotionVector));
            if (arguments.costs == nullptr) return;
            std::memcpy(arguments.costs + first, found.costs[0].data(),
                        field * sizeof(std::uint32_t));
          },
  });
}

template <class On>
void search_samples(const On& on, const millrace_motion_arguments* arguments) {
  const auto given = read_struct(arguments, "arguments", &millrace_motion_arguments::costs);
  if (given.frames > 0) check_not_null(given.samples, "arguments->samples");
  if (given.frames > 1) check_not_null(given.vectors, "arguments->vectors");
  if (given.sample_bytes == 1) return search<std::uint8_t>(on, given);
  if (given.sample_bytes == 2) return search<std::uint16_t>(on, given);
  reject("arguments->sample_bytes is " + std::to_string(given.sample_bytes) +
         "; it must be 1 or 2");
}

}  // namespace

extern "C" {

millrace_status millrace_motion_search(millrace_device* device,
                                       const millrace_motion_arguments* arguments) {
  return call([&] { search_samples(find_device(device), arguments); });
}

millrace_status millrace_group_motion_search(millrace_group* group,
                                             const millrace_motion_arguments* arguments) {
  return call([&] {
    const GroupUse use(group);
    search_samples(use.group(), arguments);
  });
}

millrace_status millrace_motion_lambda(int32_t qp, int32_t* lambda) {
  return call([&] {
    check_not_null(lambda, "lambda");
    *lambda = motion::motion_lambda(qp);
  });
}

}  // extern "C"

}  // namespace millrace::c
