// SPDX-License-Identifier: Apache-2.0

// Tests of the host's and the device's memory in runs: behaviour when it runs out, and the number
// of allocations.
#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/simt/host/device_memory.h>
#include <millrace/backends/simt/task_target.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

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

struct Leaf {
  std::uint64_t* runs;
  std::uint64_t padding[4];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
  }
};

struct Branch {
  std::uint64_t* runs;
  std::uint32_t leaves;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
    for (std::uint32_t i = 0; i < leaves; ++i) context.spawn(Leaf{runs, {}});
  }
};
using BranchTasks = TaskSet<Branch, Leaf>;

const target::RegisterTasks<BranchTasks> registered;

class RunAllocationTest : public testing::TestWithParam<Policy> {
 protected:
  ~RunAllocationTest() override { most_bytes = 0; }

  std::uint64_t runs_so_far() {
    std::uint64_t result = 0;
    queue->copy(&result, runs.data(), sizeof(result), {}, {});
    queue->wait();
    return result;
  }

  RunReport run(const TaskList<BranchTasks>& roots, RunOptions options = {}) {
    options.policy = GetParam();
    return run_tasks(*queue, roots, options);
  }

  TaskList<BranchTasks> branches(std::size_t count, std::uint32_t leaves) {
    TaskList<BranchTasks> roots;
    for (std::size_t i = 0; i < count; ++i) roots.push(Branch{runs.data(), leaves});
    return roots;
  }

  std::shared_ptr<GpuDevice> device = open_gpu(0);
  std::unique_ptr<GpuQueue> queue = make_gpu_queue(*device, {.task_memory_bytes = 64 * 1024});
  Buffer<std::uint64_t> runs{device, MemorySpace::kDevice, 1};

  void SetUp() override {
    fill_bytes(*queue, runs.span(), std::byte{0});
    queue->wait();
  }
};

// Some spilled tasks are still in the ring when the host gives up; no later run may take them.
TEST_P(RunAllocationTest, WithoutAnyForWhatSpillsARunSaysHowFarItCameAndTheNextIsRight) {
  constexpr std::uint32_t kLeaves = 10'000;
  std::uint64_t expected = 0;
  for (int round = 0; round < 3; ++round) {
    const TaskList<BranchTasks> roots = branches(1, kLeaves);
    most_bytes = 16 * 1024;
    try {
      run(roots);
      most_bytes = 0;
      FAIL() << "no error was thrown";
    } catch (const UnfinishedRun<BranchTasks>&) {
      most_bytes = 0;
      FAIL() << "tasks were lost";
    } catch (const RunStopped& error) {
      most_bytes = 0;
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_EQ(error.tasks_left(), std::nullopt);
      const std::string words =
          "the host's memory ran out in a run: " + std::to_string(error.tasks_run()) + " tasks ran";
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      expected += error.tasks_run();
    }
    EXPECT_EQ(runs_so_far(), expected);
    EXPECT_EQ(run(branches(1, 100)).tasks(), 101u);
    expected += 101;
    EXPECT_EQ(runs_so_far(), expected);
  }
}

TEST_P(RunAllocationTest, IsTakenOnceForRunsThatAreAlike) {
  const simt::DeviceMemory& memory = simt::DeviceMemory::get();
  queue = make_gpu_queue(*device);  // Prevents spilling, whose extent depends on timing.
  const auto run_all = [this] {
    run(branches(1, 5000));
    run(branches(3, 10));
    run(branches(2000, 1));  // Enough to be copied to the device.
    run(branches(3, 10), {.deadline = std::chrono::hours(1), .keep_unfinished = true});
  };
  run_all();
  const std::uint64_t before = memory.allocations();
  EXPECT_GT(before, 0u);
  for (int i = 0; i < 3; ++i) run_all();
  EXPECT_EQ(memory.allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Simt, RunAllocationTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) {
                           std::string name = to_string(info.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace millrace::MILLRACE_GPU
