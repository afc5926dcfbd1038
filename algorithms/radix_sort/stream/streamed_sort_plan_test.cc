// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Returns true if chunks follow each other from 0 to `count` and none is empty.
bool covers(const std::vector<RecordSpan>& chunks, std::size_t count) {
  std::size_t end = 0;
  for (const RecordSpan& chunk : chunks) {
    if (chunk.first != end || chunk.count == 0) return false;
    end = chunk.end();
  }
  return end == count;
}

TEST(KeyChunks, CoverAllKeysWithoutGap) {
  for (const std::size_t count : {1, 2, 7, 100, 1'000'000, 123'456'789}) {
    for (const std::size_t most : {0, 1, 3, 8}) {
      EXPECT_TRUE(covers(plan_key_chunks(count, 4, most, MemorySpace::kPinned), count))
          << count << ' ' << most;
    }
  }
}

TEST(KeyChunks, ShrinkTowardsTheEnd) {
  const std::vector<RecordSpan> chunks = plan_key_chunks(100'000'000, 4, 0, MemorySpace::kPinned);
  ASSERT_EQ(chunks.size(), 5U);
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(chunks[i].count),
                kChunkShrink * static_cast<double>(chunks[i - 1].count), 8)
        << i;
  }
}

TEST(KeyChunks, TheFirstOfThreeIsLarger) {
  const std::vector<RecordSpan> chunks = plan_key_chunks(10'000'000, 4, 0, MemorySpace::kPinned);
  ASSERT_EQ(chunks.size(), 3U);
  const auto second = static_cast<double>(chunks[1].count);
  EXPECT_NEAR(static_cast<double>(chunks[0].count), kFirstOfThree / kChunkShrink * second, 8);
  EXPECT_NEAR(static_cast<double>(chunks[2].count), kChunkShrink * second, 8);
}

TEST(KeyChunks, AreMoreOfMoreBytes) {
  const auto chunks = [](std::size_t count) {
    return plan_key_chunks(count, 4, 0, MemorySpace::kPinned).size();
  };
  EXPECT_EQ(chunks(1'000'000), 1U);
  EXPECT_EQ(chunks(7'000'000), 2U);
  EXPECT_EQ(chunks(20'000'000), 3U);
  EXPECT_EQ(chunks(30'000'000), 4U);
  EXPECT_EQ(chunks(70'000'000), 5U);
}

TEST(KeyChunks, ChunksOfPageableMemoryAreLargeEnoughToBeStaged) {
  EXPECT_EQ(plan_key_chunks(10'000'000, 4, 0, MemorySpace::kHost).size(), 1U);
  EXPECT_EQ(plan_key_chunks(100'000'000, 4, 0, MemorySpace::kHost).size(), 4U);
}

TEST(KeyChunks, AreNoMoreThanRequestedNorThanKeys) {
  EXPECT_EQ(plan_key_chunks(1000, 4, 5, MemorySpace::kPinned).size(), 5U);
  EXPECT_EQ(plan_key_chunks(3, 4, 5, MemorySpace::kPinned).size(), 3U);
}

