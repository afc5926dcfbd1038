// SPDX-License-Identifier: Apache-2.0

// Pipelines that compute by task runs.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/stream/pipeline.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/pipeline/pipeline_stages.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <cstring>
#include <vector>

namespace millrace::conformance {
namespace {

using PipelineTasksTest = PolicyTest;

constexpr std::size_t kSum = sizeof(std::uint64_t);
constexpr std::uint64_t kSums = 12;

std::optional<PipelineInput> count_to(std::uint64_t chunks, const PipelineInputMemory& memory) {
  if (memory.index == chunks) return std::nullopt;
  return PipelineInput{.data = memory.input};
}

// A fan-out as wide as the chunk's index and its children' sum as its output.
TaskList<FanOutTasks> fan_out_of(Queue& compute, const PipelineChunk& chunk) {
  compute.fill(chunk.output.data(), std::byte{0}, kSum);
  chunk.result->bytes = kSum;
  return TaskList<FanOutTasks>{
      FanOut{reinterpret_cast<std::uint64_t*>(chunk.output.data()), chunk.index}};
}

std::uint64_t sum_in(const PipelineOutput& output) {
  std::uint64_t sum = 0;
  std::memcpy(&sum, output.data.data(), kSum);
  return sum;
}

TEST_P(PipelineTasksTest, ComputesByRunsThatItEnqueues) {
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = kSum});
  std::vector<std::uint64_t> sums;
  pipeline.run({
      .produce = [](const PipelineInputMemory& memory) { return count_to(kSums, memory); },
      .compute =
          [this](Queue& compute, const PipelineChunk& chunk) {
            submit_tasks(compute, fan_out_of(compute, chunk), {.policy = policy});
          },
      .consume = [&](const PipelineOutput& output) { sums.push_back(sum_in(output)); },
  });
  ASSERT_EQ(sums.size(), kSums);
  for (std::uint64_t i = 1; i < kSums; ++i) EXPECT_EQ(sums[i], i * (i - 1) / 2);
}

TEST_P(PipelineTasksTest, ComputesByRunsThatItWaitsFor) {
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = kSum});
  pipeline.run({
      .produce = [](const PipelineInputMemory& memory) { return count_to(kSums, memory); },
      .compute =
          [this](Queue& compute, const PipelineChunk& chunk) {
            const TaskList<FanOutTasks> fan_out = fan_out_of(compute, chunk);
            EXPECT_EQ(run_tasks(compute, fan_out, {.policy = policy}).tasks(), 1 + chunk.index);
          },
      .consume =
          [&](const PipelineOutput& output) {
            EXPECT_EQ(sum_in(output), output.index * (output.index + 1) / 2 - output.index);
          },
  });
}

TEST_P(PipelineTasksTest, EndsWithTheErrorOfATask) {
  constexpr std::uint64_t kFailing = 5;
  Pipeline pipeline(device, {.input_bytes = 8, .output_bytes = kSum});
  std::uint64_t consumed = 0;
  const PipelineStages stages = {
      .produce = [](const PipelineInputMemory& memory) { return count_to(kSums, memory); },
      .compute =
          [this](Queue& compute, const PipelineChunk& chunk) {
            auto* const runs = reinterpret_cast<std::uint64_t*>(chunk.output.data());
            const int code = chunk.index == kFailing ? 42 : 0;
            compute.fill(runs, std::byte{0}, kSum);
            submit_tasks(compute, TaskList<FailingTasks>{MayFail{runs, code}}, {.policy = policy});
          },
      .consume = [&](const PipelineOutput&) { ++consumed; },
  };
  try {
    pipeline.run(stages);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
    EXPECT_EQ(error.detail(), 42);
  }
  EXPECT_EQ(consumed, kFailing);
}

INSTANTIATE_TEST_SUITE_P(Conformance, PipelineTasksTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
