// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace millrace::motion {
namespace {

constexpr int kStride = 100;
constexpr int kRows = 16;
constexpr BlockSize kSizes[] = {{16, 16}, {16, 8}, {8, 16}, {8, 8}, {8, 4}, {4, 8}, {4, 4}};

template <class Sample>
int difference(const Samples<Sample>& a, const Samples<Sample>& b, int x, int y) {
  return a.data[y * a.stride + x] - b.data[y * b.stride + x];
}

template <class Sample>
std::uint32_t plain_sad(const Samples<Sample>& a, const Samples<Sample>& b, const BlockSize& size) {
  int sum = 0;
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) sum += std::abs(difference(a, b, x, y));
  }
  return static_cast<std::uint32_t>(sum);
}

template <class Sample>
std::uint32_t plain_satd(const Samples<Sample>& a, const Samples<Sample>& b,
                         const BlockSize& size) {
  std::uint32_t sum = 0;
  for (int y = 0; y < size.height; y += 4) {
    for (int x = 0; x < size.width; x += 4) {
      int differences[16];
      for (int i = 0; i < 16; ++i) differences[i] = difference(a, b, x + i % 4, y + i / 4);
      sum += satd_4x4(differences);
    }
  }
  return sum;
}

// Every test runs on each Highway target that is compiled in and that this processor has.
class FastSearchSimdTest : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { use(GetParam()); }
  void TearDown() override { use(0); }

  static void use(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }

  // Calls `test` with rows of random samples, and with rows of the largest differences.
  template <class Sample, class Test>
  void for_contents(Test test) {
    std::vector<Sample> a(kStride * kRows);
    std::vector<Sample> b(kStride * kRows);
    const auto any = [&] { return static_cast<Sample>(random(0, kLargestSample<Sample>)); };
    std::ranges::generate(a, any);
    std::ranges::generate(b, any);
    test(Samples<Sample>{a.data() + 3, kStride}, Samples<Sample>{b.data() + 1, kStride});
    std::ranges::fill(a, static_cast<Sample>(kLargestSample<Sample>));
    std::ranges::fill(b, Sample{0});
    test(Samples<Sample>{a.data(), kStride}, Samples<Sample>{b.data(), kStride});
    test(Samples<Sample>{b.data(), kStride}, Samples<Sample>{a.data(), kStride});
  }

  template <class Sample>
  void expect_distances() {
    const BlockDistance<Sample>& distance = block_distance<Sample>();
    for_contents<Sample>([&](const Samples<Sample>& a, const Samples<Sample>& b) {
      for (const BlockSize& size : kSizes) {
        EXPECT_EQ(distance.sad(a, b, size), plain_sad(a, b, size)) << size.width;
        EXPECT_EQ(distance.satd(a, b, size), plain_satd(a, b, size)) << size.width;
      }
    });
  }

  template <class Sample>
  void expect_averages() {
    for_contents<Sample>([&](const Samples<Sample>& a, const Samples<Sample>& b) {
      for (const BlockSize& size : kSizes) {
        Sample out[256] = {};
        block_distance<Sample>().average(a, b, size, out);
        for (int y = 0; y < size.height; ++y) {
          for (int x = 0; x < size.width; ++x) {
            const int sum = a.data[y * kStride + x] + b.data[y * kStride + x];
            ASSERT_EQ(out[16 * y + x], (sum + 1) / 2) << x << ", " << y;
          }
        }
      }
    });
  }

  template <class Sample>
  void expect_rows() {
    constexpr int kExtra = CandidateRow<Sample>::kExtra;
    for_contents<Sample>([&](const Samples<Sample>& a, const Samples<Sample>& b) {
      for (const BlockSize& size : kSizes) {
        const int count = 2 * static_cast<int>(random(8, 24));
        std::vector<std::uint32_t> rates(count + kExtra, CandidateRow<Sample>::kExtraRate);
        std::generate_n(rates.begin(), count, [&] { return random(0, 300'000); });
        std::vector<std::uint32_t> costs(count + kExtra);
        const std::uint32_t least = block_distance<Sample>().row_costs(
            a, size, {{b.data, b.stride}, count, rates.data()}, costs.data());
        for (int i = 0; i < count; ++i) {
          const Samples<Sample> candidate{b.data + i, b.stride};
          ASSERT_EQ(costs[i], 32 * plain_sad(a, candidate, size) + rates[i]) << i;
        }
        EXPECT_EQ(least, *std::min_element(costs.begin(), costs.begin() + count));
      }
    });
  }

  SeededRandom random;
};

TEST_P(FastSearchSimdTest, DistancesAreSumsOfDifferences) {
  expect_distances<std::uint8_t>();
  expect_distances<std::uint16_t>();
}

TEST_P(FastSearchSimdTest, AveragesRoundUp) {
  expect_averages<std::uint8_t>();
  expect_averages<std::uint16_t>();
}

TEST_P(FastSearchSimdTest, RowsHaveTheCostOfEachCandidate) {
  expect_rows<std::uint8_t>();
  expect_rows<std::uint16_t>();
}

std::vector<std::int64_t> targets() {
  std::vector<std::int64_t> targets;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    targets.push_back(left & -left);
  }
  return targets;
}

INSTANTIATE_TEST_SUITE_P(Targets, FastSearchSimdTest, testing::ValuesIn(targets()),
                         [](const auto& info) -> std::string {
                           return hwy::TargetName(static_cast<std::uint32_t>(info.param));
                         });

}  // namespace
}  // namespace millrace::motion
