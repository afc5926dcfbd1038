// SPDX-License-Identifier: Apache-2.0

// Each step on every device that has them.
#include <millrace/algorithms/radix_sort/host_records_test_input.h>
#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/tests/conformance/conformance.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace millrace::radix_sort {
namespace {

using Words = std::vector<std::uint32_t>;

class SortStepsTest : public conformance::ConformanceTest {
 protected:
  void SetUp() override {
    if (device->info().shares_host_memory) GTEST_SKIP() << "has no memory of its own";
    RecordProperty("seed", std::to_string(seed));
    steps = &sort_steps_of(*queue);
  }

  template <class T>
  T* to_device(const std::vector<T>& values) {
    T* const data = memory.take_array<T>(MemorySpace::kDevice, values.size());
    queue->copy(data, values.data(), values.size() * sizeof(T));
    queue->wait();
    return data;
  }

  template <class T>
  T* memory_for(std::size_t count) {
    return memory.take_array<T>(MemorySpace::kDevice, count);
  }

  template <class T>
  std::vector<T> to_host(const T* data, std::size_t count) {
    std::vector<T> values(count);
    queue->copy(values.data(), data, count * sizeof(T));
    queue->wait();
    return values;
  }

  Words random_words(std::size_t count, std::uint32_t below) {
    Words words(count);
    for (auto& word : words) word = static_cast<std::uint32_t>(random() % below);
    return words;
  }

  const std::random_device::result_type seed = std::random_device()();
  std::mt19937_64 random{seed};
  SortMemory memory{*queue};
  const DeviceSortSteps* steps = nullptr;
};

// Indices 0, 1, ... as values show whether equal keys keep their order.
Words first_indices(std::size_t count) {
  Words result(count);
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

Words stable_order(const Words& keys, std::uint32_t mask) {
  Words order = first_indices(keys.size());
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return keys[i] & mask; });
  return order;
}

TEST_P(SortStepsTest, SortIsStableAndByTheLowestBits) {
  const RecordSize size{4, 4};
  for (const std::size_t count : {1, 31, 1000, 10'001}) {
    const Words keys = random_words(count, 300);
    void* const scratch = memory_for<char>(steps->scratch_bytes(*queue, size, count));
    for (const int bits : {1, 3, 8, 9, 32}) {
      const Records out{memory_for<std::uint32_t>(count), memory_for<std::uint32_t>(count)};
      const Records in{to_device(keys), to_device(first_indices(count))};
      steps->sort(
          *queue,
          {.size = size, .key_bits = bits, .in = {in, count}, .out = out, .scratch = scratch});
      const std::uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
      EXPECT_EQ(to_host(static_cast<std::uint32_t*>(out.values), count), stable_order(keys, mask))
          << count << " keys, " << bits << " bits, seed " << seed;
    }
  }
}

TEST_P(SortStepsTest, MergeTakesEqualKeysOfTheFirstRunFirst) {
  using Sizes = std::pair<std::size_t, std::size_t>;
  for (const auto& [a_count, b_count] :
       {Sizes{0, 5}, Sizes{5, 0}, Sizes{1, 1}, Sizes{5000, 3}, Sizes{3, 5000}, Sizes{7777, 8889}}) {
    const std::size_t count = a_count + b_count;
    Words keys = random_words(count, 400);
    std::sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(a_count));
    std::sort(keys.begin() + static_cast<std::ptrdiff_t>(a_count), keys.end());
    const Records in{to_device(keys), to_device(first_indices(count))};
    const Records out{memory_for<std::uint32_t>(count), memory_for<std::uint32_t>(count)};
    const RecordSize size{4, 4};
    void* const scratch = memory_for<char>(steps->scratch_bytes(*queue, size, count));
    for (const RecordSpan& segment : plan_segments(count, 1, 3, MemorySpace::kPinned)) {
      steps->merge(*queue, {.size = size,
                            .a = {in, a_count},
                            .b = {advance(in, size, a_count), b_count},
                            .out = out,
                            .first = segment.first,
                            .count = segment.count,
                            .scratch = scratch});
    }
    EXPECT_EQ(to_host(static_cast<std::uint32_t*>(out.values), count), stable_order(keys, ~0U))
        << a_count << " and " << b_count << " keys, seed " << seed;
  }
}

TEST_P(SortStepsTest, PartitionIsStableAndGivesTheStartsOfDigits) {
  for (const DigitPass pass : {DigitPass{28, 4}, DigitPass{24, 8}, DigitPass{0, 1}}) {
    constexpr std::size_t kCount = 9001;
    const Words keys = random_words(kCount, ~0U);
    const std::uint32_t mask = (pass.digits() - 1) << pass.first_bit;
    const Records out{memory_for<std::uint32_t>(kCount), memory_for<std::uint32_t>(kCount)};
    auto* const starts = memory.take_array<std::uint32_t>(MemorySpace::kPinned, pass.digits());
    const Records in{to_device(keys), to_device(first_indices(kCount))};
    steps->partition(*queue, {.size = {4, 4},
                              .pass = pass,
                              .in = {in, kCount},
                              .out = out,
                              .scratch = memory_for<char>(steps->partition_scratch_bytes(*queue)),
                              .starts = starts});
    EXPECT_EQ(to_host(static_cast<std::uint32_t*>(out.values), kCount), stable_order(keys, mask))
        << seed;
    for (std::uint32_t digit = 0; digit < pass.digits(); ++digit) {
      EXPECT_EQ(starts[digit], std::ranges::count_if(keys, [&](std::uint32_t key) {
                  return (key & mask) >> pass.first_bit < digit;
                }));
    }
  }
}

