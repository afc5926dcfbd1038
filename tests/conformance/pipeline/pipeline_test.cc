// SPDX-License-Identifier: Apache-2.0

// Chunks through a pipeline: order, sizes, memory, and what runs at the same time.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/pipeline/pipeline_stages.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace millrace::conformance {
namespace {

using PipelineTest = ConformanceTest;

constexpr std::size_t kPipelineBytes = 4096;

TEST_P(PipelineTest, StreamsChunksInOrder) {
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  EchoStages echo(50, [](std::uint64_t index) { return 1 + index * 37 % kPipelineBytes; });
  const PipelineReport report = pipeline.run(echo.stages());
  echo.expect_all_consumed();
  EXPECT_EQ(report.chunks, 50u);
}

TEST_P(PipelineTest, RunsAgainAndAgain) {
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  for (std::uint64_t chunks : {3, 0, 1, 10}) {
    EchoStages echo(chunks, [](std::uint64_t) { return kPipelineBytes; });
    EXPECT_EQ(pipeline.run(echo.stages()).chunks, chunks);
    echo.expect_all_consumed();
  }
}

TEST_P(PipelineTest, TakesChunksOfNoBytes) {
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8});
  EchoStages echo(20, [](std::uint64_t index) { return index % 2 * 8; });
  EXPECT_EQ(pipeline.run(echo.stages()).bytes_down, 80u);
  echo.expect_all_consumed();
}

TEST_P(PipelineTest, WorksOneChunkAtATime) {
  Pipeline pipeline(device,
                    {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes, .depth = 1});
  EchoStages echo(10, [](std::uint64_t) { return kPipelineBytes; });
  pipeline.run(echo.stages());
  echo.expect_all_consumed();
}

// As a codec's: the size of an output is the first word of the chunk, which only the device reads.
TEST_P(PipelineTest, DownloadsAsMuchAsTheDeviceSays) {
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  std::vector<std::size_t> sizes;
  const auto size_of = [](std::uint64_t index) { return 8 + index * 101 % (kPipelineBytes - 8); };
  pipeline.run({
      .produce = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
        if (memory.index == 20) return std::nullopt;
        const std::uint64_t size = size_of(memory.index);
        std::copy_n(reinterpret_cast<const std::byte*>(&size), sizeof(size), memory.input.data());
        return PipelineInput{.data = memory.input};
      },
      .compute =
          [](Queue& compute, const PipelineChunk& chunk) {
            compute.copy(chunk.output.data(), chunk.input.data(), chunk.input.size());
            compute.copy(&chunk.result->bytes, chunk.input.data(), sizeof(std::uint64_t));
          },
      .consume = [&](const PipelineOutput& output) { sizes.push_back(output.data.size()); },
  });
  ASSERT_EQ(sizes.size(), 20u);
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(sizes[i], size_of(i));
}

// Chunks of a size that queues send in one piece, and of one that they may stage in several.
TEST_P(PipelineTest, TakesInputsAndOutputsFromWhereTheyAre) {
  constexpr std::size_t kChunks = 6;
  for (const MemorySpace space : {MemorySpace::kPinned, MemorySpace::kHost}) {
    for (const std::size_t size : {kPipelineBytes, std::size_t{700'000}}) {
      Buffer<std::byte> input(device, space, kChunks * size);
      Buffer<std::byte> output(device, space, kChunks * size);
      const std::span<std::byte> in(input.data(), input.size());
      const std::span<std::byte> out(output.data(), output.size());
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::byte(i * 7 + i / 256);

      Pipeline pipeline(device, {.input_bytes = size,
                                 .output_bytes = size,
                                 .has_host_input = false,
                                 .has_host_output = false});
      pipeline.run({
          .produce = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
            EXPECT_TRUE(memory.input.empty());
            if (memory.index == kChunks) return std::nullopt;
            const std::size_t begin = memory.index * size;
            return PipelineInput{.data = in.subspan(begin, size),
                                 .output = out.subspan(begin, size)};
          },
          .compute = echo_chunk,
          .consume =
              [&](const PipelineOutput& chunk) {
                EXPECT_EQ(chunk.data.data(), out.data() + chunk.index * size);
              },
      });
      EXPECT_TRUE(std::ranges::equal(in, out)) << to_string(space) << ", " << size;
    }
  }
}

TEST_P(PipelineTest, CopiesNothingWhereTheDeviceSharesTheHostsMemory) {
  if (!device->info().shares_host_memory) GTEST_SKIP() << "has memory of its own";
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  std::vector<const std::byte*> produced, computed_from, computed_to, consumed;
  pipeline.run({
      .produce = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
        if (memory.index == 8) return std::nullopt;
        produced.push_back(memory.input.data());
        return PipelineInput{.data = memory.input};
      },
      .compute =
          [&](Queue&, const PipelineChunk& chunk) {
            computed_from.push_back(chunk.input.data());
            computed_to.push_back(chunk.output.data());
            chunk.result->bytes = 1;
          },
      .consume = [&](const PipelineOutput& chunk) { consumed.push_back(chunk.data.data()); },
  });
  EXPECT_EQ(produced, computed_from);
  EXPECT_EQ(computed_to, consumed);
}

