// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/cpu/idct_simd.h>
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::idct {
namespace {

constexpr std::int16_t kUntouched = 0x5a5a;

// Every test runs on each Highway target that is compiled in and that this processor has.
class InverseTransformOnTarget : public testing::TestWithParam<std::tuple<std::int64_t, bool>> {
 protected:
  void SetUp() override { set_half_width_for_test(std::get<1>(GetParam())); }

 private:
  const SimdTarget target_{std::get<0>(GetParam())};
};

std::vector<std::int16_t> expected_residual(const Macroblocks& input) {
  std::vector<std::int16_t> result(input.coefficients.size());
  for (std::size_t m = 0; m < input.count(); ++m) {
    reference_residual(input.sizes[m],
                       std::span<const std::int16_t, 256>(input.coefficients.data() + 256 * m, 256),
                       std::span<std::int16_t, 256>(result.data() + 256 * m, 256));
  }
  return result;
}

// Samples whose first one is `offset` samples past a 64-byte boundary.
class Destination {
 public:
  Destination(std::size_t size, std::size_t offset) : storage_(size + 64, kUntouched) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    first_ = storage_.data() + (64 - address % 64) % 64 / sizeof(std::int16_t) + offset;
    size_ = size;
  }
  std::int16_t* data() { return first_; }
  std::vector<std::int16_t> values() const { return {first_, first_ + size_}; }

 private:
  std::vector<std::int16_t> storage_;
  std::int16_t* first_;
  std::size_t size_;
};

MacroblockBatch whole(const Macroblocks& input) {
  return {
      .sizes = input.sizes.data(), .coefficients = input.coefficients.data(), .end = input.count()};
}

TEST_P(InverseTransformOnTarget, EqualsTheReference) {
  SeededRandom random;
  const Macroblocks input = random_macroblocks(1000, random);
  const std::vector<std::int16_t> expected = expected_residual(input);
  for (const Stores stores : {Stores::kCached, Stores::kStreaming}) {
    for (const std::size_t offset : {0, 1, 8, 16, 31}) {
      Destination residual(expected.size(), offset);
      inverse_transform(whole(input), residual.data(), stores);
      EXPECT_EQ(residual.values(), expected) << "offset " << offset;
    }
  }
}

TEST_P(InverseTransformOnTarget, WritesNothingOutsideTheBatch) {
  SeededRandom random;
  const Macroblocks input = random_macroblocks(40, random);
  for (std::size_t begin = 0; begin < 4; ++begin) {
    for (const std::size_t end : {0, 1, 2, 3, 5, 8, 17, 39, 40}) {
      std::vector<std::int16_t> expected = expected_residual(input);
      std::fill_n(expected.begin(), 256 * begin, kUntouched);
      std::fill(expected.begin() + 256 * std::max(begin, end), expected.end(), kUntouched);
      for (const Stores stores : {Stores::kCached, Stores::kStreaming}) {
        Destination residual(expected.size(), 0);
        MacroblockBatch batch = whole(input);
        batch.begin = begin;
        batch.end = end;
        inverse_transform(batch, residual.data(), stores);
        EXPECT_EQ(residual.values(),
                  begin < end ? expected : std::vector<std::int16_t>(expected.size(), kUntouched));
      }
    }
  }
}

TEST_P(InverseTransformOnTarget, FollowsTheOrder) {
  SeededRandom random;
  const Macroblocks input = random_macroblocks(300, random);
  std::vector<std::uint32_t> order(input.count());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t k = order.size() - 1; k > 0; --k) {
    std::swap(order[k], order[random.integer(0, static_cast<int>(k))]);
  }
  const std::vector<std::int16_t> all = expected_residual(input);
  std::vector<std::int16_t> expected(all.size(), kUntouched);
  MacroblockBatch batch = whole(input);
  batch.order = order.data();
  batch.begin = 7;
  batch.end = 210;
  for (std::size_t k = batch.begin; k < batch.end; ++k) {
    std::copy_n(all.begin() + 256 * order[k], 256, expected.begin() + 256 * order[k]);
  }
  for (const Stores stores : {Stores::kCached, Stores::kStreaming}) {
    Destination residual(expected.size(), 0);
    inverse_transform(batch, residual.data(), stores);
    EXPECT_EQ(residual.values(), expected);
  }
}

struct BytePicture {
  std::vector<std::uint8_t> storage;
  int width;
  int height;
  int stride;

  Plane plane() { return {storage.data() + 5, stride, width, height}; }
};

BytePicture random_picture(int width, int height, int stride, SeededRandom& random) {
  BytePicture result{std::vector<std::uint8_t>(stride * height + 5), width, height, stride};
  for (std::uint8_t& sample : result.storage) {
    sample = static_cast<std::uint8_t>(random.integer(0, 255));
  }
  return result;
}

TEST_P(InverseTransformOnTarget, ReconstructionEqualsTheReference) {
  SeededRandom random;
  BytePicture prediction = random_picture(112, 96, 131, random);
  const BytePicture before = random_picture(112, 96, 120, random);
  const Macroblocks input = random_macroblocks(7 * 6, random);
  const std::vector<std::int16_t> residual = expected_residual(input);

  MacroblockBatch batch = whole(input);
  batch.begin = 3;
  batch.end = 38;
  BytePicture expected = before;
  for (std::size_t m = batch.begin; m < batch.end; ++m) {
    reference_reconstruction(std::span<const std::int16_t, 256>(residual.data() + 256 * m, 256),
                             prediction.plane(), expected.plane(), m);
  }
  BytePicture output = before;
  reconstruct(batch, prediction.plane(), output.plane());
  EXPECT_EQ(output.storage, expected.storage);

  std::vector<std::uint32_t> order(input.count());
  std::iota(order.rbegin(), order.rend(), 0U);
  batch.order = order.data();
  batch.begin = input.count() - 38;
  batch.end = input.count() - 3;
  output = before;
  reconstruct(batch, prediction.plane(), output.plane());
  EXPECT_EQ(output.storage, expected.storage);
}

TEST_P(InverseTransformOnTarget, ReconstructsInPlace) {
  SeededRandom random;
  BytePicture picture = random_picture(64, 32, 64, random);
  const Macroblocks input = random_macroblocks(8, random);
  BytePicture expected = picture;
  BytePicture prediction = picture;
  reconstruct(whole(input), prediction.plane(), expected.plane());
  reconstruct(whole(input), picture.plane(), picture.plane());
  EXPECT_EQ(picture.storage, expected.storage);
}

std::string target_name(const testing::TestParamInfo<std::tuple<std::int64_t, bool>>& info) {
  const auto [target, half_width] = info.param;
  return std::string(hwy::TargetName(target)) + (half_width ? "_half_width" : "");
}

INSTANTIATE_TEST_SUITE_P(Targets, InverseTransformOnTarget,
                         testing::Combine(testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                                          testing::Bool()),
                         target_name);

}  // namespace
}  // namespace millrace::idct
