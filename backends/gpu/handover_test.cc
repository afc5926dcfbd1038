// SPDX-License-Identifier: Apache-2.0

// Tests of tasks that workers of a block hand over.
#include <millrace/backends/gpu/device/handover.h>
#include <millrace/backends/gpu/device/persistent_worker.h>
#include <millrace/backends/gpu/device/task_stack.h>
#include <millrace/backends/gpu/worker_test.h>
#include <millrace/runtime/tasks/task_set.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// Never runs: the test looks at stacks. `number` is its place among those that were pushed.
template <int priority>
struct Numbered {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kPriority = priority;
  std::uint32_t number;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};

using Low = Numbered<0>;
using High = Numbered<1>;
using HandedTasks = TaskSet<Low, High>;
static_assert(kHandsOver<HandedTasks>);
static_assert(!kHandsOver<TaskSet<ContextProbe>>);

struct Stack {
  std::uint32_t low;
  std::uint32_t high;
  std::uint32_t first_low;  // The oldest task's number.

  bool operator==(const Stack&) const = default;
};

// What the first worker has on its stacks, and what both have when it has handed tasks over.
struct HandoverRun {
  RunMemory memory;
  std::uint32_t low;
  std::uint32_t high;
  Stack* stacks;          // By worker.
  std::uint32_t* active;  // Workers of the block that are counted as active.
  std::uint32_t* failures;
};

using Runner = UnitRunner<HandedTasks, PersistentQueues>;
using Own = Worker<HandedTasks>;

template <class T>
MILLRACE_FUNCTION void push_all(Runner& runner, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count && Own::is_leader(); ++i) {
    push_task(runner.queues(), runner.memory(), T{i});
  }
  Own::sync();
}

MILLRACE_FUNCTION void log_stacks(const Runner& runner, const HandoverRun& run) {
  const WorkerMemory<HandedTasks>& memory = runner.memory();
  const WorkerShared<HandedTasks>& worker = memory.worker();
  constexpr TaskTag kLow = HandedTasks::tag_of<Low>();
  constexpr TaskTag kHigh = HandedTasks::tag_of<High>();
  if (!Own::is_leader()) return;
  const Low oldest =
      TaskWords<Low>::load(memory.stack<Low>(), memory.layout().capacity<Low>(), worker.base[kLow]);
  run.stacks[Own::index()] = {worker.count[kLow], worker.count[kHigh],
                              worker.count[kLow] > 0 ? oldest.number : 0};
}

// Launched with two warps. The second one waits for tasks, which the first one has.
MILLRACE_KERNEL void hand_over_once(HandoverRun run) {
  Runner runner{PersistentQueues(run.memory)};
  runner.memory().clear();
  if (thread_index() == 0) runner.memory().block().active = 1;
  sync_block();
  Surplus surplus = Surplus::kNone;
  TaskStacks<HandedTasks, PersistentQueues> stacks(runner, surplus);
  const Handover<HandedTasks> handover(runner.memory());
  if (Own::index() == 0) {
    push_all<Low>(runner, run.low);
    push_all<High>(runner, run.high);
    while (!stacks.hand_over()) pause(100);
    // Nobody waits any more.
    if (stacks.hand_over()) reduce_add(run.failures, 1u);
  } else {
    handover.begin_wait();
    while (!handover.take()) pause(100);
  }
  log_stacks(runner, run);
  sync_block();
  if (thread_index() == 0) *run.active = runner.memory().block().active;
}

// Launched with two warps. The second one waits for tasks, and the first one has too few.
MILLRACE_KERNEL void keep_last(HandoverRun run) {
  Runner runner{PersistentQueues(run.memory)};
  runner.memory().clear();
  if (thread_index() == 0) runner.memory().block().active = 1;
  if (Own::index() == 1) Handover<HandedTasks>(runner.memory()).begin_wait();
  sync_block();
  if (Own::index() == 0) {
    push_all<High>(runner, run.high);
    Surplus surplus = Surplus::kNone;
    TaskStacks<HandedTasks, PersistentQueues> stacks(runner, surplus);
    if (stacks.hand_over() && Own::is_leader()) reduce_add(run.failures, 1u);
  }
  log_stacks(runner, run);
  sync_block();
  if (thread_index() == 0) *run.active = runner.memory().block().active;
}