TEST_P(PipelineTest, ProducesAheadWhileItConsumesAsFarAsItsDepth) {
  constexpr int kDepth = 5;
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8, .depth = kDepth});
  std::atomic<int> produced = 0;
  std::atomic<int> consumed = 0;
  int most = 0;
  EchoStages echo(30, [](std::uint64_t) { return 8; });
  PipelineStages stages = echo.stages();
  stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
    const auto input = inner(memory);
    // Before consume is notified, which goes on at the first that it waits for.
    most = std::max(most, produced + 1 - consumed);
    ++produced;
    return input;
  };
  stages.consume = [&](const PipelineOutput&) {
    // Would never end if it did not produce ahead.
    while (produced < kDepth) std::this_thread::yield();
    ++consumed;
  };
  pipeline.run(stages);
  EXPECT_EQ(most, kDepth);
}

TEST_P(PipelineTest, GivesChunksInFlightSlotsOfTheirOwn) {
  constexpr int kDepth = 3;
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8, .depth = kDepth});
  std::vector<std::atomic<bool>> is_taken(kDepth);
  EchoStages echo(30, [](std::uint64_t) { return 8; });
  PipelineStages stages = echo.stages();
  stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
    const auto input = inner(memory);
    if (input.has_value()) {
      EXPECT_FALSE(is_taken.at(memory.slot).exchange(true));
    }
    return input;
  };
  stages.consume = [&](const PipelineOutput& output) {
    EXPECT_TRUE(is_taken.at(output.slot).exchange(false));
  };
  pipeline.run(stages);
}

TEST_P(PipelineTest, AllocatesNothingForAChunk) {
  const auto spy = std::make_shared<SpyDevice>(device);
  Pipeline pipeline(spy,
                    {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes, .depth = 3});
  const std::uint64_t before = spy->allocations();
  EXPECT_GT(before, 0u);
  EchoStages echo(100, [](std::uint64_t) { return kPipelineBytes; });
  pipeline.run(echo.stages());
  EXPECT_EQ(spy->allocations(), before);
}

TEST_P(PipelineTest, ReportsWhatItDid) {
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  const PipelineReport report = pipeline.run({
      .produce = [&](const PipelineInputMemory& memory) -> std::optional<PipelineInput> {
        if (memory.index == 10) return std::nullopt;
        return PipelineInput{.data = memory.input.first(100), .is_coded = memory.index < 3};
      },
      .compute =
          [](Queue& compute, const PipelineChunk& chunk) {
            EXPECT_EQ(chunk.is_coded, chunk.index < 3);
            echo_chunk(compute, chunk);
            *chunk.result = {.bytes = 50, .is_coded = chunk.index < 4};
          },
      .consume = [](const PipelineOutput& output) { EXPECT_EQ(output.is_coded, output.index < 4); },
  });
  EXPECT_EQ(report.chunks, 10u);
  EXPECT_EQ(report.bytes_up, 1000u);
  EXPECT_EQ(report.bytes_down, 500u);
  EXPECT_EQ(report.coded_up, 3u);
  EXPECT_EQ(report.coded_down, 4u);
  EXPECT_GT(report.seconds, 0);
}

