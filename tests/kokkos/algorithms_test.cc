// SPDX-License-Identifier: Apache-2.0

// The four algorithms on an application's own execution space instance: Kokkos's default one, which
// is a GPU's where Kokkos has that.
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/motion_estimation/motion_reference.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/algorithms/three_star/three_star_reference.h>
#include <millrace/backends/kokkos/interop.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace millrace::kokkos {
namespace {

using Execution = Kokkos::DefaultExecutionSpace;
using Memory = Execution::memory_space;
template <class T>
using Values = Kokkos::View<T*, Memory>;

class AlgorithmsTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      initialize();
      queue_ = make_queue(Execution());
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }

  // A View of the space's memory with the values of host memory.
  template <class T>
  Values<T> view_with(const std::vector<T>& values) {
    const Values<T> view("values", values.size());
    queue_->copy(view.data(), values.data(), values.size() * sizeof(T));
    queue_->wait();
    return view;
  }

  template <class T>
  std::vector<T> read(const Values<T>& view) {
    std::vector<T> values(view.extent(0));
    queue_->copy(values.data(), view.data(), values.size() * sizeof(T));
    queue_->wait();
    return values;
  }

  template <class T>
  std::vector<T> random_values(std::size_t count, std::uint64_t most) {
    std::vector<T> values(count);
    std::ranges::generate(values, [&] { return static_cast<T>(random_(0, most)); });
    return values;
  }

  SeededRandom random_;
  std::unique_ptr<Queue> queue_;
};

TEST_F(AlgorithmsTest, SortsTheKeysOfAView) {
  std::vector<std::uint32_t> keys = random_values<std::uint32_t>(100'000, 0xffffffff);
  const auto in = view_with(keys);
  const Values<std::uint32_t> out("out", keys.size());
  radix_sort::sort_keys(*queue_, std::span<const std::uint32_t>(in.data(), keys.size()),
                        std::span(out.data(), keys.size()));
  std::ranges::sort(keys);
  EXPECT_EQ(read(out), keys);
}

TEST_F(AlgorithmsTest, TransformsTheMacroblocksOfViewsUnderEveryPolicy) {
  constexpr std::size_t kCount = 500;
  constexpr std::size_t kSamples = idct::kMacroblockSamples;
  std::vector<idct::TransformSize> sizes(kCount);
  std::ranges::generate(sizes, [&] { return static_cast<idct::TransformSize>(random_(0, 1)); });
  const auto coefficients = random_values<std::int16_t>(kCount * kSamples, 0xffff);
  std::vector<std::int16_t> expected(kCount * kSamples);
  for (std::size_t i = 0; i < kCount; ++i) {
    idct::reference_residual(
        sizes[i], std::span<const std::int16_t, kSamples>(&coefficients[i * kSamples], kSamples),
        std::span<std::int16_t, kSamples>(&expected[i * kSamples], kSamples));
  }
  const auto device_sizes = view_with(sizes);
  const auto device_coefficients = view_with(coefficients);
  for (const Policy policy : kConcretePolicies) {
    const Values<std::int16_t> residual("residual", kCount * kSamples);
    idct::inverse_transform(*queue_, {device_sizes.data(), device_coefficients.data(), kCount},
                            residual.data(), {.policy = policy});
    EXPECT_EQ(read(residual), expected) << to_string(policy);
  }
}

TEST_F(AlgorithmsTest, SearchesTheMotionBetweenPicturesInViews) {
  constexpr int kWidth = 48;
  constexpr int kHeight = 32;
  constexpr std::size_t kMacroblocks = 6;
  constexpr std::size_t kVectors = kMacroblocks * motion::kPartitions;
  const auto current = random_values<std::uint8_t>(kWidth * kHeight, 255);
  const auto reference = random_values<std::uint8_t>(kWidth * kHeight, 255);
  const std::vector<motion::MotionVector> predictors(kMacroblocks, {5, -3});
  const auto frame_of = [](const std::uint8_t* now, const std::uint8_t* before,
                           const motion::MotionVector* predicted) {
    return motion::SearchFrame<std::uint8_t>{
        {now, kWidth, kWidth, kHeight}, {before, kWidth, kWidth, kHeight}, predicted};
  };
  const motion::SearchOptions options{.range = 8};
  std::vector<motion::MotionVector> vectors(kVectors);
  std::vector<std::uint32_t> costs(kVectors);
  search_motion_reference(frame_of(current.data(), reference.data(), predictors.data()),
                          {vectors.data(), costs.data()}, options);

  const auto device_current = view_with(current);
  const auto device_reference = view_with(reference);
  const auto device_predictors = view_with(predictors);
  const Values<motion::MotionVector> found("found", kVectors);
  const Values<std::uint32_t> found_costs("costs", kVectors);
  search_motion(*queue_,
                frame_of(device_current.data(), device_reference.data(), device_predictors.data()),
                {found.data(), found_costs.data()}, options);
  EXPECT_EQ(read(found), vectors);
  EXPECT_EQ(read(found_costs), costs);
}

TEST_F(AlgorithmsTest, FindsAllThreeStars) {
  std::vector<three_star::Point> points(400);
  std::ranges::generate(points, [&] {
    return three_star::Point{static_cast<std::int32_t>(random_(0, 300)),
                             static_cast<std::int32_t>(random_(0, 300))};
  });
  const auto expected = three_star::find_three_stars_reference(points, 50);
  EXPECT_EQ(three_star::count_three_stars(*queue_, points, {.radius = 50}).three_stars,
            expected.size());
}

}  // namespace
}  // namespace millrace::kokkos
