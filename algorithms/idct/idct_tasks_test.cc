// The task bodies that run wherever a backend has no code of its own for them, with as many lanes
// as its warps may have, against the reference.
#include <millrace/algorithms/idct/idct_tasks.h>

#include <gtest/gtest.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/idct_test_input.h>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace millrace::idct {
namespace {

static_assert(
    std::is_same_v<ResidualTasks::Type<static_cast<int>(TransformSize::k8x8)>, ResidualTask<8>>);

constexpr int kWidth = 64;
constexpr int kHeight = 320;
constexpr int kStride = 72;
constexpr std::size_t kCount = std::size_t{kWidth / 16} * (kHeight / 16);

// What these tasks ask of a Context: one lane of a warp.
class Lane {
 public:
  Lane(int lane, int lanes) : lane_(lane), lanes_(lanes) {}
  int lane() const { return lane_; }
  int lanes() const { return lanes_; }

 private:
  int lane_;
  int lanes_;
};

// Runs macroblock `index` of `size` as Task<4> or Task<8>, lane after lane.
template <template <int> class Task, class Arguments>
void run_task(TransformSize size, const Arguments& arguments, std::size_t index, int lanes) {
  for (int lane = 0; lane < lanes; ++lane) {
    Lane context(lane, lanes);
    if (size == TransformSize::k4x4) {
      Task<4>{arguments, index}(context);
    } else {
      Task<8>{arguments, index}(context);
    }
  }
}

class IdctTasksTest : public testing::TestWithParam<int> {
 protected:
  const int lanes = GetParam();
  SeededRandom random;
  const Macroblocks input = random_macroblocks(kCount, random);  // Extreme values too.
};

TEST_P(IdctTasksTest, ResidualEqualsTheReference) {
  std::vector<std::int16_t> residual(256 * kCount, 0x5a5a);
  for (std::size_t m = 0; m < kCount; ++m) {
    run_task<ResidualTask>(input.sizes[m],
                           ResidualArguments{input.coefficients.data(), residual.data()}, m, lanes);
  }
  EXPECT_EQ(residual, reference_residuals(input));
}

TEST_P(IdctTasksTest, ReconstructionEqualsTheReference) {
  std::vector<std::uint8_t> prediction(kStride * kHeight);
  for (std::uint8_t& sample : prediction) sample = static_cast<std::uint8_t>(random(0, 255));
  const ConstPlane from{prediction.data(), kStride, kWidth, kHeight};
  std::vector<std::uint8_t> expected = prediction;
  const std::vector<std::int16_t> residual = reference_residuals(input);
  for (std::size_t m = 0; m < kCount; ++m) {
    reference_reconstruction(std::span<const std::int16_t, 256>(residual.data() + 256 * m, 256),
                             from, {expected.data(), kStride, kWidth, kHeight}, m);
  }

  std::vector<std::uint8_t> apart = prediction;
  std::vector<std::uint8_t> in_place = prediction;
  const Plane to{apart.data(), kStride, kWidth, kHeight};
  const Plane both{in_place.data(), kStride, kWidth, kHeight};
  for (std::size_t m = 0; m < kCount; ++m) {
    run_task<ReconstructionTask>(
        input.sizes[m], ReconstructionArguments{input.coefficients.data(), from, to}, m, lanes);
    run_task<ReconstructionTask>(
        input.sizes[m], ReconstructionArguments{input.coefficients.data(), both, both}, m, lanes);
  }
  EXPECT_EQ(apart, expected);
  EXPECT_EQ(in_place, expected);
}

INSTANTIATE_TEST_SUITE_P(Lanes, IdctTasksTest, testing::Values(1, 4, 16, 32, 64),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace millrace::idct
