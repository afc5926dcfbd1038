// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <span>

namespace millrace::c {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::StarForm;
using three_star::ThreeStar;

static_assert(sizeof(Point) == sizeof(millrace_point));
static_assert(sizeof(ThreeStar) == sizeof(millrace_three_star));

std::span<const Point> points_of(const millrace_point* points, std::size_t count) {
  if (count > 0) check_not_null(points, "points");
  return {reinterpret_cast<const Point*>(points), count};
}

// Counts on a Queue or DeviceGroup.
template <class On>
void count_on(On& on, const millrace_point* points, std::size_t count, std::int32_t radius,
              std::uint64_t* three_stars) {
  check_not_null(three_stars, "three_stars");
  *three_stars =
      count_three_stars(on, points_of(points, count), SearchOptions{.radius = radius}).three_stars;
}

// The visitor of a C program.
struct Visitor {
  millrace_three_star_visitor visit;
  void* context;

  void operator()(std::span<const ThreeStar> some) const {
    const auto* const stars = reinterpret_cast<const millrace_three_star*>(some.data());
    if (visit(context, stars, some.size()) == 0) return;
    throw Error(ErrorCode::kCancelled,
                "the visitor returned a value other than 0; return 0 to go on");
  }
};

// Visits on a Queue or DeviceGroup.
template <class On>
void visit_on(On& on, std::span<const Point> points, const SearchOptions& options,
              const Visitor& visitor, std::uint64_t* three_stars) {
  check_not_null(visitor.visit, "visitor");
  const auto report = visit_three_stars(on, points, options, visitor);
  if (three_stars != nullptr) *three_stars = report.three_stars;
}

SearchOptions visit_options(std::int32_t radius, std::int32_t is_raw) {
  return {.radius = radius, .form = is_raw != 0 ? StarForm::kRaw : StarForm::kCompressed};
}

}  // namespace

extern "C" {

millrace_status millrace_three_star_count(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, uint64_t* three_stars) {
  return call([&] { count_on(*find_queue(queue), points, count, radius, three_stars); });
}

millrace_status millrace_three_star_visit(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, int32_t is_raw,
                                          millrace_three_star_visitor visitor, void* context,
                                          uint64_t* three_stars) {
  return call([&] {
    visit_on(*find_queue(queue), points_of(points, count), visit_options(radius, is_raw),
             {visitor, context}, three_stars);
  });
}

millrace_status millrace_group_three_star_count(millrace_group* group, const millrace_point* points,
                                                size_t count, int32_t radius,
                                                uint64_t* three_stars) {
  return call([&] {
    const GroupUse use(group);
    count_on(use.group(), points, count, radius, three_stars);
  });
}

millrace_status millrace_group_three_star_visit(millrace_group* group, const millrace_point* points,
                                                size_t count, int32_t radius, int32_t is_raw,
                                                millrace_three_star_visitor visitor, void* context,
                                                uint64_t* three_stars) {
  return call([&] {
    const GroupUse use(group);
    visit_on(use.group(), points_of(points, count), visit_options(radius, is_raw),
             {visitor, context}, three_stars);
  });
}

}  // extern "C"

}  // namespace millrace::c
