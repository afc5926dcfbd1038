// SPDX-License-Identifier: Apache-2.0

// Tests of the stack of a lane: one lane does random operations, and so does a model.
#include <millrace/backends/gpu/device/control/run_control.h>
#include <millrace/backends/gpu/device/persistent_worker.h>
#include <millrace/backends/gpu/worker_test.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

// A task or a continuation, which has a number and never runs.
template <std::uint32_t words>
struct Numbered {
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t number;
  std::uint32_t rest[words - 1];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {}
};

using Set = TaskSet<Numbered<2>, Numbered<8>>;
static_assert(kHasLaneStacks<Set, PersistentQueues>);

// On an empty stack, kPop and kMoveOldest do nothing.
// kArriveLate pushes a task between the arrival and its end.
enum class Operation : std::uint32_t {
  kPushFirst,
  kPushSecond,
  kOpen,
  kArrive,
  kArriveLate,
  kPop,
  kMoveOldest
};

constexpr std::uint32_t kNothing = 0xffffffff;

// An operation, and what the lane observes after it.
struct Step {
  Operation operation;
  std::uint32_t number = 0;         // Number of the pushed task, or of the opened join.
  std::uint32_t join = 0;           // Number of the join at which the lane arrives.
  std::uint32_t count = 0;          // Slots in use.
  std::uint32_t popped = kNothing;  // Number of the task that kPop has removed.
};

// Lane 0 does the steps. It arrives at joins with their numbers as values. `joins` has space for a
// handle of each. `moved` receives the number of tasks on the worker's stacks. Launched with one
// warp.
MILLRACE_KERNEL void do_steps(RunMemory memory, Step* steps, std::uint32_t count,
                              Join<std::uint32_t>* joins, std::uint32_t* moved) {
  using First = Set::Type<0>;
  using Second = Set::Type<1>;
  LaneContext<Set, PersistentQueues> lane{PersistentQueues(memory)};
  const WorkerMemory<Set>& own = lane.memory();
  const PersistentQueues& queues = lane.queues();
  auto& stack = lane.stack();
  own.clear();
  stack.clear(own);
  if (!Worker<Set>::is_leader()) return;
  std::uint32_t records = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Step& step = steps[i];
    if (step.operation == Operation::kPushFirst) {
      stack.push(queues, own, First{step.number, {}});
    } else if (step.operation == Operation::kPushSecond) {
      stack.push(queues, own, Second{step.number, {}});
    } else if (step.operation == Operation::kOpen) {
      if (lane.joins().held() == 0) lane.joins().hold_up_to(1, records++);
      const auto join = stack.open(queues, own, lane.joins(), 1, Second{kNothing, {}});
      joins[step.number] = join.to(&Second::number);
    } else if (step.operation == Operation::kArrive || step.operation == Operation::kArriveLate) {
      stack.begin_task();
      stack.arrive(queues, own, joins[step.join], step.join, TaskTag{0});
      if (step.operation == Operation::kArriveLate) {
        stack.push(queues, own, First{step.number, {}});
      }
      stack.arrive_pending(queues, own);
    } else if (!stack.is_empty() && step.operation == Operation::kMoveOldest) {
      stack.move_oldest(queues, own);
    } else if (!stack.is_empty()) {
      const std::uint32_t state = stack.top_state(own);
      if (SlotState::is_ready(state)) {
        visit_type<Set>(static_cast<TaskTag>(state),
                        [&]<class T>() { step.popped = stack.pop<T>(own).number; });
      } else {
        stack.move_newest(queues, own);
      }
    }
    step.count = stack.count();
  }
  *moved = own.worker().count[0] + own.worker().count[1];
}

// A model of the stack.
class ModelStack {
 public:
  // Does a step. Returns the number of the task that the stack should have popped.
  std::uint32_t do_step(const Step& step) {
    std::uint32_t popped = kNothing;
    switch (step.operation) {
      case Operation::kPushFirst:
      case Operation::kPushSecond:
      case Operation::kOpen: push({step.number, step.operation == Operation::kOpen}); break;
      case Operation::kArrive: arrive(step.join); break;
      case Operation::kArriveLate:
        push({step.number, false});
        arrive(step.join);
        break;
      case Operation::kPop:
        if (entries_.empty()) break;
        if (!entries_.back().misses_arrival) popped = entries_.back().number;
        entries_.pop_back();
        break;
      case Operation::kMoveOldest:
        if (!entries_.empty()) move_oldest();
        break;
    }
    return popped;
  }
  std::size_t size() const { return entries_.size(); }
  std::uint32_t moved_tasks() const { return moved_tasks_; }