// One worker that waits and withdraws, and so is not claimed by itself or another.
MILLRACE_KERNEL void withdraw_once(HandoverRun run) {
  Runner runner{PersistentQueues(run.memory)};
  runner.memory().clear();
  const Handover<HandedTasks> handover(runner.memory());
  const auto expect = [&](bool is_right) {
    if (!is_right && Own::is_leader()) reduce_add(run.failures, 1u);
  };
  handover.begin_wait();
  expect(!handover.take());
  expect(handover.withdraw());
  expect(handover.claim() == Handover<HandedTasks>::kNobody);
  handover.begin_wait();
  expect(handover.claim() == 0);
  expect(!handover.withdraw());
  expect(!handover.take());
  if (Own::is_leader()) handover.give(0);
  Own::sync();
  expect(handover.take());
  expect(!handover.take());
  *run.active = runner.memory().block().active;
}

class HandoverTest : public WorkerTest {
 protected:
  struct Outcome {
    std::array<Stack, 2> stacks;
    std::uint32_t active;
    std::uint32_t failures;
  };

  template <class Kernel>
  Outcome run(const Kernel& kernel, int workers, std::uint32_t low, std::uint32_t high) {
    Buffer<Control> control = zeros<Control>(1);
    Buffer<Stack> stacks = zeros<Stack>(2);
    Buffer<std::uint32_t> words = zeros<std::uint32_t>(2);
    HandoverRun run{.memory = {},
                    .low = low,
                    .high = high,
                    .stacks = stacks.data(),
                    .active = words.data(),
                    .failures = words.data() + 1};
    run.memory.control = control.data();
    using Layout = WorkerLayout<HandedTasks>;
    const int lanes = warp_lanes();
    const gpu::LaunchShape shape = {
        .blocks = 1,
        .threads = workers * lanes,
        .shared_bytes = Layout::kBlockBytes + workers * Layout(lanes, lanes).worker_bytes()};
    launch(kernel, shape, queue->stream(), run);
    const std::vector<Stack> found = downloaded(stacks);
    const std::vector<std::uint32_t> counts = downloaded(words);
    return {{found[0], found[1]}, counts[0], counts[1]};
  }
};

TEST_F(HandoverTest, TheOldestHalfOfTheLargestStackIsHandedOver) {
  const Outcome outcome = run(hand_over_once, 2, /*low=*/5, /*high=*/3);
  EXPECT_EQ(outcome.failures, 0U);
  EXPECT_EQ(outcome.active, 2U);
  EXPECT_EQ(outcome.stacks[0], (Stack{3, 3, 2}));
  EXPECT_EQ(outcome.stacks[1], (Stack{2, 0, 0}));
}

TEST_F(HandoverTest, OfTwoTasksTheOneOfLowerPriorityIsHandedOver) {
  const Outcome outcome = run(hand_over_once, 2, /*low=*/1, /*high=*/1);
  EXPECT_EQ(outcome.failures, 0U);
  EXPECT_EQ(outcome.stacks[0], (Stack{0, 1, 0}));
  EXPECT_EQ(outcome.stacks[1], (Stack{1, 0, 0}));
}

TEST_F(HandoverTest, TheLastTaskIsNotHandedOver) {
  const Outcome outcome = run(keep_last, 2, /*low=*/0, /*high=*/1);
  EXPECT_EQ(outcome.failures, 0U);
  EXPECT_EQ(outcome.active, 1U);
  EXPECT_EQ(outcome.stacks[0], (Stack{0, 1, 0}));
  EXPECT_EQ(outcome.stacks[1], (Stack{0, 0, 0}));
}

TEST_F(HandoverTest, AClaimedWorkerCannotWithdraw) {
  const Outcome outcome = run(withdraw_once, 1, 0, 0);
  EXPECT_EQ(outcome.failures, 0U);
  EXPECT_EQ(outcome.active, 1U);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
