// SPDX-License-Identifier: Apache-2.0

// The portable task bodies, which backends without code of their own run, against the reference
// with all numbers of lanes that warps may have.
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/idct_tasks.h>
#include <millrace/algorithms/idct/random_macroblocks.h>

#include <gtest/gtest.h>

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

namespace millrace::idct {
namespace {

static_assert(
    std::is_same_v<ResidualTasks::Type<static_cast<int>(TransformSize::k8x8)>, ResidualTask<8>>);

constexpr int kWidth = 64;
constexpr int kHeight = 192;
constexpr std::size_t kCount = std::size_t{kWidth / 16} * (kHeight / 16);

// State shared by the lanes of a warp.
struct Warp {
  explicit Warp(int lanes) : barrier(lanes) {}
  std::barrier<> barrier;
  TransformScratch scratch;
};

// A context for these tasks: one lane of a warp, on a thread of its own.
class Lane {
 public:
  Lane(Warp& warp, int lane, int lanes) : warp_(warp), lane_(lane), lanes_(lanes) {}
  int lane() const { return lane_; }
  int lanes() const { return lanes_; }
  void sync() { warp_.barrier.arrive_and_wait(); }
  template <class T>
  T* scratch(std::size_t count) {
    static_assert(std::is_same_v<T, TransformScratch>);
    return count == 1 ? &warp_.scratch : nullptr;
  }

 private:
  Warp& warp_;
  int lane_;
  int lanes_;
};

// Runs all macroblocks, one after another, as Task<4> or Task<8> on one warp.
template <template <int> class Task, class Arguments>
void run_tasks(const std::vector<TransformSize>& sizes, const Arguments& arguments, int lanes) {
  Warp warp(lanes);
  std::vector<std::jthread> threads;
  for (int lane = 0; lane < lanes; ++lane) {
    threads.emplace_back([&warp, &sizes, arguments, lane, lanes] {
      Lane context(warp, lane, lanes);
      for (std::size_t m = 0; m < sizes.size(); ++m) {
        if (sizes[m] == TransformSize::k4x4) {
          Task<4>{arguments, m}(context);
        } else {
          Task<8>{arguments, m}(context);
        }
      }
    });
  }
}

class IdctTasksTest : public testing::TestWithParam<int> {
 protected:
  const int lanes = GetParam();
  SeededRandom random;
  const Macroblocks input = random_macroblocks(kCount, random);  // Contains extreme values too.
};

TEST_P(IdctTasksTest, ResidualEqualsTheReference) {
  std::vector<std::int16_t> residual(256 * kCount, 0x5a5a);
  run_tasks<ResidualTask>(input.sizes,
                          ResidualArguments{input.coefficients.data(), residual.data()}, lanes);
  EXPECT_EQ(residual, reference_residuals(input));
}

TEST_P(IdctTasksTest, ResidualOfArraysAtOddAddressesEqualsTheReference) {
  std::vector<std::int16_t> coefficients = {0};
  coefficients.insert(coefficients.end(), input.coefficients.begin(), input.coefficients.end());
  std::vector<std::int16_t> residual(256 * kCount + 1);
  run_tasks<ResidualTask>(input.sizes,
                          ResidualArguments{coefficients.data() + 1, residual.data() + 1}, lanes);
  residual.erase(residual.begin());
  EXPECT_EQ(residual, reference_residuals(input));
}

TEST_P(IdctTasksTest, ReconstructionEqualsTheReferenceForAnyStride) {
  const std::vector<std::int16_t> residual = reference_residuals(input);
  for (const int stride : {kWidth + 8, kWidth + 3}) {
    std::vector<std::uint8_t> prediction(stride * kHeight);
    for (std::uint8_t& sample : prediction)
      sample = static_cast<std::uint8_t>(random.integer(0, 255));
    const ConstPlane from{prediction.data(), stride, kWidth, kHeight};
    std::vector<std::uint8_t> expected = prediction;
    for (std::size_t m = 0; m < kCount; ++m) {
      reference_reconstruction(std::span<const std::int16_t, 256>(residual.data() + 256 * m, 256),
                               from, {expected.data(), stride, kWidth, kHeight}, m);
    }

    std::vector<std::uint8_t> disjoint = prediction;
    std::vector<std::uint8_t> in_place = prediction;
    const Plane to{disjoint.data(), stride, kWidth, kHeight};
    const Plane both{in_place.data(), stride, kWidth, kHeight};
    run_tasks<ReconstructionTask>(
        input.sizes, ReconstructionArguments{input.coefficients.data(), from, to}, lanes);
    run_tasks<ReconstructionTask>(
        input.sizes, ReconstructionArguments{input.coefficients.data(), both, both}, lanes);
    EXPECT_EQ(disjoint, expected);
    EXPECT_EQ(in_place, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, IdctTasksTest, testing::Values(1, 4, 16, 32, 64),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace millrace::idct
