// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/gpu/run/wave_surplus.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr std::uint32_t kCapacity = 32'768;
constexpr std::uint32_t kLeast = 64;

// Arrays of two types, of tasks of one word and of three.
class WaveSurplusTest : public testing::Test {
 protected:
  static constexpr std::array<std::uint32_t, kMaxTypes> kWords = {1, 3};

  WaveSurplusTest() {
    std::uint32_t* words = memory_.data();
    for (std::size_t array = 0; array < 2; ++array) {
      for (std::size_t type = 0; type < 2; ++type) {
        waves.arrays[array][type] = words;
        waves.capacity[array][type] = kCapacity;
        words += std::size_t{kCapacity} * kWords[type];
      }
    }
  }

  WaveSurplus surplus_with(std::uint32_t least) const { return {waves, 2, kWords, least}; }

  static WaveCounts counts(std::uint32_t first, std::uint32_t second = 0) {
    WaveCounts all{};
    all[0] = first;
    all[1] = second;
    return all;
  }

  WaveMemory waves{};

 private:
  std::vector<std::uint32_t> memory_ = std::vector<std::uint32_t>(std::size_t{8} * kCapacity);
};

TEST_F(WaveSurplusTest, AWaveWhoseTasksMaySpawnEightOthersEachIsNotDivided) {
  WaveSurplus surplus = surplus_with(kLeast);
  WaveCounts next = counts(kCapacity / 8, kCapacity / 8);
  const WaveCounts all = next;
  surplus.set_aside(1, next);
  EXPECT_EQ(next, all);
  EXPECT_TRUE(surplus.empty());
  EXPECT_EQ(surplus.memory_for(1).most[0], kCapacity / 8);
}

TEST_F(WaveSurplusTest, ALargeWaveLeavesItsFirstTasksBelowTheSpaceOfWaves) {
  WaveSurplus surplus = surplus_with(kLeast);
  WaveCounts next = counts(0, 20'000);
  next[2] = 7;  // Chunks.
  surplus.set_aside(3, next);
  EXPECT_LE(next[1], kCapacity / 8);
  EXPECT_EQ(next[1] + surplus.tasks(), 20'000u);
  EXPECT_EQ(next[2], 7u);

  const auto below = static_cast<std::uint32_t>(surplus.tasks());
  EXPECT_EQ(below % 32, 0u);
  const WaveMemory memory = surplus.memory_for(3);
  EXPECT_EQ(memory.arrays[1][1], waves.arrays[1][1] + std::size_t{3} * below);
  EXPECT_EQ(memory.capacity[1][1], kCapacity - below);
  // Tasks of the other type, and the next wave's, have all of their arrays.
  EXPECT_EQ(memory.arrays[1][0], waves.arrays[1][0]);
  EXPECT_EQ(memory.arrays[0][1], waves.arrays[0][1]);
  EXPECT_EQ(memory.capacity[0][1], kCapacity);
}

TEST_F(WaveSurplusTest, TheTasksThatWereSetAsideLastComeBackFirst) {
  WaveSurplus surplus = surplus_with(kLeast);
  WaveCounts first = counts(20'000);
  surplus.set_aside(1, first);
  const auto oldest = static_cast<std::uint32_t>(surplus.tasks());
  WaveCounts second = counts(15'000);
  surplus.set_aside(2, second);
  const auto newest = static_cast<std::uint32_t>(surplus.tasks()) - oldest;

  // Wave 5 has the index of arrays that the tasks are not in.
  WaveCounts next{};
  ASSERT_TRUE(surplus.take_back(5, next));
  EXPECT_EQ(next, counts(newest));
  EXPECT_EQ(surplus.memory_for(5).arrays[1][0], waves.arrays[0][0]);
  EXPECT_EQ(surplus.memory_for(5).arrays[0][0], waves.arrays[1][0] + oldest);
  ASSERT_TRUE(surplus.take_back(6, next));
  EXPECT_EQ(next, counts(oldest));
  EXPECT_EQ(surplus.memory_for(6).arrays[0][0], waves.arrays[1][0]);
  EXPECT_TRUE(surplus.empty());
  EXPECT_FALSE(surplus.take_back(7, next));
}

TEST_F(WaveSurplusTest, AWaveThatLeavesLanesWithoutTasksIsNotDivided) {
  WaveSurplus surplus = surplus_with(kCapacity);
  WaveCounts next = counts(kCapacity);
  surplus.set_aside(1, next);
  EXPECT_EQ(next, counts(kCapacity));
}

// Launches end before a wave with more tasks than WaveMemory::most.
TEST_F(WaveSurplusTest, NoWaveOverflowsWhoseTasksSpawnUpToEightOthers) {
  SeededRandom random;
  WaveSurplus surplus = surplus_with(32);
  WaveCounts next = counts(1);
  std::size_t divided = 0;
  for (std::uint32_t wave = 1; wave < 20'000; ++wave) {
    if (next[0] + next[1] == 0 && !surplus.take_back(wave, next)) next = counts(1, 1);
    const std::uint64_t before = surplus.tasks();
    surplus.set_aside(wave, next);
    if (surplus.tasks() > before) ++divided;
    const WaveMemory memory = surplus.memory_for(wave);
    // A tree is as deep as it is narrow.
    const std::uint64_t most = surplus.tasks() < kCapacity ? 8 : 1;
    WaveCounts spawned{};
    for (std::size_t type = 0; type < 2; ++type) {
      ASSERT_LE(next[type], memory.capacity[wave % 2][type]);
      spawned[type] = static_cast<std::uint32_t>(next[type] * random(0, most));
      ASSERT_LE(spawned[type], memory.capacity[(wave + 1) % 2][type]) << "after wave " << wave;
    }
    next = spawned;
  }
  EXPECT_GT(divided, 100u);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