 private:
  struct Entry {
    std::uint32_t number;
    bool misses_arrival;
  };

  void push(const Entry& entry) {
    if (entries_.size() == LaneSlots<Set>::kSlots) move_oldest();
    entries_.push_back(entry);
  }
  void move_oldest() {
    if (!entries_.front().misses_arrival) ++moved_tasks_;
    entries_.erase(entries_.begin());
  }
  // The continuation of a join that has moved is pushed.
  void arrive(std::uint32_t join) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.number == join; });
    if (found != entries_.end()) {
      found->misses_arrival = false;
    } else {
      push({join, false});
    }
  }

  std::vector<Entry> entries_;  // From the oldest.
  std::uint32_t moved_tasks_ = 0;
};

class LaneStackTest : public WorkerTest {
 protected:
  // Number of steps in which a stack grows and shrinks. They move fewer tasks than the worker's
  // stacks hold.
  static constexpr std::uint32_t kSteps = 200;

  // Does the steps on a stack of the set, and returns them with what the lane observed.
  std::vector<Step> run(const std::vector<Step>& steps) {
    const std::size_t count = steps.size();
    Buffer<RunControl> control = zeros<RunControl>(1);
    Buffer<std::uint32_t> records = zeros<std::uint32_t>(count * JoinMemory::kRecordWords<Set>);
    Buffer<Join<std::uint32_t>> joins = zeros<Join<std::uint32_t>>(count);
    Buffer<std::uint32_t> moved = zeros<std::uint32_t>(1);
    Buffer<Step> done = uploaded(steps.data(), count);
    RunMemory memory = {};
    memory.control = control.data();
    memory.joins.words = records.data();
    memory.joins.capacity = static_cast<std::uint32_t>(count);
    launch(do_steps, one_warp<Set>(lane_stack_bytes<Set>()), queue->stream(), memory, done.data(),
           static_cast<std::uint32_t>(count), joins.data(), moved.data());
    moved_tasks = downloaded(moved)[0];
    return downloaded(done);
  }

  // Phases in which the stack grows, keeps its size or shrinks, then one that empties it.
  static std::vector<Step> random_steps(SeededRandom& random) {
    std::vector<Step> steps;
    std::vector<std::uint32_t> open;
    std::uint64_t growth = 0;
    while (steps.size() < kSteps) {
      if (steps.size() % 25 == 0) growth = random(1, 4);
      const auto number = static_cast<std::uint32_t>(steps.size());
      const bool grows = random(1, 5) <= growth;
      auto operation = static_cast<Operation>(grows ? random(0, 4) : random(3, 10));
      const bool arrives = operation == Operation::kArrive || operation == Operation::kArriveLate;
      if (operation > Operation::kMoveOldest || (arrives && open.empty())) {
        operation = Operation::kPop;
      }
      Step step = {.operation = operation, .number = number};
      if (operation == Operation::kOpen) open.push_back(number);
      if (arrives && operation != Operation::kPop) {
        const std::size_t chosen = random(0, open.size() - 1);
        step.join = open[chosen];
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(chosen));
      }
      steps.push_back(step);
    }
    for (std::uint32_t i = 0; i < kSteps; ++i) steps.push_back({.operation = Operation::kPop});
    return steps;
  }

  std::uint32_t moved_tasks = 0;  // Tasks that the last run left on the worker's stacks.
};

TEST_F(LaneStackTest, TheNewestIsPoppedAndTheOldestMoves) {
  SeededRandom random;
  for (int round = 0; round < 20; ++round) {
    ModelStack model;
    for (const Step& step : run(random_steps(random))) {
      ASSERT_EQ(step.popped, model.do_step(step));
      ASSERT_EQ(step.count, model.size());
    }
    EXPECT_EQ(model.size(), 0u);
    EXPECT_EQ(moved_tasks, model.moved_tasks());
  }
}

TEST_F(LaneStackTest, TasksFillAllSlots) {
  const std::vector<Step> steps(LaneSlots<Set>::kSlots + 1, {.operation = Operation::kPushFirst});
  EXPECT_EQ(run(steps).back().count, LaneSlots<Set>::kSlots);
  EXPECT_EQ(moved_tasks, 1u);
}

}  // namespace
}  // namespace millrace::MILLRACE_GPU
