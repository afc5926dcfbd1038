// SPDX-License-Identifier: Apache-2.0

// IDCT on every device under every policy, against the reference.
#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace millrace::idct {
namespace {

using conformance::PolicyTest;

// Copies a host array to device memory.
template <class T>
Buffer<T> on_device(Queue& queue, const std::vector<T>& values) {
  Buffer<T> buffer(queue.device().shared_from_this(), MemorySpace::kDevice, values.size());
  copy(queue, buffer.span(), BufferSpan<const T>(std::span<const T>(values)));
  queue.wait();
  return buffer;
}

template <class T>
std::vector<T> on_host(Queue& queue, const Buffer<T>& buffer) {
  std::vector<T> values(buffer.size());
  copy(queue, BufferSpan<T>(std::span<T>(values)), buffer.span());
  queue.wait();
  return values;
}

std::vector<std::uint64_t> counts_by_size(const Macroblocks& input) {
  const auto count_8x8 = static_cast<std::uint64_t>(
      std::count(input.sizes.begin(), input.sizes.end(), TransformSize::k8x8));
  return {input.count() - count_8x8, count_8x8};
}

class IdctTest : public PolicyTest {
 protected:
  SeededRandom random;
};

TEST_P(IdctTest, ResidualEqualsTheReference) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{17}, scaled(3000, 500)}) {
    const Macroblocks input = random_macroblocks(count, random);
    const auto sizes = on_device(*queue, input.sizes);
    const auto coefficients = on_device(*queue, input.coefficients);
    Buffer<std::int16_t> residual(device, MemorySpace::kDevice, 256 * count);

    const RunReport report = inverse_transform(*queue, {sizes.data(), coefficients.data(), count},
                                               residual.data(), {.policy = policy});

    EXPECT_EQ(on_host(*queue, residual), reference_residuals(input));
    EXPECT_EQ(report.tasks_by_type, counts_by_size(input));
    EXPECT_EQ(report.policy, policy);
  }
}

TEST_P(IdctTest, ResidualOfHostMemoryEqualsTheReference) {
  for (const std::size_t count : {0u, 1u, 65u}) {
    const Macroblocks input = random_macroblocks(count, random);
    std::vector<std::int16_t> residual(256 * count);
    const RunReport report =
        inverse_transform_host(*queue, {input.sizes.data(), input.coefficients.data(), count},
                               residual.data(), {.policy = policy});
    EXPECT_EQ(residual, reference_residuals(input));
    EXPECT_EQ(report.tasks_by_type, counts_by_size(input));
  }
}

TEST_P(IdctTest, ResidualOfArraysAtOddAddressesEqualsTheReference) {
  const Macroblocks input = random_macroblocks(33, random);
  const std::size_t samples = input.coefficients.size();
  const auto sizes = on_device(*queue, input.sizes);
  Buffer<std::int16_t> coefficients(device, MemorySpace::kDevice, samples + 1);
  Buffer<std::int16_t> residual(device, MemorySpace::kDevice, samples + 1);
  fill_bytes(*queue, residual.span(), std::byte{0});  // All of it is read below.
  copy(*queue, coefficients.span(1, samples),
       BufferSpan<const std::int16_t>(std::span<const std::int16_t>(input.coefficients)));
  inverse_transform(*queue, {sizes.data(), coefficients.data() + 1, input.count()},
                    residual.data() + 1, {.policy = policy});
  std::vector<std::int16_t> result = on_host(*queue, residual);
  result.erase(result.begin());
  EXPECT_EQ(result, reference_residuals(input));
}