TEST_P(SortStepsTest, PartitionGivesItsTimes) {
  const Words keys = random_words(1000, ~0U);
  PassTimes times;
  steps->partition(*queue, {.size = {4, 0},
                            .pass = {24, 8},
                            .in = {{to_device(keys)}, keys.size()},
                            .out = {memory_for<std::uint32_t>(keys.size())},
                            .scratch = memory_for<char>(steps->partition_scratch_bytes(*queue)),
                            .times = &times});
  queue->wait();
  EXPECT_GT(times.reduction, 0);
  EXPECT_GT(times.scan, 0);
  EXPECT_GT(times.scatter, 0);
}

TEST_P(SortStepsTest, MapsKeysThereAndBack) {
  const Words keys = random_words(1000, ~0U);
  const auto map = KeyBits<std::uint32_t>::of(KeyType::kF32, SortOrder::kDescending);
  std::uint32_t* const data = to_device(keys);
  MapStep step = {.type = KeyType::kF32,
                  .order = SortOrder::kDescending,
                  .to_ordered = true,
                  .from = data,
                  .to = data,
                  .count = keys.size()};
  steps->map_keys(*queue, step);
  Words expected(keys.size());
  std::ranges::transform(keys, expected.begin(),
                         [&](std::uint32_t key) { return map.ordered(key); });
  EXPECT_EQ(to_host(data, keys.size()), expected);
  step.to_ordered = false;
  steps->map_keys(*queue, step);
  EXPECT_EQ(to_host(data, keys.size()), keys);
}

TEST_P(SortStepsTest, NumbersFromAFirstIndexOn) {
  auto* const indices = memory_for<std::uint64_t>(100);
  steps->number(*queue, 8, indices, std::size_t{1} << 33, 100);
  const auto found = to_host(indices, 100);
  EXPECT_EQ(found.front(), std::uint64_t{1} << 33);
  EXPECT_EQ(found.back(), (std::uint64_t{1} << 33) + 99);
}

TEST_P(SortStepsTest, GathersEarlyAndOtherValuesSeparately) {
  for (const std::size_t count : {1, 63, 1024, 5000}) {
    const auto limit = static_cast<std::uint32_t>(count / 3);
    Words indices = first_indices(count);
    std::ranges::shuffle(indices, random);
    const Words values = random_words(count, ~0U);
    const std::size_t tiles = (count + kSplitTile - 1) / kSplitTile;
    auto* const mask = memory_for<std::uint32_t>((count + 31) / 32);
    auto* const starts = memory_for<std::uint32_t>(tiles + 1);
    const std::uint32_t* const indices_there = to_device(indices);
    const std::uint32_t* const values_there = to_device(values);
    auto* const out = memory_for<std::uint32_t>(count);
    const EarlyOutputs outputs = {.indices = indices_there,
                                  .count = count,
                                  .limit = limit,
                                  .mask = mask,
                                  .tile_starts = starts};
    steps->mark_early(*queue, outputs);
    for (const bool early : {true, false}) {
      steps->gather_tiles(*queue, {.value_bytes = 4,
                                   .values = values_there,
                                   .outputs = outputs,
                                   .early = early,
                                   .end_tile = tiles,
                                   .out = early ? out : out + limit});
    }
    Words expected;
    for (const bool early : {true, false}) {
      for (const std::uint32_t i : indices) {
        if ((i < limit) == early) expected.push_back(values[i]);
      }
    }
    EXPECT_EQ(to_host(out, count), expected) << count << " values, seed " << seed;
    const Words bits = to_host(mask, (count + 31) / 32);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ((bits[i / 32] >> (i % 32) & 1) != 0, indices[i] < limit) << i;
    }
    EXPECT_EQ(to_host(starts, tiles + 1).back(), limit);
  }
}

TEST_P(SortStepsTest, GathersAll) {
  const Words indices = random_words(3000, 500);
  const Words values = random_words(500, ~0U);
  auto* const out = memory_for<std::uint32_t>(indices.size());
  steps->gather(*queue, {.value_bytes = 4,
                         .values = to_device(values),
                         .indices = to_device(indices),
                         .count = indices.size(),
                         .out = out});
  Words expected;
  for (const std::uint32_t i : indices) expected.push_back(values[i]);
  EXPECT_EQ(to_host(out, indices.size()), expected) << seed;
}

TEST_P(SortStepsTest, GathersRangeByRange) {
  const Words indices = random_words(3000, 500);
  const Words values = random_words(500, ~0U);
  auto* const out = memory_for<std::uint32_t>(indices.size());
  const auto* const values_there = to_device(values);
  const auto* const indices_there = to_device(indices);
  const Words before(indices.size(), 7);
  queue->copy(out, before.data(), sizeof(std::uint32_t) * before.size());
  const auto gather = [&](std::size_t first, std::size_t end) {
    steps->gather_within(*queue,
                         {.value_bytes = 4,
                          .values = values_there,
                          .indices = indices_there,
                          .count = indices.size(),
                          .out = out},
                         first, end);
  };
  gather(200, 500);
  Words expected;
  for (const std::uint32_t i : indices) expected.push_back(i < 200 ? 7 : values[i]);
  EXPECT_EQ(to_host(out, indices.size()), expected) << seed;
  gather(0, 0);
  gather(0, 200);
  for (std::size_t i = 0; i < indices.size(); ++i) expected[i] = values[indices[i]];
  EXPECT_EQ(to_host(out, indices.size()), expected) << seed;
}

INSTANTIATE_TEST_SUITE_P(Devices, SortStepsTest, testing::ValuesIn(conformance::device_names()),
                         [](const auto& info) { return conformance::name_of(info); });

}  // namespace
}  // namespace millrace::radix_sort
