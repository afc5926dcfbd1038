// SPDX-License-Identifier: Apache-2.0

// The paper's strategies on every GPU, against the reference.
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::idct {
namespace {

MacroblockQueue queue_of(const Macroblocks& input) {
  return {input.sizes.data(), input.coefficients.data(), input.count()};
}

// Returns the code of the Error that `call` throws.
std::optional<ErrorCode> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

bool is_gpu(const Device& device) { return device.info().warp_width > 1; }

using Parameters = std::tuple<std::string, Access>;

class IdctStrategiesTest : public testing::TestWithParam<Parameters> {
 protected:
  void SetUp() override {
    if (!is_gpu(*device)) GTEST_SKIP() << "not a GPU";
    const Macroblocks none;
    std::int16_t residual = 0;
    try {
      inverse_transform_paper(*queue, PaperAlgorithm::kUberkernel, access, queue_of(none),
                              &residual);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUnsupported) << error.what();
      ASSERT_EQ(access, Access::kSharedTexture) << error.what();
      GTEST_SKIP() << error.what();
    }
  }

  std::vector<std::int16_t> transform_as_paper(PaperAlgorithm algorithm, const Macroblocks& input) {
    std::vector<std::int16_t> residual(kMacroblockSamples * input.count());
    inverse_transform_paper(*queue, algorithm, access, queue_of(input), residual.data());
    return residual;
  }

  // Transforms macroblocks in device memory whose coefficients are `shift` bytes past a multiple of
  // 512.
  std::vector<std::int16_t> transform_on_device(const Macroblocks& input, std::size_t shift = 0) {
    Buffer<TransformSize> sizes(device, MemorySpace::kDevice, input.count());
    Buffer<std::int16_t> memory(device, MemorySpace::kDevice, input.coefficients.size() + 512);
    const std::size_t begin =
        (512 - reinterpret_cast<std::uintptr_t>(memory.data()) % 512 + shift) / 2;
    const auto coefficients = memory.span(begin, input.coefficients.size());
    Buffer<std::int16_t> output(device, MemorySpace::kDevice, input.coefficients.size());
    copy(*queue, sizes.span(), BufferSpan<const TransformSize>(std::span(input.sizes)));
    copy(*queue, coefficients, BufferSpan<const std::int16_t>(std::span(input.coefficients)));
    queue->wait();
    inverse_transform_with(*queue, access, {sizes.data(), coefficients.data(), input.count()},
                           output.data());
    std::vector<std::int16_t> residual(output.size());
    copy(*queue, BufferSpan<std::int16_t>(std::span(residual)), output.span());
    queue->wait();
    return residual;
  }

  void expect_all_equal_the_reference(const Macroblocks& input) {
    const std::vector<std::int16_t> expected = reference_residuals(input);
    for (const PaperAlgorithm algorithm : kPaperAlgorithms) {
      EXPECT_EQ(transform_as_paper(algorithm, input), expected)
          << to_string(algorithm) << ", " << input.count() << " macroblocks";
    }
    EXPECT_EQ(transform_on_device(input), expected) << input.count() << " macroblocks";
  }

  std::shared_ptr<Device> device = open_device(std::get<0>(GetParam()));
  std::unique_ptr<Queue> queue = device->make_queue();
  const Access access = std::get<1>(GetParam());
  SeededRandom random;
};

TEST_P(IdctStrategiesTest, MixedQueuesEqualTheReference) {
  for (const std::size_t count : {0, 1, 2, 37}) {
    expect_all_equal_the_reference(random_macroblocks(count, random));
  }
}

TEST_P(IdctStrategiesTest, QueuesOfOneTypeEqualTheReference) {
  for (const TransformSize size : {TransformSize::k4x4, TransformSize::k8x8}) {
    Macroblocks input = random_macroblocks(11, random);
    std::ranges::fill(input.sizes, size);
    expect_all_equal_the_reference(input);
  }
}

// Covers more than a row of a texture, which has 256 macroblocks, and more than are resident at
// once.
TEST_P(IdctStrategiesTest, AQueueOfSeveralTextureRowsEqualsTheReference) {
  expect_all_equal_the_reference(random_macroblocks(2 * 256 + 3, random));
}

TEST_P(IdctStrategiesTest, CoefficientsBeginAtAMultipleOfSixteen) {
  const Macroblocks input = random_macroblocks(2, random);
  if (access == Access::kSharedTexture) {
    EXPECT_EQ(code_of([&] { transform_on_device(input, 256); }), ErrorCode::kInvalidArgument);
  } else {
    EXPECT_EQ(transform_on_device(input, 16), reference_residuals(input));
  }
  EXPECT_EQ(code_of([&] { transform_on_device(input, 8); }), ErrorCode::kInvalidArgument);
}

TEST_P(IdctStrategiesTest, SaysWhereTheTimeWent) {
  const Macroblocks input = random_macroblocks(20, random);
  std::vector<std::int16_t> residual(input.coefficients.size());
  PaperTimes persistent;
  inverse_transform_paper(*queue, PaperAlgorithm::kPersistent, access, queue_of(input),
                          residual.data(), &persistent);
  for (const double phase : {persistent.gather, persistent.upload, persistent.kernel,
                             persistent.download, persistent.scatter}) {
    EXPECT_GT(phase, 0);
  }
  PaperTimes uberkernel;
  inverse_transform_paper(*queue, PaperAlgorithm::kUberkernel, access, queue_of(input),
                          residual.data(), &uberkernel);
  EXPECT_EQ(uberkernel.gather, 0);
  EXPECT_EQ(uberkernel.scatter, 0);
  EXPECT_EQ(uberkernel.total(), uberkernel.upload + uberkernel.kernel + uberkernel.download);
}

TEST_P(IdctStrategiesTest, RejectsWrongArguments) {
  const Macroblocks input = random_macroblocks(3, random);
  std::vector<std::int16_t> residual(input.coefficients.size());
  const auto paper_code = [&](const MacroblockQueue& macroblocks, std::int16_t* output) {
    return code_of([&] {
      inverse_transform_paper(*queue, PaperAlgorithm::kPersistent, access, macroblocks, output);
    });
  };
  EXPECT_EQ(paper_code({nullptr, input.coefficients.data(), 3}, residual.data()),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(paper_code(queue_of(input), nullptr), ErrorCode::kInvalidArgument);
  EXPECT_EQ(paper_code({input.sizes.data(), residual.data(), 3}, residual.data()),
            ErrorCode::kInvalidArgument);
  std::vector<TransformSize> sizes = input.sizes;
  sizes[1] = static_cast<TransformSize>(2);
  EXPECT_EQ(paper_code({sizes.data(), input.coefficients.data(), 3}, residual.data()),
            ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Devices, IdctStrategiesTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kAccesses)),
                         [](const testing::TestParamInfo<Parameters>& info) {
                           std::string name =
                               std::get<0>(info.param) + "_" + to_string(std::get<1>(info.param));
                           std::ranges::replace(name, ':', '_');
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

class IdctStrategiesOnCpuTest : public conformance::ConformanceTest {};

TEST_P(IdctStrategiesOnCpuTest, AreUnsupported) {
  if (is_gpu(*device)) GTEST_SKIP() << "a GPU";
  SeededRandom random;
  const Macroblocks input = random_macroblocks(1, random);
  alignas(16) std::int16_t residual[kMacroblockSamples];
  EXPECT_EQ(code_of([&] {
              inverse_transform_paper(*queue, PaperAlgorithm::kPersistent, Access::kGlobal,
                                      queue_of(input), residual);
            }),
            ErrorCode::kUnsupported);
  EXPECT_EQ(
      code_of([&] { inverse_transform_with(*queue, Access::kGlobal, queue_of(input), residual); }),
      ErrorCode::kUnsupported);
}

INSTANTIATE_TEST_SUITE_P(Devices, IdctStrategiesOnCpuTest,
                         testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::idct