// 42 MB of output: many batches per worker and, on a smaller last-level cache, stores that bypass
// it. idct_simd_test covers these stores for any cache, on every instruction set.
TEST_P(IdctTest, ALargeQueueEqualsTheReferenceToo) {
  const Macroblocks some = random_macroblocks(1024, random);
  const std::size_t repeats = scaled(80, 2);
  Macroblocks input;
  for (std::size_t i = 0; i < repeats; ++i) {
    input.sizes.insert(input.sizes.end(), some.sizes.begin(), some.sizes.end());
    input.coefficients.insert(input.coefficients.end(), some.coefficients.begin(),
                              some.coefficients.end());
  }
  const auto sizes = on_device(*queue, input.sizes);
  const auto coefficients = on_device(*queue, input.coefficients);
  Buffer<std::int16_t> residual(device, MemorySpace::kDevice, input.coefficients.size());
  inverse_transform(*queue, {sizes.data(), coefficients.data(), input.count()}, residual.data(),
                    {.policy = policy});
  const auto expected = reference_residuals(some);
  const auto result = on_host(*queue, residual);
  for (std::size_t i = 0; i < repeats; ++i) {
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), result.begin() + i * expected.size()))
        << "repeat " << i;
  }
}

TEST_P(IdctTest, ReconstructionEqualsTheReference) {
  constexpr int kWidth = 80;
  constexpr int kHeight = 48;
  constexpr int kStride = 96;
  const int pictures = static_cast<int>(scaled(20, 5));
  const ConstPlane shape{nullptr, kStride, kWidth, kHeight * pictures};
  const Macroblocks input = random_macroblocks(shape.macroblock_count(), random);
  std::vector<std::uint8_t> prediction(kStride * shape.height);
  for (std::uint8_t& sample : prediction)
    sample = static_cast<std::uint8_t>(random.integer(0, 255));

  std::vector<std::uint8_t> expected(prediction.size(), 77);
  const auto residual = reference_residuals(input);
  for (std::size_t m = 0; m < input.count(); ++m) {
    reference_reconstruction(std::span<const std::int16_t, 256>(residual.data() + 256 * m, 256),
                             {prediction.data(), kStride, shape.width, shape.height},
                             {expected.data(), kStride, shape.width, shape.height}, m);
  }

  const auto sizes = on_device(*queue, input.sizes);
  const auto coefficients = on_device(*queue, input.coefficients);
  const auto from = on_device(*queue, prediction);
  auto to = on_device(*queue, std::vector<std::uint8_t>(prediction.size(), 77));
  const RunReport report =
      reconstruct(*queue, {sizes.data(), coefficients.data(), input.count()},
                  {from.data(), kStride, shape.width, shape.height},
                  {to.data(), kStride, shape.width, shape.height}, {.policy = policy});

  EXPECT_EQ(on_host(*queue, to), expected);
  EXPECT_EQ(report.tasks_by_type, counts_by_size(input));
}

TEST_P(IdctTest, ReconstructsInPlace) {
  const Macroblocks input = random_macroblocks(12, random);
  const std::vector<std::uint8_t> prediction(64 * 48, 128);
  const auto sizes = on_device(*queue, input.sizes);
  const auto coefficients = on_device(*queue, input.coefficients);
  auto disjoint = on_device(*queue, prediction);
  auto in_place = on_device(*queue, prediction);
  const auto from = on_device(*queue, prediction);
  const MacroblockQueue macroblocks{sizes.data(), coefficients.data(), input.count()};
  reconstruct(*queue, macroblocks, {from.data(), 64, 64, 48}, {disjoint.data(), 64, 64, 48},
              {.policy = policy});
  reconstruct(*queue, macroblocks, {in_place.data(), 64, 64, 48}, {in_place.data(), 64, 64, 48},
              {.policy = policy});
  EXPECT_EQ(on_host(*queue, in_place), on_host(*queue, disjoint));
}

