// SPDX-License-Identifier: Apache-2.0

// Tests of the host's and the device's memory in runs: behaviour when it runs out, and the number
// of allocations.
#include <millrace/backends/simt/host/simulated_memory.h>
#include <millrace/backends/simt/run_test.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <string>

namespace {

// Largest allocation that succeeds on the calling thread; 0 for no limit.
thread_local std::size_t most_bytes = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  if (most_bytes > 0 && bytes > most_bytes) throw std::bad_alloc();
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Otherwise AddressSanitizer's operator would be used, which does not match this `delete`.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes > 0 ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace millrace::MILLRACE_GPU {
namespace {

const target::RegisterTasks<FanOutTasks> registered;
const target::RegisterTasks<conformance::JoinLinkTasks> registered_links;

class RunAllocationTest : public RunTest {
 protected:
  RunAllocationTest() { queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024}); }
  ~RunAllocationTest() override { most_bytes = 0; }
};

// Some spilled tasks are still in the ring when the host gives up; no later run may take them.
TEST_P(RunAllocationTest, WithoutAnyForWhatSpillsARunSaysHowFarItCameAndTheNextIsRight) {
  constexpr std::uint32_t kChildren = 10'000;
  for (int round = 0; round < 3; ++round) {
    const TaskList<FanOutTasks> roots = fan_outs(1, kChildren);
    std::uint64_t expected = 0;
    most_bytes = 16 * 1024;
    try {
      run(roots);
      most_bytes = 0;
      FAIL() << "no error was thrown";
    } catch (const UnfinishedRun<FanOutTasks>&) {
      most_bytes = 0;
      FAIL() << "tasks were lost";
    } catch (const RunStopped& error) {
      most_bytes = 0;
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_EQ(error.tasks_left(), std::nullopt);
      const std::string words =
          "the host's memory ran out in a run: " + std::to_string(error.tasks_run()) + " tasks ran";
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      expected = error.tasks_run();
    }
    EXPECT_EQ(take_result(), expected);
    EXPECT_EQ(run(fan_outs(1, 100)).tasks(), 101u);
    EXPECT_EQ(take_result(), 101u);
  }
}

TEST_P(RunAllocationTest, IsTakenOnceForRunsThatAreAlike) {
  const simt::SimulatedMemory& memory = simt::SimulatedMemory::get();
  queue = make_gpu_queue(*device);  // Prevents spilling, whose extent depends on timing.
  const auto run_all = [this] {
    run(fan_outs(1, 5000));
    run(fan_outs(3, 10));
    run(fan_outs(2000, 1));  // Enough to be copied to the device.
    run(fan_outs(3, 10), {.deadline = std::chrono::hours(1), .keep_unfinished = true});
  };
  run_all();
  const std::uint64_t before = memory.allocations();
  EXPECT_GT(before, 0u);
  for (int i = 0; i < 3; ++i) run_all();
  EXPECT_EQ(memory.allocations(), before);
}

// Chains of joins, of which each is opened when the one before has ended: ten times as many as
// there are records, and no more open at a time than there are chains.
TEST_P(RunAllocationTest, IsNotTakenForJoinsThatFollowOthers) {
  constexpr std::size_t kRecords = 1024;
  constexpr std::uint32_t kChains = 16;
  constexpr std::uint32_t kLinks = 640;
  static_assert(std::size_t{kChains} * kLinks == 10 * kRecords);
  const simt::SimulatedMemory& memory = simt::SimulatedMemory::get();
  queue = make_gpu_queue(*device, {.join_capacity = kRecords});
  const auto run_chains = [this](std::uint32_t links) {
    TaskList<conformance::JoinLinkTasks> roots;
    for (std::uint32_t i = 0; i < kChains; ++i) {
      roots.push(conformance::JoinLink{result.data(), links});
    }
    run(roots);
    EXPECT_EQ(take_result(), roots.size());
  };
  run_chains(2);
  const std::uint64_t before = memory.allocations();
  run_chains(kLinks);
  EXPECT_EQ(memory.allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Simt, RunAllocationTest, testing::ValuesIn(kConcretePolicies),
                         policy_name);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
