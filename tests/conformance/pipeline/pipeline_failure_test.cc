// SPDX-License-Identifier: Apache-2.0

// Pipelines whose stages fail, or that are stopped.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/pipeline/pipeline_stages.h>

#include <atomic>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace millrace::conformance {
namespace {

constexpr std::size_t kCapacity = 1024;
constexpr std::uint64_t kChunks = 20;
constexpr std::uint64_t kFailing = 7;

std::size_t size_of(std::uint64_t index) { return 1 + index * 37 % kCapacity; }

class PipelineFailureTest : public ConformanceTest {
 protected:
  // Runs stages that fail at chunk kFailing, then shows that the pipeline still works.
  template <class Change>
  void expect_failure(const Change& change) {
    EchoStages echo(kChunks, size_of);
    PipelineStages stages = echo.stages();
    change(stages);
    EXPECT_THROW(pipeline.run(stages), std::runtime_error);
    EXPECT_EQ(echo.consumed(), kFailing);
    expect_it_works();
  }

  void expect_it_works() {
    EchoStages echo(kChunks, size_of);
    EXPECT_EQ(pipeline.run(echo.stages()).chunks, kChunks);
    echo.expect_all_consumed();
  }

  Pipeline pipeline{device, {.input_bytes = kCapacity, .output_bytes = kCapacity}};
};

TEST_P(PipelineFailureTest, EndsWhenProduceThrows) {
  expect_failure([](PipelineStages& stages) {
    stages.produce = [inner = stages.produce](const PipelineInputMemory& memory) {
      if (memory.index == kFailing) throw std::runtime_error("no more water");
      return inner(memory);
    };
  });
}

TEST_P(PipelineFailureTest, EndsWhenComputeThrows) {
  expect_failure([](PipelineStages& stages) {
    stages.compute = [](Queue& compute, const PipelineChunk& chunk) {
      echo_chunk(compute, chunk);
      if (chunk.index == kFailing) throw std::runtime_error("the wheel is stuck");
    };
  });
}

TEST_P(PipelineFailureTest, EndsWhenComputingFails) {
  expect_failure([](PipelineStages& stages) {
    stages.compute = [](Queue& compute, const PipelineChunk& chunk) {
      if (chunk.index == kFailing) compute.call([] { throw std::runtime_error("it broke"); });
      echo_chunk(compute, chunk);
    };
  });
}

TEST_P(PipelineFailureTest, EndsWhenComputeWaitsForWhatFailed) {
  expect_failure([](PipelineStages& stages) {
    stages.compute = [](Queue& compute, const PipelineChunk& chunk) {
      if (chunk.index == kFailing) compute.call([] { throw std::runtime_error("it broke"); });
      if (chunk.index == kFailing + 1) compute.wait();
      echo_chunk(compute, chunk);
    };
  });
}

TEST_P(PipelineFailureTest, EndsWhenConsumeThrows) {
  expect_failure([](PipelineStages& stages) {
    stages.consume = [inner = stages.consume](const PipelineOutput& output) {
      if (output.index == kFailing) throw std::runtime_error("no space for flour");
      inner(output);
    };
  });
}

TEST_P(PipelineFailureTest, ReportsTheEarliestChunksFailure) {
  EchoStages echo(kChunks, size_of);
  PipelineStages stages = echo.stages();
  std::atomic<bool> has_failed = false;
  stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
    if (memory.index == 2) {
      has_failed = true;
      throw std::logic_error("the later");
    }
    return inner(memory);
  };
  stages.consume = [&](const PipelineOutput& output) {
    while (!has_failed) std::this_thread::yield();
    if (output.index == 1) throw std::runtime_error("the earlier");
  };
  EXPECT_THROW(pipeline.run(stages), std::runtime_error);
  expect_it_works();
}

TEST_P(PipelineFailureTest, RejectsAnInputThatIsTooLarge) {
  EchoStages echo(kChunks, size_of);
  PipelineStages stages = echo.stages();
  const std::vector<std::byte> large(kCapacity + 1);
  stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
    if (memory.index < kFailing) return inner(memory);
    return std::optional(PipelineInput{.data = large});
  };
  expect_error(ErrorCode::kInvalidArgument, [&] { pipeline.run(stages); });
  EXPECT_EQ(echo.consumed(), kFailing);
  expect_it_works();
}