INSTANTIATE_TEST_SUITE_P(Devices, IdctTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

// One valid call; each test makes one argument invalid.
class IdctArgumentTest : public conformance::ConformanceTest {
 protected:
  std::vector<TransformSize> sizes = std::vector<TransformSize>(4);
  std::vector<std::int16_t> coefficients = std::vector<std::int16_t>(4 * 256);
  std::vector<std::int16_t> residual = std::vector<std::int16_t>(4 * 256);
  std::vector<std::uint8_t> samples = std::vector<std::uint8_t>(2 * 32 * 32);
  MacroblockQueue macroblocks{sizes.data(), coefficients.data(), 4};
  ConstPlane prediction{samples.data(), 32, 32, 32};
  Plane output{samples.data() + 32 * 32, 32, 32, 32};

  void expect_rejected(const std::string& word) {
    try {
      reconstruct(*queue, macroblocks, prediction, output);
      FAIL() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
};

TEST_P(IdctArgumentTest, RejectsNullArrays) {
  EXPECT_THROW(inverse_transform(*queue, {nullptr, coefficients.data(), 4}, residual.data()),
               Error);
  EXPECT_THROW(inverse_transform(*queue, {sizes.data(), nullptr, 4}, residual.data()), Error);
  EXPECT_THROW(inverse_transform(*queue, macroblocks, nullptr), Error);
  output.data = nullptr;
  expect_rejected("output.data");
}

TEST_P(IdctArgumentTest, RejectsAResidualOverItsInput) {
  EXPECT_THROW(inverse_transform(*queue, macroblocks, coefficients.data() + 3 * 256), Error);
  // The last element of `residual` is the first of the sizes, and vice versa.
  macroblocks.sizes = reinterpret_cast<const TransformSize*>(residual.data() + 4 * 256 - 1);
  EXPECT_THROW(inverse_transform(*queue, macroblocks, residual.data()), Error);
  macroblocks.sizes = reinterpret_cast<const TransformSize*>(residual.data()) - 3;
  EXPECT_THROW(inverse_transform(*queue, macroblocks, residual.data()), Error);
}

TEST_P(IdctArgumentTest, RejectsAPictureOverItsPrediction) {
  output.data = samples.data() + 100;
  expect_rejected("output overlaps prediction");
}

TEST_P(IdctArgumentTest, RejectsTheSamePlaneOfAnotherStride) {
  output = {samples.data(), 48, 32, 32};
  expect_rejected("output overlaps prediction");
}

TEST_P(IdctArgumentTest, RejectsAPictureOverTheSizes) {
  macroblocks.sizes = reinterpret_cast<const TransformSize*>(output.data) + 31 * 32 + 31;
  expect_rejected("output overlaps macroblocks.sizes");
}

TEST_P(IdctArgumentTest, RejectsAPictureOverTheCoefficients) {
  output.data = reinterpret_cast<std::uint8_t*>(coefficients.data() + 3 * 256);
  expect_rejected("output overlaps macroblocks.coefficients");
}

TEST_P(IdctArgumentTest, RejectsInPlaceOverTheCoefficientsToo) {
  output.data = reinterpret_cast<std::uint8_t*>(coefficients.data());
  prediction = output;
  expect_rejected("output overlaps macroblocks.coefficients");
}

TEST_P(IdctArgumentTest, RejectsACountWhoseArraysWouldWrapAround) {
  macroblocks.count = std::size_t{1} << 56;
  EXPECT_THROW(inverse_transform(*queue, macroblocks, residual.data()), Error);
  expect_rejected("macroblocks.count is 72057594037927936; it must be at most 4294967295");
}

TEST_P(IdctArgumentTest, RejectsPlanesThatAreNotWholeMacroblocks) {
  prediction.width = 30;
  expect_rejected("prediction is 30x32");
}

TEST_P(IdctArgumentTest, RejectsAStrideBelowTheWidth) {
  output.stride = 31;
  expect_rejected("output.stride is 31");
}

TEST_P(IdctArgumentTest, RejectsMoreMacroblocksThanAPlaneHolds) {
  macroblocks.count = 5;
  expect_rejected("holds 4");
}

TEST_P(IdctArgumentTest, RejectsPlanesOfDifferentWidth) {
  macroblocks.count = 2;
  prediction.width = 16;
  expect_rejected("16 samples wide");
}

TEST_P(IdctArgumentTest, RejectsASizeThatIsNeither) {
  sizes[2] = static_cast<TransformSize>(2);
  if (device->info().shares_host_memory) expect_rejected("a root has tag 2");
}

INSTANTIATE_TEST_SUITE_P(Devices, IdctArgumentTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::idct
