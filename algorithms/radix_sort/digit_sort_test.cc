// SPDX-License-Identifier: Apache-2.0

// Keys of 1 and 2 bytes, ranges of bits, and counts in device memory, on every device, against
// std::stable_sort.
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/random/seeded_random.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Numbers in the order of keys. Of IEEE 754's totalOrder: by the sign, then by the magnitude, which
// is in the bits below.
std::int64_t rank_of(KeyType type, std::uint64_t key) {
  switch (type) {
    case KeyType::kI8: return static_cast<std::int8_t>(key);
    case KeyType::kI16: return static_cast<std::int16_t>(key);
    case KeyType::kI32: return static_cast<std::int32_t>(key);
    case KeyType::kF16: {
      const auto magnitude = static_cast<std::int64_t>(key & 0x7fff);
      return (key & 0x8000) != 0 ? -1 - magnitude : magnitude;
    }
    case KeyType::kF32: {
      const auto magnitude = static_cast<std::int64_t>(key & 0x7fffffff);
      return (key & 0x80000000) != 0 ? -1 - magnitude : magnitude;
    }
    default: return static_cast<std::int64_t>(key);
  }
}

// Bits of the unsigned integer in the order of the keys.
std::uint64_t digit_of(KeyType type, std::uint64_t key, const BitRange& range) {
  const int bits = static_cast<int>(8 * key_bytes(type));
  const bool is_unsigned = to_string(type)[0] == 'u';
  const std::uint64_t lowest = is_unsigned ? 0 : std::uint64_t{1} << (bits - 1);
  const std::uint64_t ordered = static_cast<std::uint64_t>(rank_of(type, key)) + lowest;
  const std::uint64_t below =
      ordered &
      (range.end_of(type) == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << range.end_of(type)) - 1);
  return below >> range.first;
}

struct Case {
  KeyType type = KeyType::kU8;
  std::size_t value_bytes = 0;
  bool is_argsort = false;
  SortOrder order = SortOrder::kAscending;
  BitRange bits{};
  bool is_in_place = false;
  bool has_keys_out = true;
};

std::string describe(const Case& c, std::size_t count) {
  return std::string(to_string(c.type)) + ", values of " + std::to_string(c.value_bytes) +
         (c.is_argsort ? ", argsort" : "") +
         (c.order == SortOrder::kDescending ? ", descending" : "") + ", bits " +
         std::to_string(c.bits.first) + " to " + std::to_string(c.bits.end_of(c.type)) +
         (c.is_in_place ? ", in place" : "") + ", " + std::to_string(count) + " keys";
}

std::uint64_t load(const std::vector<std::byte>& bytes, std::size_t size, std::size_t i) {
  std::uint64_t word = 0;
  std::memcpy(&word, &bytes[i * size], size);
  return word;
}

void store(std::vector<std::byte>& bytes, std::size_t size, std::size_t i, std::uint64_t word) {
  std::memcpy(&bytes[i * size], &word, size);
}

