// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/chunks/star_sorter.h>
#include <millrace/algorithms/three_star/three_star_test_input.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace millrace::three_star {
namespace {

class StarSorterTest : public testing::TestWithParam<std::size_t> {
 protected:
  std::vector<ThreeStar> some_stars(std::size_t count) {
    const auto point = [&] { return static_cast<std::uint32_t>(random(0, GetParam() - 1)); };
    std::vector<ThreeStar> stars(count);
    for (ThreeStar& star : stars) star = star_of(point(), point(), point());
    return stars;
  }

  const std::shared_ptr<Device> device = some_device();
  const std::unique_ptr<Queue> queue = device->make_queue();
  SeededRandom random;
};

// Up to 2^21 points three numbers fit into 64 bits.
INSTANTIATE_TEST_SUITE_P(Points, StarSorterTest,
                         testing::Values(1, 2, 3, 1000, (1 << 21) - 1, 1 << 21, (1 << 21) + 1,
                                         0xffffffff));

TEST_P(StarSorterTest, OrdersByAllThree) {
  StarSorter sorter(GetParam());
  for (const std::size_t count : {0, 1, 3000, 20}) {
    std::vector<ThreeStar> stars = some_stars(count);
    sorter.begin(count);
    const std::span<const ThreeStar> all = stars;
    std::thread other([&] { sorter.add(all.first(count / 3)); });
    sorter.add(all.subspan(count / 3));
    other.join();
    sorter.sort(*queue);
    std::sort(stars.begin(), stars.end());
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sorter.star(i), stars[i]) << i;
  }
}

TEST_P(StarSorterTest, RejectsMoreOrFewerThanBeginHas) {
  StarSorter sorter(GetParam());
  sorter.begin(3);
  sorter.add(some_stars(2));
  EXPECT_THROW(sorter.sort(*queue), Error);
  EXPECT_THROW(sorter.add(some_stars(2)), Error);
}

}  // namespace
}  // namespace millrace::three_star
