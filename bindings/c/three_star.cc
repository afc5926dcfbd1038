// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <span>

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/bindings/c/call.h>

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

}  // namespace

extern "C" {

millrace_status millrace_three_star_count(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, uint64_t* three_stars) {
  return call([&] {
    check_not_null(three_stars, "three_stars");
    const std::shared_ptr<Queue> on = find_queue(queue);
    *three_stars = count_three_stars(*on, points_of(points, count), SearchOptions{.radius = radius})
                       .three_stars;
  });
}

millrace_status millrace_three_star_visit(millrace_queue* queue, const millrace_point* points,
                                          size_t count, int32_t radius, int32_t is_raw,
                                          millrace_three_star_visitor visitor, void* context,
                                          uint64_t* three_stars) {
  return call([&] {
    check_not_null(visitor, "visitor");
    const std::shared_ptr<Queue> on = find_queue(queue);
    const SearchOptions options = {.radius = radius,
                                   .form = is_raw != 0 ? StarForm::kRaw : StarForm::kCompressed};
    const auto visit = [visitor, context](std::span<const ThreeStar> some) {
      const auto* const stars = reinterpret_cast<const millrace_three_star*>(some.data());
      if (visitor(context, stars, some.size()) == 0) return;
      throw Error(ErrorCode::kCancelled, "the visitor returned a value other than 0");
    };
    const auto report = visit_three_stars(*on, points_of(points, count), options, visit);
    if (three_stars != nullptr) *three_stars = report.three_stars;
  });
}

}  // extern "C"

}  // namespace millrace::c
