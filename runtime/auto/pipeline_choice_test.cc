// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/pipeline_choice.h>

#include <gtest/gtest.h>

namespace millrace {
namespace {

constexpr double kMiB = 1 << 20;
const LinkCosts kLink{.up = 50e9, .down = 50e9, .chunk_seconds = 10e-6};

PipelineWork both_ways(double bytes) {
  PipelineWork work;
  work.bytes_up = bytes;
  work.bytes_down = bytes;
  return work;
}

TEST(PipelineChoice, OneChunkPassesAllStages) {
  const double seconds = predict_pipeline_seconds(both_ways(50e6), kLink, 50e6, 4);
  EXPECT_NEAR(seconds, 2 * 1e-3 + 3 * 10e-6, 1e-9);
}

TEST(PipelineChoice, ManyChunksTakeTheLongestStage) {
  // 100 uploads of 1 ms, while the chunk before computes and is downloaded.
  const double seconds = predict_pipeline_seconds(both_ways(5e9), kLink, 50e6, 3);
  EXPECT_NEAR(seconds, 0.101 + 0.001 + 3 * 10e-6, 2e-3);
}

TEST(PipelineChoice, OneInFlightTakesAllStagesEachTime) {
  const PipelineWork work = both_ways(1000 * kMiB);
  EXPECT_NEAR(predict_pipeline_seconds(work, kLink, kMiB, 1),
              1000 * predict_pipeline_seconds(both_ways(kMiB), kLink, kMiB, 1), 1e-6);
}

TEST(PipelineChoice, IsTheQuickestWithinAHundredth) {
  for (const double bytes : {1e5, 1e7, 1e9, 3e10}) {
    const PipelineWork work = both_ways(bytes);
    const PipelineChoice choice = choose_pipeline(work, kLink);
    for (double chunk = 1 << 16; chunk <= 64 * kMiB; chunk *= 2) {
      for (int depth = 1; depth <= 4; ++depth) {
        EXPECT_LE(choice.seconds, 1.011 * predict_pipeline_seconds(work, kLink, chunk, depth))
            << bytes << " in chunks of " << chunk;
      }
    }
  }
}

TEST(PipelineChoice, LargerQueuesAndDearerChunksWantLargerChunks) {
  const auto chunk_of = [](double bytes, double chunk_seconds) {
    LinkCosts link = kLink;
    link.chunk_seconds = chunk_seconds;
    return choose_pipeline(both_ways(bytes), link).chunk_bytes;
  };
  EXPECT_LT(chunk_of(1e7, 10e-6), chunk_of(3e9, 10e-6));
  EXPECT_LT(chunk_of(1e9, 1e-6), chunk_of(1e9, 100e-6));
}

TEST(PipelineChoice, SeveralAreInFlight) {
  EXPECT_GE(choose_pipeline(both_ways(1e9), kLink).depth, 2);
}

TEST(PipelineChoice, KeepsWithinItsMemory) {
  PipelineWork work = both_ways(1e10);
  for (const std::size_t memory :
       {std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{1} << 24}) {
    work.memory_bytes = memory;
    const PipelineChoice choice = choose_pipeline(work, kLink);
    EXPECT_LE(choice.chunk_bytes * static_cast<std::size_t>(choice.depth), memory);
  }
}

TEST(PipelineChoice, ACodecIsUsedWhereItsRatesSaySo) {
  PipelineWork work = both_ways(1e9);
  EXPECT_FALSE(choose_pipeline(work, kLink).is_coded) << "there is none";
  work.codec = {.link = 50e9, .encode = 200e9, .decode = 500e9, .ratio = 0.1};
  const PipelineChoice coded = choose_pipeline(work, kLink);
  EXPECT_TRUE(coded.is_coded);
  work.codec.encode = 10e9;
  EXPECT_FALSE(choose_pipeline(work, kLink).is_coded) << "it is slower than the link";
}

TEST(PipelineChoice, WhatIsComputedLongIsOfNoMatterToTheLink) {
  PipelineWork work = both_ways(1e8);
  work.compute_seconds = 1;
  const PipelineChoice choice = choose_pipeline(work, kLink);
  EXPECT_GE(choice.seconds, 1);
  EXPECT_LE(choice.seconds, 1.05);
}

}  // namespace
}  // namespace millrace