TEST_P(PipelineFailureTest, RejectsAnOutputThatIsTooLarge) {
  EchoStages echo(kChunks, size_of);
  PipelineStages stages = echo.stages();
  stages.compute = [](Queue& compute, const PipelineChunk& chunk) {
    echo_chunk(compute, chunk);
    if (chunk.index == kFailing) chunk.result->bytes = kCapacity + 1;
  };
  expect_error(ErrorCode::kInvalidArgument, [&] { pipeline.run(stages); });
  EXPECT_EQ(echo.consumed(), kFailing);
  expect_it_works();
}

// The queues of a pipeline that copies are made in this order.
constexpr int kUpload = 0;
constexpr int kDownload = 2;

TEST_P(PipelineFailureTest, ConsumesNoChunkWhoseCopyFailed) {
  if (device->info().shares_host_memory) GTEST_SKIP() << "copies nothing";
  for (const int queue : {kUpload, kDownload}) {
    const auto spy = std::make_shared<SpyDevice>(device);
    Pipeline copying(spy, {.input_bytes = kCapacity, .output_bytes = kCapacity});
    // Chunks behind the failure are computed from what is there.
    EchoStages before(kChunks, [](std::uint64_t) { return kCapacity; });
    copying.run(before.stages());
    spy->fail_copy(queue, kChunks + kFailing);
    EchoStages echo(kChunks, size_of);
    expect_error(ErrorCode::kIo, [&] { copying.run(echo.stages()); });
    EXPECT_LE(echo.consumed(), kFailing);
    EchoStages again(kChunks, size_of);
    copying.run(again.stages());
    again.expect_all_consumed();
  }
}

TEST_P(PipelineFailureTest, DoesNothingWhenItIsStoppedBefore) {
  std::stop_source stop;
  stop.request_stop();
  EchoStages echo(kChunks, size_of);
  PipelineStages stages = echo.stages();
  stages.produce = [](const PipelineInputMemory&) -> std::optional<PipelineInput> {
    ADD_FAILURE() << "produces";
    return std::nullopt;
  };
  expect_error(ErrorCode::kCancelled, [&] { pipeline.run(stages, stop.get_token()); });
  expect_it_works();
}

TEST_P(PipelineFailureTest, IsStoppedByAStage) {
  std::stop_source stop;
  EchoStages echo(kChunks, size_of);
  PipelineStages stages = echo.stages();
  stages.consume = [&, inner = stages.consume](const PipelineOutput& output) {
    inner(output);
    if (output.index == kFailing) stop.request_stop();
  };
  expect_error(ErrorCode::kCancelled, [&] { pipeline.run(stages, stop.get_token()); });
  EXPECT_EQ(echo.consumed(), kFailing + 1);
  expect_it_works();
}

TEST_P(PipelineFailureTest, AStopAfterTheLastChunkIsTooLate) {
  std::stop_source stop;
  EchoStages echo(1, size_of);
  PipelineStages stages = echo.stages();
  std::atomic<bool> is_produced = false;
  stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
    is_produced = memory.index == 1;
    return inner(memory);
  };
  stages.consume = [&, inner = stages.consume](const PipelineOutput& output) {
    inner(output);
    while (!is_produced) std::this_thread::yield();
    stop.request_stop();
  };
  EXPECT_EQ(pipeline.run(stages, stop.get_token()).chunks, 1u);
}

TEST_P(PipelineFailureTest, CanBeStoppedAtAnyMoment) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 30; ++round) {
    std::stop_source stop;
    std::atomic<unsigned> calls = 0;
    const unsigned last_calls = random() % 200;  // Calls of stages before the stop.
    const std::jthread stopper([&] {
      while (calls < last_calls) std::this_thread::yield();
      stop.request_stop();
    });
    EchoStages echo(1'000'000, size_of);
    PipelineStages stages = echo.stages();
    stages.produce = [&, inner = stages.produce](const PipelineInputMemory& memory) {
      ++calls;
      return inner(memory);
    };
    stages.compute = [&, inner = stages.compute](Queue& compute, const PipelineChunk& chunk) {
      ++calls;
      inner(compute, chunk);
    };
    stages.consume = [&, inner = stages.consume](const PipelineOutput& output) {
      ++calls;
      inner(output);
    };
    expect_error(ErrorCode::kCancelled, [&] { pipeline.run(stages, stop.get_token()); });
  }
  expect_it_works();
}

INSTANTIATE_TEST_SUITE_P(Conformance, PipelineFailureTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