TEST_P(PipelineTest, ReportsHowLongEachStageWasAtWork) {
  // Devices' clocks are related to the host's, worse on a busy machine; then the stages do more.
  for (std::int64_t yields = 2'000;; yields *= 2) {
    std::array<double, 3> least{};  // Seconds in each stage, by its own readings of the clock.
    const auto work = [yields](double& seconds) {
      const auto begin = std::chrono::steady_clock::now();
      for (std::int64_t i = 0; i < yields; ++i) std::this_thread::yield();
      seconds += seconds_since(begin);
    };
    Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
    EchoStages echo(5, [](std::uint64_t) { return kPipelineBytes; });
    PipelineStages stages = echo.stages();
    stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
      if (memory.index < 5) work(least[0]);
      return inner(memory);
    };
    stages.compute = [&](Queue& compute, const PipelineChunk& chunk) {
      echo_chunk(compute, chunk);
      compute.call([&] { work(least[1]); });
    };
    stages.consume = [&, inner = stages.consume](const PipelineOutput& output) {
      work(least[2]);
      inner(output);
    };
    const PipelineReport report = pipeline.run(stages);
    EXPECT_GE(report.produce_seconds, least[0]);
    EXPECT_GE(report.consume_seconds, least[2]);
    EXPECT_LE(report.produce_seconds, report.seconds);
    EXPECT_LE(report.consume_seconds, report.seconds);
    if (report.compute_seconds >= least[1] / 2) break;
  }
}

TEST_P(PipelineTest, ConsumesNothingWhereThereIsNoSuchStage) {
  Pipeline pipeline(device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes});
  EchoStages echo(10, [](std::uint64_t) { return kPipelineBytes; });
  PipelineStages stages = echo.stages();
  stages.consume = nullptr;
  EXPECT_EQ(pipeline.run(stages).chunks, 10u);
}

TEST_P(PipelineTest, RejectsADepthOutOfRange) {
  for (const int depth : {-1, 0, 65}) {
    expect_error(ErrorCode::kInvalidArgument,
                 [&] { Pipeline pipeline(device, {.input_bytes = 1, .depth = depth}); });
  }
}

TEST_P(PipelineTest, RejectsStagesWithoutOne) {
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8});
  EchoStages echo(1, [](std::uint64_t) { return 8; });
  PipelineStages no_produce = echo.stages();
  no_produce.produce = nullptr;
  expect_error(ErrorCode::kInvalidArgument, [&] { pipeline.run(no_produce); });
  PipelineStages no_compute = echo.stages();
  no_compute.compute = nullptr;
  expect_error(ErrorCode::kInvalidArgument, [&] { pipeline.run(no_compute); });
}

TEST_P(PipelineTest, RejectsARunWithinARun) {
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = 8});
  EchoStages echo(1, [](std::uint64_t) { return 8; });
  PipelineStages stages = echo.stages();
  stages.consume = [&](const PipelineOutput&) {
    expect_error(ErrorCode::kInvalidArgument, [&] { pipeline.run(echo.stages()); });
  };
  EXPECT_EQ(pipeline.run(stages).chunks, 1u);
}

TEST_P(PipelineTest, SurvivesAnyTimingOfItsStages) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 10; ++round) {
    const int depth = 1 + static_cast<int>(random() % 6);
    Pipeline pipeline(
        device, {.input_bytes = kPipelineBytes, .output_bytes = kPipelineBytes, .depth = depth});
    EchoStages echo(scaled(100, 30), [seed](std::uint64_t index) {
      return std::mt19937(seed + index)() % (kPipelineBytes + 1);
    });
    const unsigned pauses = random();
    PipelineStages stages = echo.stages();
    stages.produce = [=, inner = stages.produce](const PipelineInputMemory& memory) {
      pause(pauses, memory.index, 0);
      return inner(memory);
    };
    stages.compute = [=](Queue& compute, const PipelineChunk& chunk) {
      pause(pauses, chunk.index, 1);
      echo_chunk(compute, chunk);
      compute.call([=, index = chunk.index] { pause(pauses, index, 2); });
    };
    stages.consume = [=, inner = stages.consume](const PipelineOutput& output) {
      pause(pauses, output.index, 3);
      inner(output);
    };
    pipeline.run(stages);
    echo.expect_all_consumed();
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, PipelineTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
