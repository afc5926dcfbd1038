// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/core/check.h>

#include <cstddef>
#include <span>
#include <string>

namespace millrace::motion {
namespace {

template <class Sample>
std::string size_of(const LumaPlane<Sample>& plane) {
  return std::to_string(plane.width) + "x" + std::to_string(plane.height) + " samples";
}

// Returns "frames[2]", or "frame" if it is the only one.
std::string element_name(const std::string& noun, std::size_t index, std::size_t count) {
  return count == 1 ? noun : noun + "s[" + std::to_string(index) + "]";
}

template <class Sample>
void check_plane(const std::string& name, const LumaPlane<Sample>& plane) {
  check_not_null(name + ".data", plane.data);
  const auto is_whole = [](int size) {
    return size > 0 && size <= kMostPictureSize && size % kMacroblockWidth == 0;
  };
  if (!is_whole(plane.width) || !is_whole(plane.height)) {
    reject(name + " is " + size_of(plane) + "; both must be positive multiples of " +
           std::to_string(kMacroblockWidth) + ", at most " + std::to_string(kMostPictureSize));
  }
  if (plane.stride < plane.width) {
    reject(name + ".stride is " + std::to_string(plane.stride) +
           "; it must be at least the width, " + std::to_string(plane.width));
  }
}

template <class Sample>
void check_same_size(const LumaPlane<Sample>& plane, const std::string& name,
                     const LumaPlane<Sample>& other, const std::string& other_name) {
  if (plane.width == other.width && plane.height == other.height) return;
  reject(name + " is " + size_of(plane) + " and " + other_name + " is " + size_of(other) +
         "; the sizes must match");
}

template <class Sample>
void check_frame(const SearchFrame<Sample>& frame, const std::string& name) {
  check_plane(name + ".current", frame.current);
  check_plane(name + ".reference", frame.reference);
  check_not_null(name + ".predictors", frame.predictors);
  if (frame.predictor_stride < 0) {
    reject(name + ".predictor_stride is " + std::to_string(frame.predictor_stride) +
           "; it must be at least 0");
  }
  check_same_size(frame.current, name + ".current", frame.reference, name + ".reference");
}

void check_field(const MotionField& field, const std::string& name) {
  check_not_null(name + ".vectors", field.vectors);
  check_not_null(name + ".costs", field.costs);
}

void check_fields(std::span<const MotionField> fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    check_field(fields[i], element_name("field", i, fields.size()));
  }
}

}  // namespace

void check_search_options(const SearchOptions& options) {
  check_range("options.range", options.range, kLeastRange, kMostRange);
  check_range("options.lambda", options.lambda, 0, kMostLambda);
  check_range("options.precision", static_cast<int>(options.precision), 0, 2);
}

void check_rows(const std::string& name, const MacroblockRows& rows, int picture_rows) {
  check_range(name + ".count", rows.count, 0, picture_rows);
  if (rows.count == 0 && rows.first != 0) {
    reject(name + ".first is " + std::to_string(rows.first) + " and " + name +
           ".count is 0, which selects all rows; set first to 0, or count to at least 1");
  }
  check_range(name + ".first", rows.first, 0, picture_rows - rows.count);
}

template <class Sample>
void search_motion(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                   const SearchOptions& options) {
  search_motion(queue, std::span(&frame, 1), std::span(&field, 1), options);
}

template <class Sample>
void search_motion(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                   std::span<const MotionField> fields, const SearchOptions& options) {
  if (frames.size() != fields.size()) {
    reject(std::to_string(frames.size()) + " frames but " + std::to_string(fields.size()) +
           " fields; the numbers must match");
  }
  check_search_options(options);
  if (frames.empty()) return;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::string name = element_name("frame", i, frames.size());
    check_frame(frames[i], name);
    check_same_size(frames[i].current, name + ".current", frames[0].current, "frames[0].current");
  }
  check_fields(fields);
  check_rows("options.rows", options.rows, frames[0].current.height / kMacroblockWidth);
  search_checked(queue, frames, fields, options);
}

template <class Sample>
void decide_modes(Queue& queue, const SearchFrame<Sample>& frame,
                  std::span<const MotionField> fields, MacroblockMode* modes,
                  const SearchOptions& options) {
  check_frame(frame, "frame");
  check_range("fields.size()", static_cast<std::int64_t>(fields.size()), 1, kMostReferences);
  check_fields(fields);
  check_not_null("modes", modes);
  check_search_options(options);
  check_rows("options.rows", options.rows, frame.current.height / kMacroblockWidth);
  decide_checked(queue, frame, fields, modes, options);
}

template void search_motion(Queue&, const SearchFrame<std::uint8_t>&, const MotionField&,
                            const SearchOptions&);
template void search_motion(Queue&, const SearchFrame<std::uint16_t>&, const MotionField&,
                            const SearchOptions&);
template void search_motion(Queue&, std::span<const SearchFrame<std::uint8_t>>,
                            std::span<const MotionField>, const SearchOptions&);
template void search_motion(Queue&, std::span<const SearchFrame<std::uint16_t>>,
                            std::span<const MotionField>, const SearchOptions&);
template void decide_modes(Queue&, const SearchFrame<std::uint8_t>&, std::span<const MotionField>,
                           MacroblockMode*, const SearchOptions&);
template void decide_modes(Queue&, const SearchFrame<std::uint16_t>&, std::span<const MotionField>,
                           MacroblockMode*, const SearchOptions&);

}  // namespace millrace::motion
