// SPDX-License-Identifier: Apache-2.0

// Tests of the order in which a persistent worker runs the tasks of its stacks.
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/persistent_worker.h>
#include <millrace/backends/gpu/device/task_stacks.h>
#include <millrace/backends/gpu/worker_test.h>
#include <millrace/runtime/tasks/task_set.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr std::uint32_t kLevels = 3;

// Numbers of tasks, by level.
using Counts = std::array<std::uint32_t, kLevels>;

// Counts itself in the word of its level.
template <std::uint32_t level>
struct Ranked {
  static constexpr int kPriority = level;
  std::uint32_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    reduce_add(runs + level, 1u);
  }
};

// Never runs. Lanes of workers have stacks if the set has it.
struct Opener {
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};

using StackTasks = TaskSet<Ranked<1>, Ranked<0>, Ranked<2>>;
using LaneStackTasks = TaskSet<Ranked<1>, Ranked<0>, Ranked<2>, Opener>;
static_assert(!kHasLaneStacks<StackTasks, PersistentQueues>);
static_assert(kHasLaneStacks<LaneStackTasks, PersistentQueues>);

// The tasks that a worker has to run, and a log of those that have run: in row i, the tasks of each
// level that have run when the i-th call of run_units() returns. There are kMaxCalls rows.
struct StackRun {
  static constexpr std::uint32_t kMaxCalls = 8;

  RunMemory memory;
  Counts pushed;
  bool partial;
  std::uint32_t* runs;
  std::uint32_t* log;
  std::uint32_t* calls;  // Number of calls that have run something.
};

template <class Set, std::uint32_t level, class Runner>
MILLRACE_FUNCTION void push_level(Runner& runner, const StackRun& run) {
  for (std::uint32_t i = 0; i < run.pushed[level]; ++i) {
    push_task(runner.queues(), runner.memory(), Ranked<level>{run.runs});
  }
}

// Pushes all tasks on the stacks of a worker, and runs them. Launched with one warp.
template <class Set>
MILLRACE_KERNEL void run_stacks(StackRun run) {
  using Own = Worker<Set>;
  UnitRunner<Set, PersistentQueues> runner{PersistentQueues(run.memory)};
  runner.memory().clear();
  if constexpr (kHasLaneStacks<Set, PersistentQueues>) runner.stack().clear(runner.memory());
  if (Own::is_leader()) {
    push_level<Set, 0>(runner, run);
    push_level<Set, 1>(runner, run);
    push_level<Set, 2>(runner, run);
  }
  Own::sync();
  Surplus surplus = Surplus::kNone;
  TaskStacks<Set, PersistentQueues> stacks(runner, surplus);
  std::uint32_t calls = 0;
  while (calls < StackRun::kMaxCalls && stacks.run_units(run.partial, /*most=*/1) > 0) {
    Own::sync();
    for (std::uint32_t level = 0; level < kLevels && Own::is_leader(); ++level) {
      run.log[calls * kLevels + level] =
          atomic_load<gpu::Scope::kDevice, gpu::Order::kRelaxed>(run.runs + level);
    }
    ++calls;
    Own::sync();
  }
  if (Own::is_leader()) *run.calls = calls;
}

class TaskStackTest : public WorkerTest {
 protected:
  std::uint32_t width() const { return static_cast<std::uint32_t>(warp_lanes()); }

  // Returns the rows of the log.
  template <class Set>
  std::vector<Counts> run(const Counts& pushed, bool partial) {
    Buffer<RunControl> control = zeros<RunControl>(1);
    Buffer<std::uint32_t> words = zeros<std::uint32_t>(1 + kLevels * (1 + StackRun::kMaxCalls));
    StackRun run{.memory = {},
                 .pushed = pushed,
                 .partial = partial,
                 .runs = words.data() + 1,
                 .log = words.data() + 1 + kLevels,
                 .calls = words.data()};
    run.memory.control = control.data();
    launch(run_stacks<Set>, one_warp<Set>(lane_stack_bytes<Set>()), queue->stream(), run);
    const std::vector<std::uint32_t> host = downloaded(words);
    std::vector<Counts> rows;
    for (std::uint32_t call = 0; call < host[0]; ++call) {
      const std::size_t row = 1 + std::size_t{kLevels} * (1 + call);
      rows.push_back({host[row], host[row + 1], host[row + 2]});
    }
    return rows;
  }
};

TEST_F(TaskStackTest, OfPartialUnitsTheHighestRunsFirst) {
  EXPECT_EQ(run<StackTasks>({3, 2, 1}, /*partial=*/true),
            (std::vector<Counts>{{0, 0, 1}, {0, 2, 1}, {3, 2, 1}}));
}

TEST_F(TaskStackTest, OfWholeUnitsTheHighestRunsFirst) {
  const std::uint32_t unit = width();
  EXPECT_EQ(run<StackTasks>({unit, unit, unit}, /*partial=*/false),
            (std::vector<Counts>{{0, 0, unit}, {0, unit, unit}, {unit, unit, unit}}));
}

TEST_F(TaskStackTest, AWholeUnitRunsBeforeAPartialHigherOne) {
  const std::uint32_t unit = width();
  EXPECT_EQ(run<StackTasks>({unit, 0, unit - 1}, /*partial=*/false),
            (std::vector<Counts>{{unit, 0, 0}}));
}

TEST_F(TaskStackTest, LanesWithoutTasksGetTheHighestFirst) {
  const std::uint32_t lanes = width();
  EXPECT_EQ(run<LaneStackTasks>({lanes, lanes / 2, lanes}, /*partial=*/true),
            (std::vector<Counts>{
                {0, 0, lanes}, {lanes / 2, lanes / 2, lanes}, {lanes, lanes / 2, lanes}}));
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