class DigitSortTest : public conformance::ConformanceTest {
 protected:
  void SetUp() override {
    try {
      sort(*queue, {});
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUnsupported);
      GTEST_SKIP() << error.what();
    }
  }

  using Bytes = std::vector<std::byte>;

  Buffer<std::byte> to_space(const Bytes& bytes, MemorySpace space) {
    Buffer<std::byte> buffer(queue->device().shared_from_this(), space, bytes.size());
    if (!bytes.empty()) queue->copy(buffer.data(), bytes.data(), bytes.size());
    queue->wait();
    return buffer;
  }

  void expect_bytes(const Buffer<std::byte>& buffer, const Bytes& wanted, const char* what) {
    Bytes found(wanted.size());
    if (!found.empty()) queue->copy(found.data(), buffer.data(), found.size());
    queue->wait();
    EXPECT_TRUE(found == wanted) << what;
  }

  // Every value of narrow keys occurs if there are as many keys.
  static Bytes keys_of(const Case& c, std::size_t count, SeededRandom& random) {
    const std::size_t size = key_bytes(c.type);
    Bytes keys(size * count);
    const std::uint64_t factor = random() | 1;
    for (std::size_t i = 0; i < count; ++i) store(keys, size, i, factor * i + (i >> 16) * random());
    return keys;
  }

  void expect_sorted(const Case& c, std::size_t count, MemorySpace space, SeededRandom& random) {
    SCOPED_TRACE(describe(c, count));
    const std::size_t size = key_bytes(c.type);
    const Bytes keys = keys_of(c, count, random);
    Bytes values(c.value_bytes * count);
    for (std::size_t i = 0; i < count && c.value_bytes > 0; ++i) {
      store(values, c.value_bytes, i, c.is_argsort ? i : 0x0123456789abcdef * (i + 1));
    }
    std::vector<std::uint64_t> digits(count);
    for (std::size_t i = 0; i < count; ++i)
      digits[i] = digit_of(c.type, load(keys, size, i), c.bits);
    std::vector<std::uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0U);
    const bool is_descending = c.order == SortOrder::kDescending;
    std::stable_sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
      return is_descending ? digits[b] < digits[a] : digits[a] < digits[b];
    });
    Bytes wanted_keys(keys.size());
    Bytes wanted_values(values.size());
    for (std::size_t i = 0; i < count; ++i) {
      store(wanted_keys, size, i, load(keys, size, indices[i]));
      if (c.value_bytes == 0) continue;
      store(wanted_values, c.value_bytes, i, load(values, c.value_bytes, indices[i]));
    }
    const Buffer<std::byte> keys_in = to_space(keys, space);
    const Buffer<std::byte> values_in = to_space(values, space);
    Buffer<std::byte> keys_out = to_space(Bytes(keys.size()), space);
    Buffer<std::byte> values_out = to_space(Bytes(values.size()), space);
    Buffer<std::byte>& keys_to = c.is_in_place ? const_cast<Buffer<std::byte>&>(keys_in) : keys_out;
    Buffer<std::byte>& values_to =
        c.is_in_place && !c.is_argsort ? const_cast<Buffer<std::byte>&>(values_in) : values_out;
    const bool has_values = c.value_bytes > 0;
    sort(*queue, {.key_type = c.type,
                  .value_bytes = c.value_bytes,
                  .is_argsort = c.is_argsort,
                  .order = c.order,
                  .count = count,
                  .keys_in = keys_in.data(),
                  .keys_out = c.has_keys_out ? keys_to.data() : nullptr,
                  .values_in = has_values && !c.is_argsort ? values_in.data() : nullptr,
                  .values_out = has_values ? values_to.data() : nullptr,
                  .space = space,
                  .bits = c.bits});
    if (c.has_keys_out) expect_bytes(keys_to, wanted_keys, "keys");
    if (has_values) expect_bytes(values_to, wanted_values, "values");
    if (!c.is_in_place) expect_bytes(keys_in, keys, "the input");
  }

  static std::vector<Case> narrow_cases() {
    std::vector<Case> cases;
    for (const KeyType type : kNarrowKeyTypes) {
      for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
        for (const bool is_in_place : {false, true}) {
          for (const std::size_t value_bytes : {0, 4, 8}) {
            cases.push_back({.type = type,
                             .value_bytes = value_bytes,
                             .order = order,
                             .is_in_place = is_in_place});
          }
        }
        for (const std::size_t value_bytes : {4, 8}) {
          for (const bool has_keys_out : {false, true}) {
            cases.push_back({.type = type,
                             .value_bytes = value_bytes,
                             .is_argsort = true,
                             .order = order,
                             .has_keys_out = has_keys_out});
          }
        }
      }
    }
    return cases;
  }
};

TEST_P(DigitSortTest, NarrowKeysOfAllSizes) {
  SeededRandom random;
  // Simulated devices take long: each case has one of the sizes there.
  const bool is_simulated = queue->device().info().is_simulated;
  const std::size_t sizes[] = {0, 1, 2, 255, 256, 257, 1000, 4099};
  for (const Case& c : narrow_cases()) {
    const std::size_t chosen = sizes[random(0, 7)];
    for (const std::size_t count : sizes) {
      if (is_simulated && count != chosen) continue;
      expect_sorted(c, count, MemorySpace::kDevice, random);
      expect_sorted(c, count, MemorySpace::kHost, random);
    }
  }
}

TEST_P(DigitSortTest, AllValuesOfNarrowKeys) {
  SeededRandom random;
  // Simulated devices take long: each type has one of the sizes there, with and without values.
  const bool is_simulated = queue->device().info().is_simulated;
  const std::size_t sizes[] = {65535, 65536, 65537, 70000};
  for (const Case& c : narrow_cases()) {
    if (is_simulated) {
      const bool is_chosen = (random(0, 1) == 0) == (c.order == SortOrder::kAscending);
      if (is_chosen && !c.is_in_place && !c.is_argsort && c.value_bytes <= 4) {
        expect_sorted(c, sizes[random(0, 3)], MemorySpace::kDevice, random);
      }
      continue;
    }
    for (const std::size_t count : sizes) {
      expect_sorted(c, count, MemorySpace::kDevice, random);
    }
  }
}