TEST(Segments, AreMultiplesOfTheirUnitButForTheLast) {
  const std::vector<RecordSpan> segments = plan_segments(10'000, 64, 7, MemorySpace::kPinned);
  EXPECT_TRUE(covers(segments, 10'000));
  EXPECT_LE(segments.size(), 7U);
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) EXPECT_EQ(segments[i].count % 64, 0U);
}

TEST(Segments, AreMoreOfMoreRecords) {
  EXPECT_EQ(plan_segments(1'000'000, 4096, 0, MemorySpace::kPinned).size(), 2U);
  EXPECT_EQ(plan_segments(10'000'000, 4096, 0, MemorySpace::kPinned).size(), 4U);
  EXPECT_EQ(plan_segments(1'000'000'000, 4096, 0, MemorySpace::kPinned).size(), 38U);
  EXPECT_EQ(plan_segments(10'000'000, 4096, 0, MemorySpace::kHost).size(), 3U);
  EXPECT_EQ(plan_segments(100'000'000, 4096, 0, MemorySpace::kHost).size(), 20U);
}

TEST(Segments, AreNoneOfNothing) {
  EXPECT_TRUE(plan_segments(0, 64, 8, MemorySpace::kPinned).empty());
}

TEST(RawFraction, HasTheLinkEndWithTheDecoder) {
  const CodecRates rates{.link = 55e9, .encode = 1e12, .decode = 180e9, .ratio = 0.26};
  const double fraction = plan_raw_fraction(rates, 40'000'000);
  EXPECT_GT(fraction, 0.03);
  const double link = ((1 - fraction) * rates.ratio + fraction) / rates.link;
  EXPECT_NEAR(link, (1 - fraction) / rates.decode, 1e-6 / rates.decode);
}

TEST(RawFraction, IsSmallWhereTheHostIsSlow) {
  EXPECT_LE(
      plan_raw_fraction({.link = 55e9, .encode = 1e12, .decode = 10e9, .ratio = 0.26}, 40'000'000),
      0.05);
}

TEST(RawFraction, IsNoneWhereTheLinkIsSlowerOrNothingIsKnown) {
  EXPECT_EQ(
      plan_raw_fraction({.link = 20e9, .encode = 1e12, .decode = 120e9, .ratio = 0.26}, 40'000'000),
      0);
  EXPECT_EQ(plan_raw_fraction({}, 40'000'000), 0);
  EXPECT_EQ(plan_raw_fraction({.link = 55e9}, 40'000'000), 0);
}

TEST(RawFraction, IsNoneOfSoManyKeysThatMemoryIsShort) {
  const CodecRates rates{.link = 55e9, .encode = 1e12, .decode = 150e9, .ratio = 0.26};
  EXPECT_GT(plan_raw_fraction(rates, 80'000'000), 0);
  EXPECT_EQ(plan_raw_fraction(rates, 400'000'000), 0);
}

TEST(Segments, AreMoreWhereThreadsAttendThem) {
  EXPECT_EQ(plan_attended_segments(1), 2U);
  EXPECT_EQ(plan_attended_segments(10'000'000), 6U);
  EXPECT_EQ(plan_attended_segments(100'000'000), 19U);
}

TEST(PlanDecodingThreads, AreAtMostSixteen) {
  for (const int threads : {1, 2, 15, 16})
    EXPECT_EQ(plan_decoding_threads(threads, false), threads);
  for (const int threads : {17, 24, 32}) EXPECT_EQ(plan_decoding_threads(threads, false), 16);
}

TEST(PlanDecodingThreads, AreHalfOfTheHostsWhereValuesAreUploadedToo) {
  EXPECT_EQ(plan_decoding_threads(2, true), 4);  // More than there are is as many as there are.
  EXPECT_EQ(plan_decoding_threads(16, true), 8);
  EXPECT_EQ(plan_decoding_threads(32, true), 16);
}

TEST(Segments, BeginWithAQuarterOfTheFirst) {
  const std::vector<RecordSpan> cut =
      cut_first(plan_segments(10'000, 64, 4, MemorySpace::kPinned), 64);
  EXPECT_TRUE(covers(cut, 10'000));
  ASSERT_EQ(cut.size(), 5U);
  EXPECT_EQ(cut[0].count, 640U);
  EXPECT_EQ(cut[1].count, 1920U);
}

TEST(Segments, AreNotCutWhereTheyAreOneOrSmall) {
  EXPECT_TRUE(cut_first({}, 64).empty());
  EXPECT_EQ(cut_first({{0, 6400}}, 64).size(), 1U);
  EXPECT_EQ(cut_first({{0, 128}, {128, 128}}, 64).size(), 2U);
}

TEST(Jobs, GetSmallerAsLongAsThereAreEnoughForAllThreads) {
  const std::vector<RecordSpan> jobs = plan_jobs(1000, 5, 4);
  EXPECT_TRUE(covers(jobs, 1000));
  EXPECT_EQ(jobs[0].count, 125U);
  EXPECT_EQ(jobs[3].count, 125U);
  EXPECT_EQ(jobs[4].count, 62U);
  for (std::size_t i = 1; i + 1 < jobs.size(); ++i) {
    EXPECT_LE(jobs[i].count, jobs[i - 1].count);
    EXPECT_GE(jobs[i].count, 5U);
  }
}

TEST(Jobs, AreNoneOfNothingAndOneOfLittle) {
  EXPECT_TRUE(plan_jobs(0, 4, 16).empty());
  ASSERT_EQ(plan_jobs(3, 4, 16).size(), 1U);
  EXPECT_EQ(plan_jobs(3, 4, 16)[0].count, 3U);
}

TEST(Host, SortsRecordsBelowAThresholdAndPairsBelowALowerOne) {
  EXPECT_TRUE(is_profitable_on_host(1000, true, false));
  EXPECT_TRUE(is_profitable_on_host(10'000, false, false));
  EXPECT_FALSE(is_profitable_on_host(10'000, true, false));
  EXPECT_TRUE(is_profitable_on_host(10'000, true, true));
  EXPECT_FALSE(is_profitable_on_host(12'000, true, true));
  EXPECT_FALSE(is_profitable_on_host(100'000, false, false));
}

TEST(Streaming, IsForManyRecords) {
  for (const MemorySpace space : {MemorySpace::kHost, MemorySpace::kPinned}) {
    for (const bool is_argsort : {false, true}) {
      EXPECT_FALSE(is_profitable_to_stream(1'000'000, 8, space, is_argsort, is_argsort));
      EXPECT_TRUE(is_profitable_to_stream(100'000'000, 4, space, is_argsort, is_argsort));
    }
  }
  EXPECT_FALSE(is_profitable_to_stream(4'000'000, 8, MemorySpace::kPinned, true, false));
  EXPECT_FALSE(is_profitable_to_stream(5'000'000, 4, MemorySpace::kPinned, false, false));
  EXPECT_TRUE(is_profitable_to_stream(7'000'000, 4, MemorySpace::kPinned, false, false));
  EXPECT_TRUE(is_profitable_to_stream(10'000'000, 4, MemorySpace::kHost, false, false));
  EXPECT_TRUE(is_profitable_to_stream(10'000'000, 4, MemorySpace::kPinned, true, true));
}

TEST(DeviceMemory, HoldsABillionPairsIn141GB) {
  EXPECT_GE(most_records_on_device(140'000'000'000, 4, 4), 1'000'000'000U);
}

TEST(DeviceMemory, IsNeverForMoreThanIndicesDistinguish) {
  EXPECT_LT(most_records_on_device(std::size_t{1} << 50, 4, 0), std::size_t{1} << 32);
}

}  // namespace
}  // namespace millrace::radix_sort
