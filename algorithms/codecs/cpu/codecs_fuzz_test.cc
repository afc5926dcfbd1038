// SPDX-License-Identifier: Apache-2.0

// Damaged chunks for codecs_fuzz.cc. The test passes if nothing crashes, above all under
// AddressSanitizer.
#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/codecs_test_input.h>
#include <millrace/algorithms/codecs/cpu/bounded_simd.h>
#include <millrace/algorithms/codecs/delta_reference.h>
#include <millrace/algorithms/codecs/sparse_reference.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace millrace::codecs {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kCount = 4500;

Bytes input_of(int decoder, std::uint32_t most, const Bytes& coded) {
  Bytes input(7);
  input[0] = static_cast<std::byte>(decoder);
  input[1] = static_cast<std::byte>(kCount % 256);
  input[2] = static_cast<std::byte>(kCount / 256);
  std::memcpy(input.data() + 3, &most, sizeof most);
  input.insert(input.end(), coded.begin(), coded.end());
  return input;
}

// Decodes the chunk as it is and then damaged in many ways, often with its size in the header
// corrected.
void decode_damaged(int decoder, const Bytes& coded, SeededRandom& random, std::uint32_t most = 0) {
  constexpr int kTimes = 400;
  for (int i = 0; i < kTimes; ++i) {
    Bytes damaged = coded;
    if (i > 0) damage(damaged, random);
    if (damaged.size() >= sizeof(CodedHeader) && random(0, 1) == 0) {
      const std::uint64_t bytes = damaged.size();
      std::memcpy(damaged.data() + offsetof(CodedHeader, bytes), &bytes, sizeof bytes);
    }
    const Bytes input = input_of(decoder, most, damaged);
    EXPECT_EQ(
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()),
        0);
  }
}

TEST(CodecsFuzzTest, Deltas) {
  SeededRandom random;
  for (int i = 0; i < 4; ++i) {
    const auto small = random_integers<std::uint32_t>(kCount, random);
    decode_damaged(0, reference_encode_deltas<std::uint32_t>(small), random);
    const auto large = random_integers<std::uint64_t>(kCount, random);
    decode_damaged(1, reference_encode_deltas<std::uint64_t>(large), random);
  }
}

TEST(CodecsFuzzTest, BoundedIntegers) {
  SeededRandom random;
  for (const std::uint32_t most : {0U, 1U, 999U, 0xFFFFFFFFU}) {
    const BoundedFormat format{std::uint64_t{most} + 1};
    std::vector<std::uint32_t> values(kCount);
    for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random(0, most));
    Bytes coded(format.coded_bytes(kCount));
    const CodedHeader header = format.header(kCount);
    std::memcpy(coded.data(), &header, sizeof header);
    encode_bounded(format, values, coded.data() + sizeof header);
    decode_damaged(2, coded, random, most);
  }
}

TEST(CodecsFuzzTest, SparseBlocks) {
  SeededRandom random;
  std::vector<CoefficientBlock> blocks(kCount);
  for (CoefficientBlock& block : blocks) {
    for (std::uint64_t n = random(0, 6); n > 0; --n) {
      block.values[random(0, 255)] = static_cast<std::int16_t>(random());
    }
  }
  decode_damaged(3, reference_encode_sparse(blocks), random);
}

}  // namespace
}  // namespace millrace::codecs