TEST_P(DigitSortTest, ManyPiecesOfNarrowKeys) {
  SeededRandom random;
  for (const Case& c : narrow_cases()) {
    if (random(0, 7) > 0) continue;
    expect_sorted(c, 300'007, MemorySpace::kHost, random);
  }
}

TEST_P(DigitSortTest, RangesOfBits) {
  SeededRandom random;
  const KeyType types[] = {KeyType::kU8,  KeyType::kI16, KeyType::kF16, KeyType::kU32,
                           KeyType::kI32, KeyType::kF32, KeyType::kU64};
  for (const KeyType type : types) {
    const auto bits = static_cast<int>(8 * key_bytes(type));
    const int trials = queue->device().info().is_simulated ? 3 : 12;
    for (int trial = 0; trial < trials; ++trial) {
      Case c = {.type = type};
      c.bits.first = static_cast<int>(random(0, static_cast<std::uint64_t>(bits) - 1));
      c.bits.end = static_cast<int>(
          random(static_cast<std::uint64_t>(c.bits.first) + 1, static_cast<std::uint64_t>(bits)));
      c.value_bytes = 4 * random(0, 2);
      c.is_argsort = c.value_bytes > 0 && random(0, 1) == 0;
      c.order = random(0, 1) == 0 ? SortOrder::kAscending : SortOrder::kDescending;
      c.is_in_place = random(0, 1) == 0;
      expect_sorted(c, random(1, 3000), MemorySpace::kDevice, random);
      expect_sorted(c, random(1, 3000), MemorySpace::kHost, random);
    }
  }
}

TEST_P(DigitSortTest, TypesOfSpans) {
  const std::vector<std::int8_t> in = {3, -4, 127, -128, 0};
  std::vector<std::int8_t> out(5);
  sort_keys<std::int8_t>(*queue, in, out, {.space = MemorySpace::kHost});
  EXPECT_EQ(out, (std::vector<std::int8_t>{-128, -4, 0, 3, 127}));
  // 1, -infinity, -NaN and -0.
  const std::vector<Float16> halves = {{0x3c00}, {0xfc00}, {0xfe00}, {0x8000}};
  std::vector<std::uint32_t> indices(4);
  argsort<Float16, std::uint32_t>(*queue, halves, indices, {}, {.space = MemorySpace::kHost});
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{2, 1, 3, 0}));
}

TEST_P(DigitSortTest, RejectsWrongRanges) {
  const std::vector<std::uint16_t> in = {3, 2};
  std::vector<std::uint16_t> out(2);
  for (const BitRange bits : {BitRange{-1, 3}, BitRange{4, 4}, BitRange{0, 17}, BitRange{16, 0}}) {
    try {
      sort_keys<std::uint16_t>(*queue, in, out, {.space = MemorySpace::kHost, .bits = bits});
      FAIL() << bits.first << ' ' << bits.end;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find("give 0 <= first < end <= 16"), std::string::npos);
    }
  }
}

TEST_P(DigitSortTest, TheDeviceKnowsTheCount) {
  SeededRandom random;
  for (const MemorySpace space : {MemorySpace::kDevice, MemorySpace::kHost}) {
    for (const std::uint64_t count : {0, 1, 700, 1000}) {
      std::vector<std::uint32_t> keys(1000);
      for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
      std::vector<std::uint32_t> wanted = keys;
      std::stable_sort(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(count));
      const auto shared = queue->device().shared_from_this();
      Buffer<std::uint32_t> array(shared, space, keys.size());
      Buffer<std::uint64_t> number(shared, space, 1);
      queue->copy(array.data(), keys.data(), 4 * keys.size());
      // Still in the queue when the sort is called.
      queue->copy(number.data(), &count, sizeof count);
      sort_keys<std::uint32_t>(*queue, std::span<const std::uint32_t>(array.data(), keys.size()),
                               std::span<std::uint32_t>(array.data(), keys.size()),
                               {.space = space, .count_in = number.data()});
      queue->copy(keys.data(), array.data(), 4 * keys.size());
      queue->wait();
      EXPECT_EQ(keys, wanted) << count;
    }
  }
}

TEST_P(DigitSortTest, RejectsACountAboveTheCapacity) {
  std::vector<std::uint32_t> keys = {3, 2};
  const std::uint64_t count = 3;
  try {
    sort_keys<std::uint32_t>(*queue, keys, keys, {.space = MemorySpace::kHost, .count_in = &count});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("capacity for 2"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DigitSortTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::radix_sort
