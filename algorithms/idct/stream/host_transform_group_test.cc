// SPDX-License-Identifier: Apache-2.0

// Macroblocks in host memory through groups of devices, against the reference.
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/groups.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace millrace::idct {
namespace {

constexpr int kRow = 3;  // Macroblocks per row of the test pictures.

class IdctHostGroupTest : public conformance::GroupTest {
 protected:
  HostTransform transform() { return HostTransform(group, {.chunk_macroblocks = 12, .depth = 3}); }

  // Returns a transform on the first device alone, with the same options.
  HostTransform alone() {
    return HostTransform(group.device(0), {.chunk_macroblocks = 12, .depth = 3});
  }

  static MacroblockQueue queue_of(const Macroblocks& input) {
    return {input.sizes.data(), input.coefficients.data(), input.count()};
  }

  SeededRandom random;
};

TEST_P(IdctHostGroupTest, ResidualEqualsTheReference) {
  HostTransform host = transform();
  for (const std::size_t count : {0U, 1U, 12U, 131U}) {
    const Macroblocks input = random_macroblocks(count, random);
    std::vector<std::int16_t> residual(256 * count);
    const PipelineReport report = host.residual(queue_of(input), residual.data());
    EXPECT_EQ(residual, reference_residuals(input));
    EXPECT_EQ(report.chunks, (count + 11) / 12);
  }
  std::uint64_t macroblocks = 0;
  for (const DevicePortion& portion : host.portions()) macroblocks += portion.items;
  EXPECT_EQ(macroblocks, group.size() == 1 ? 0U : 131U);
}

TEST_P(IdctHostGroupTest, PicturesAndFeaturesAreThoseOfOneDevice) {
  constexpr std::size_t kRows = 17;
  const Macroblocks input = random_macroblocks(kRow * kRows, random);
  const CodedQueue coded(*group.device(0), queue_of(input), 6);
  std::vector<std::uint8_t> prediction(256 * input.count());
  for (auto& sample : prediction) sample = static_cast<std::uint8_t>(random.integer(0, 255));
  const ConstPlane from = {prediction.data(), 16 * kRow, 16 * kRow, 16 * kRows};
  HostTransform one = alone();
  HostTransform host = transform();
  std::vector<std::uint8_t> expected(prediction.size());
  one.reconstruct(queue_of(input), {from}, {expected.data(), 16 * kRow, 16 * kRow, 16 * kRows});
  for (const HostInput& given : {HostInput(queue_of(input)), HostInput(coded)}) {
    std::vector<std::uint8_t> output(prediction.size());
    host.reconstruct(given, {from}, {output.data(), 16 * kRow, 16 * kRow, 16 * kRows});
    EXPECT_EQ(output, expected);
    for (const std::size_t picture : {1U, 7U, 20U, 51U, 1000U}) {
      const std::size_t pictures = (input.count() + picture - 1) / picture;
      std::vector<ResidualFeatures> features(pictures, {1, 1});
      std::vector<ResidualFeatures> of_one(pictures);
      host.features(given, picture, features);
      one.features(queue_of(input), picture, of_one);
      EXPECT_EQ(features, of_one) << picture;
    }
  }
}

TEST_P(IdctHostGroupTest, RejectsWhatOneDeviceRejects) {
  Macroblocks input = random_macroblocks(6, random);
  HostTransform host = transform();
  const auto code_of = [&](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  EXPECT_EQ(code_of([&] { host.residual(queue_of(input), nullptr); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { HostTransform(group, {.chunk_macroblocks = std::size_t{1} << 25}); }),
            ErrorCode::kInvalidArgument);
  std::vector<std::int16_t> residual(256 * input.count());
  input.sizes[4] = static_cast<TransformSize>(2);
  EXPECT_EQ(code_of([&] { host.residual(queue_of(input), residual.data()); }),
            ErrorCode::kInvalidArgument);
  if (group.size() == 1) return;
  std::vector<std::uint8_t> samples(256 * input.count());
  const Plane plane = {samples.data(), 16 * kRow, 16 * kRow, 32};
  EXPECT_EQ(code_of([&] {
              host.reconstruct(queue_of(input), {plane, MemorySpace::kDevice}, plane);
            }),
            ErrorCode::kUnsupported);
}

INSTANTIATE_TEST_SUITE_P(Groups, IdctHostGroupTest, testing::ValuesIn(conformance::group_names()),
                         conformance::name_of_group);

}  // namespace
}  // namespace millrace::idct
