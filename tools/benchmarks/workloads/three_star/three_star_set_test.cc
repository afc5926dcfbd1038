// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_set.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::SearchReport;
using three_star::StarVisitor;
using three_star::ThreeStar;
using three_star::visit_three_stars;

class ThreeStarSetTest : public testing::Test {
 protected:
  ThreeStarSet check(VisitThreeStars* visit) const {
    SearchOptions options;
    options.radius = 50;
    return checked_three_star_set(visit, *queue_, points_, options);
  }

  const std::unique_ptr<Queue> queue_ = open_device("tbb")->make_queue();
  const std::vector<Point> points_ = three_star::random_points(1600);
};

// The values are published for these points.
TEST_F(ThreeStarSetTest, IsTheKnownOne) {
  EXPECT_EQ(check(&visit_three_stars), (ThreeStarSet{4546, 0x61b07cd86900e071}));
}

// The first that is visited is `change`d; so the count stays right.
template <class Change>
SearchReport visit_changed(Queue& queue, std::span<const Point> points,
                           const SearchOptions& options, const StarVisitor& visitor,
                           const Change& change) {
  std::vector<ThreeStar> stars;
  std::mutex mutex;
  const SearchReport report =
      visit_three_stars(queue, points, options, [&](std::span<const ThreeStar> some) {
        const std::lock_guard lock(mutex);
        stars.insert(stars.end(), some.begin(), some.end());
      });
  change(stars);
  visitor(stars);
  return report;
}

TEST_F(ThreeStarSetTest, NoticesWhatIsNone) {
  EXPECT_THROW(check([](Queue& queue, std::span<const Point> points, const SearchOptions& options,
                        const StarVisitor& visitor) {
                 return visit_changed(
                     queue, points, options, visitor, [](std::vector<ThreeStar>& stars) {
                       stars.front() = {stars.front().b, stars.front().a, stars.front().c};
                     });
               }),
               Error);
}

// Sensor 0 is one of those that are sampled.
TEST_F(ThreeStarSetTest, NoticesOneInsteadOfAnother) {
  EXPECT_THROW(check([](Queue& queue, std::span<const Point> points, const SearchOptions& options,
                        const StarVisitor& visitor) {
                 return visit_changed(queue, points, options, visitor,
                                      [](std::vector<ThreeStar>& stars) {
                                        std::ranges::sort(stars);
                                        ASSERT_EQ(stars.front().a, 0U);
                                        stars.front() = stars.back();
                                      });
               }),
               Error);
}

}  // namespace
}  // namespace millrace::tools
