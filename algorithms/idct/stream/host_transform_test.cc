// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct_reference.h>
#include <millrace/algorithms/idct/random_macroblocks.h>
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace millrace::idct {
namespace {

constexpr CodecUse kUses[] = {CodecUse::kMeasured, CodecUse::kRaw, CodecUse::kCoded};
constexpr int kRow = 3;  // Macroblocks per row of the test pictures.

std::optional<ErrorCode> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

MacroblockQueue queue_of(const Macroblocks& input) {
  return {input.sizes.data(), input.coefficients.data(), input.count()};
}

// Returns macroblocks with at most six coefficients that are not zero, which compress well.
Macroblocks sparse_macroblocks(std::size_t count, SeededRandom& random) {
  Macroblocks result = random_macroblocks(count, random);
  std::ranges::fill(result.coefficients, std::int16_t{0});
  for (std::size_t m = 0; m < count; ++m) {
    for (int n = random.integer(0, 6); n > 0; --n) {
      result.coefficients[256 * m + random.integer(0, 255)] =
          static_cast<std::int16_t>(16 * random.integer(-300, 300));
    }
  }
  return result;
}

ConstPlane plane_of(const std::vector<std::uint8_t>& samples, std::size_t rows) {
  return {samples.data(), 16 * kRow, 16 * kRow, static_cast<int>(16 * rows)};
}
Plane plane_of(std::vector<std::uint8_t>& samples, std::size_t rows) {
  return {samples.data(), 16 * kRow, 16 * kRow, static_cast<int>(16 * rows)};
}

std::vector<std::uint8_t> random_samples(std::size_t count, SeededRandom& random) {
  std::vector<std::uint8_t> samples(count);
  for (auto& sample : samples) sample = static_cast<std::uint8_t>(random.integer(0, 255));
  return samples;
}

std::vector<std::uint8_t> reference_picture(const Macroblocks& input,
                                            const std::vector<std::uint8_t>& prediction) {
  const std::vector<std::int16_t> residual = reference_residuals(input);
  std::vector<std::uint8_t> output(prediction.size());
  const std::size_t rows = input.count() / kRow;
  for (std::size_t m = 0; m < input.count(); ++m) {
    reference_reconstruction(std::span<const std::int16_t, 256>(residual.data() + 256 * m, 256),
                             plane_of(prediction, rows), plane_of(output, rows), m);
  }
  return output;
}

std::vector<ResidualFeatures> reference_features(const Macroblocks& input, std::size_t picture) {
  std::vector<ResidualFeatures> features((input.count() + picture - 1) / picture);
  const std::vector<std::int16_t> residual = reference_residuals(input);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    const std::int64_t sample = residual[i];
    ResidualFeatures& sums = features[i / 256 / picture];
    sums.sum_of_squares += static_cast<std::uint64_t>(sample * sample);
    sums.sum_of_absolutes += static_cast<std::uint64_t>(std::abs(sample));
  }
  return features;
}

class IdctHostTest : public conformance::ConformanceTest {
 protected:
  HostTransform transform(CodecUse use, std::size_t chunk = 12) {
    return HostTransform(device, {.chunk_macroblocks = chunk, .depth = 3, .codec = use});
  }

  SeededRandom random;
};

TEST_P(IdctHostTest, ResidualEqualsTheReference) {
  for (const CodecUse use : kUses) {
    HostTransform host = transform(use);
    for (const std::size_t count : {0u, 1u, 12u, 101u}) {
      for (const Macroblocks& input :
           {sparse_macroblocks(count, random), random_macroblocks(count, random)}) {
        std::vector<std::int16_t> residual(256 * count);
        const PipelineReport report = host.residual(queue_of(input), residual.data());
        EXPECT_EQ(residual, reference_residuals(input)) << to_string(use) << ' ' << count;
        EXPECT_EQ(report.chunks, (count + 11) / 12);
      }
    }
  }
}

TEST_P(IdctHostTest, ChunksMayBeLeftToBeChosen) {
  HostTransform host(device, {.chunk_macroblocks = 0, .depth = 0});
  const Macroblocks input = sparse_macroblocks(101, random);
  std::vector<std::int16_t> residual(256 * input.count());
  EXPECT_EQ(host.residual(queue_of(input), residual.data()).chunks, 1u);
  EXPECT_EQ(residual, reference_residuals(input));
}

TEST_P(IdctHostTest, ForcedCodecIsUsedWhereItSaves) {
  const Macroblocks sparse = sparse_macroblocks(64, random);
  std::vector<std::int16_t> residual(256 * sparse.count());
  HostTransform coded = transform(CodecUse::kCoded, 32);
  HostTransform raw = transform(CodecUse::kRaw, 32);
  const PipelineReport of_coded = coded.residual(queue_of(sparse), residual.data());
  const PipelineReport of_raw = raw.residual(queue_of(sparse), residual.data());
  EXPECT_EQ(of_coded.coded_up, 2u);
  EXPECT_EQ(of_raw.coded_up, 0u);
  EXPECT_LT(10 * of_coded.bytes_up, of_raw.bytes_up);

  Macroblocks dense = sparse;
  for (auto& value : dense.coefficients)
    value = static_cast<std::int16_t>(random.integer(-32768, 32767));
  EXPECT_EQ(coded.residual(queue_of(dense), residual.data()).coded_up, 0u);
  EXPECT_EQ(residual, reference_residuals(dense));
}

TEST_P(IdctHostTest, MeasuredTriesTheCodecOnSparseChunks) {
  if (device->info().shares_host_memory) GTEST_SKIP() << "copies nothing";
  HostTransform host = transform(CodecUse::kMeasured, 32);
  const Macroblocks sparse = sparse_macroblocks(64, random);
  std::vector<std::int16_t> residual(256 * sparse.count());
  EXPECT_GE(host.residual(queue_of(sparse), residual.data()).coded_up, 1u);
  EXPECT_EQ(residual, reference_residuals(sparse));
}

// The first coefficient is not at a multiple of 16 bytes.
TEST_P(IdctHostTest, UnalignedCoefficientsGoRaw) {
  HostTransform host = transform(CodecUse::kCoded, 32);
  const Macroblocks sparse = sparse_macroblocks(64, random);
  std::vector<std::int16_t> moved(sparse.coefficients.size() + 16);
  const auto misaligned_by = reinterpret_cast<std::uintptr_t>(moved.data()) / 2 % 8;
  std::int16_t* const first = moved.data() + (8 - misaligned_by) + 1;
  std::ranges::copy(sparse.coefficients, first);
  std::vector<std::int16_t> residual(256 * sparse.count());
  const MacroblockQueue queue{sparse.sizes.data(), first, sparse.count()};
  EXPECT_EQ(host.residual(queue, residual.data()).coded_up, 0u);
  EXPECT_EQ(residual, reference_residuals(sparse));
}

TEST_P(IdctHostTest, PictureEqualsTheReferenceWhereverItsPredictionIs) {
  for (const CodecUse use : kUses) {
    HostTransform host = transform(use, 13);  // Chunks of four rows of three macroblocks.
    for (const std::size_t rows : {1u, 4u, 11u}) {
      const Macroblocks input = sparse_macroblocks(kRow * rows, random);
      const auto prediction = random_samples(256 * input.count(), random);
      Buffer<std::uint8_t> there(device, MemorySpace::kDevice, prediction.size());
      copy(*queue, there.span(), BufferSpan<const std::uint8_t>(std::span(prediction)));
      queue->wait();
      ConstPlane on_device = plane_of(prediction, rows);
      on_device.data = there.data();
      for (const HostPrediction& given : {HostPrediction{plane_of(prediction, rows)},
                                          HostPrediction{on_device, MemorySpace::kDevice}}) {
        std::vector<std::uint8_t> output(prediction.size());
        host.reconstruct(queue_of(input), given, plane_of(output, rows));
        EXPECT_EQ(output, reference_picture(input, prediction)) << to_string(use) << ' ' << rows;
      }
    }
  }
}

TEST_P(IdctHostTest, FeaturesEqualTheReference) {
  for (const CodecUse use : kUses) {
    HostTransform host = transform(use);
    const Macroblocks input = random_macroblocks(100, random);
    for (const std::size_t picture : {1u, 7u, 40u, 100u, 1000u}) {
      const auto expected = reference_features(input, picture);
      std::vector<ResidualFeatures> features(expected.size(), {1, 1});
      host.features(queue_of(input), picture, features);
      EXPECT_EQ(features, expected) << to_string(use) << ' ' << picture;
    }
  }
}

TEST_P(IdctHostTest, FeaturesAreTheSameUnderEveryPolicy) {
  const Macroblocks input = random_macroblocks(50, random);
  const auto expected = reference_features(input, 20);
  for (const Policy policy :
       {Policy::kKernelPerType, Policy::kUberkernel, Policy::kPersistentThreads}) {
    HostTransform host(device, {.chunk_macroblocks = 33, .policy = policy});
    std::vector<ResidualFeatures> features(expected.size());
    host.features(queue_of(input), 20, features);
    EXPECT_EQ(features, expected) << to_string(policy);
  }
}

TEST_P(IdctHostTest, QueueCodedBeforehandGivesTheSame) {
  const std::size_t rows = 9;
  for (const Macroblocks& input :
       {sparse_macroblocks(kRow * rows, random), random_macroblocks(kRow * rows, random)}) {
    const CodedQueue coded(*device, queue_of(input), 6);
    HostTransform host = transform(CodecUse::kRaw);
    const auto prediction = random_samples(256 * input.count(), random);
    std::vector<std::uint8_t> output(prediction.size());
    std::vector<std::int16_t> residual(256 * input.count());
    std::vector<ResidualFeatures> features(2);
    host.residual(coded, residual.data());
    host.reconstruct(coded, {plane_of(prediction, rows)}, plane_of(output, rows));
    host.features(coded, 20, features);
    EXPECT_EQ(residual, reference_residuals(input));
    EXPECT_EQ(output, reference_picture(input, prediction));
    EXPECT_EQ(features, reference_features(input, 20));
  }
}

TEST_P(IdctHostTest, SizeThatIsNeitherIsRejectedAndTheNextRunWorks) {
  Macroblocks input = sparse_macroblocks(30, random);
  HostTransform host = transform(CodecUse::kCoded);
  std::vector<std::int16_t> residual(256 * input.count());
  const TransformSize good = input.sizes[20];
  input.sizes[20] = static_cast<TransformSize>(2);
  EXPECT_EQ(code_of([&] { host.residual(queue_of(input), residual.data()); }),
            ErrorCode::kInvalidArgument);
  input.sizes[20] = good;
  host.residual(queue_of(input), residual.data());
  EXPECT_EQ(residual, reference_residuals(input));
}

TEST_P(IdctHostTest, RejectsWhatDoesNotFit) {
  const Macroblocks input = sparse_macroblocks(2 * kRow, random);
  const MacroblockQueue good = queue_of(input);
  std::vector<std::uint8_t> samples(256 * input.count());
  std::vector<std::int16_t> residual(256 * input.count());
  std::vector<ResidualFeatures> features(2);
  HostTransform host = transform(CodecUse::kMeasured);
  const CodedQueue odd(*device, good, 4);
  const CodedQueue large(*device, good, 15);
  const ConstPlane prediction = plane_of(std::as_const(samples), 2);
  const Plane output = plane_of(samples, 2);
  Plane wide = output;
  wide.stride = 64;
  Plane low = output;
  low.height = 16;
  const std::vector<std::function<void()>> mistakes = {
      [&] { HostTransform(device, {.chunk_macroblocks = (std::size_t{1} << 24) + 1}); },
      [&] { HostTransform(device, {.chunk_macroblocks = 1, .depth = -1}); },
      [&] { HostTransform(device, {.chunk_macroblocks = 1, .depth = 65}); },
      [&] { CodedQueue(*device, good, 0); },
      [&] {
        CodedQueue(*device, {good.sizes, nullptr, 1}, 1);
      },
      [&] { host.residual(good, nullptr); },
      [&] {
        host.residual(MacroblockQueue{nullptr, good.coefficients, 1}, residual.data());
      },
      [&] {
        host.residual(MacroblockQueue{good.sizes, nullptr, 1}, residual.data());
      },
      [&] { host.residual(large, residual.data()); },
      [&] { host.reconstruct(odd, {prediction}, output); },
      [&] { host.reconstruct(good, {ConstPlane{}}, output); },
      [&] { host.reconstruct(good, {prediction}, Plane{}); },
      [&] { host.reconstruct(good, {prediction}, wide); },
      [&] { host.reconstruct(good, {wide}, output); },
      [&] { host.reconstruct(good, {prediction}, low); },
      [&] {
        host.reconstruct(MacroblockQueue{good.sizes, good.coefficients, 4}, {prediction}, output);
      },
      [&] { transform(CodecUse::kRaw, 2).reconstruct(good, {prediction}, output); },
      [&] { host.features(good, 0, features); },
      [&] { host.features(good, 2, features); },
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    EXPECT_EQ(code_of(mistakes[i]), ErrorCode::kInvalidArgument) << "mistake " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, IdctHostTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::idct
