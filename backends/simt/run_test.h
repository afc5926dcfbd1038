// SPDX-License-Identifier: Apache-2.0

// Task sets and a fixture for tests of runs on simulated GPUs that end early. A test registers the
// sets that it runs (RegisterTasks).
#ifndef MILLRACE_BACKENDS_SIMT_RUN_TEST_H_
#define MILLRACE_BACKENDS_SIMT_RUN_TEST_H_

#include <millrace/backends/gpu/gpu_test.h>
#include <millrace/backends/simt/task_target.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {

struct TreeArguments {
  std::uint64_t* leaves;
};

struct TreeSum {
  static constexpr bool kTravels = true;
  Join<std::uint64_t> parent;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint64_t sum = values[0] + values[1];
    if (parent.index() == Join<>::kNone) context.add(context.arguments().leaves, sum);
    context.arrive(parent, sum);
  }
};

// A tree whose nodes have one child or two. Its leaves are counted by joins.
struct Tree {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  std::uint32_t depth;
  std::uint32_t width;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (depth == 0) return context.arrive(parent, 1);
    const auto join = context.open_join(width, TreeSum{parent, {}});
    for (std::uint32_t i = 0; i < width; ++i) {
      context.spawn(Tree{join.to(&TreeSum::values, i), depth - 1, width});
    }
  }
};
struct TreeTasks : TaskSet<Tree, TreeSum> {
  using Arguments = TreeArguments;
};

// Counts itself.
struct CountingChild {
  std::uint64_t* runs;
  std::uint64_t padding[4];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
  }
};

// Counts itself, and spawns children.
struct CountingFanOut {
  std::uint64_t* runs;
  std::uint32_t children;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, std::uint64_t{1});
    for (std::uint32_t i = 0; i < children; ++i) context.spawn(CountingChild{runs, {}});
  }
};
using FanOutTasks = TaskSet<CountingFanOut, CountingChild>;

// Counts itself at level 1.
struct LateChild {
  static constexpr bool kUsesLevels = true;
  std::uint64_t* runs;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(runs, context.level() == 1 ? std::uint64_t{1} : std::uint64_t{1} << 32);
  }
};

// Spawns children for level 1.
struct LateFanOut {
  std::uint64_t* runs;
  std::uint32_t children;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i < children; ++i) context.spawn_at(1, LateChild{runs});
  }
};
using LateTasks = TaskSet<LateFanOut, LateChild>;

// A segment of a run of which other devices want half. It may have all roots, and is to spread them
// then.
class SharedSegment final : public Participant<TreeTasks> {
 public:
  explicit SharedSegment(bool spreads) {
    spreads_ = spreads;
    wanted_ = spreads ? 0.5F : 0;
  }

  // The tasks that it has given away, and the joins that are open at its end.
  const TaskList<TreeTasks>& given() const { return given_; }

  void set_on_wanted(std::function<void()>) override {}
  void give(const TaskList<TreeTasks>& tasks) override { given_.append(tasks); }
  void share_out(TaskList<TreeTasks> tasks) override { given_.append(tasks); }
  void send(const JoinArrival<TreeTasks>&) override { ADD_FAILURE() << "no join is elsewhere"; }
  void keep(const std::vector<WaitingJoin<TreeTasks>>& joins) override {
    for (const auto& join : joins) given_.push(join);
  }

 private:
  TaskList<TreeTasks> given_;
};

// Runs under the policy of its parameter.
class RunTest : public testing::TestWithParam<Policy> {
 protected:
  void SetUp() override { take_result(); }

  // Returns the result of the runs since the last call.
  std::uint64_t take_result() {
    std::uint64_t value = 0;
    queue->copy(&value, result.data(), sizeof(value), {}, {});
    fill_bytes(*queue, result.span(), std::byte{0});
    queue->wait();
    return value;
  }

  TaskList<TreeTasks> trees(std::size_t count, std::uint32_t depth, std::uint32_t width) {
    TaskList<TreeTasks> roots;
    for (std::size_t i = 0; i < count; ++i) roots.push(Tree{{}, depth, width});
    roots.set_arguments({result.data()});
    return roots;
  }
  // Returns what a segment has given away and left open.
  TaskList<TreeTasks> rest_of(const SharedSegment& segment) {
    TaskList<TreeTasks> rest = segment.given();
    rest.set_arguments({result.data()});
    return rest;
  }
  TaskList<FanOutTasks> fan_outs(std::size_t count, std::uint32_t children) {
    TaskList<FanOutTasks> roots;
    for (std::size_t i = 0; i < count; ++i) roots.push(CountingFanOut{result.data(), children});
    return roots;
  }
  TaskList<LateTasks> late_fan_out(std::uint32_t children) {
    return TaskList<LateTasks>(LateFanOut{result.data(), children});
  }

  template <class Roots>
  RunReport run(const Roots& roots, RunOptions options = {}) {
    options.policy = GetParam();
    return run_tasks(*queue, roots, options);
  }

  // Runs the roots, and returns the tasks and joins that are left for lack of memory. Sets
  // `tasks_run` and `workers` if any are.
  template <class Set>
  TaskList<Set> left_of(const TaskList<Set>& roots,
                        std::type_identity_t<Participant<Set>>* participant = nullptr,
                        RunOptions options = {}) {
    const std::shared_ptr<const TaskList<Set>> borrowed(&roots, [](const TaskList<Set>*) {});
    options.policy = GetParam();
    try {
      millrace::internal::launch(*queue, borrowed, options, /*caller_waits=*/true, participant);
      queue->wait();
      return {};
    } catch (const UnfinishedRun<Set>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_NE(std::string(error.what()).find("a run ended for lack of memory: "),
                std::string::npos)
          << error.what();
      EXPECT_EQ(error.tasks_left(), error.remaining().size());
      tasks_run = error.tasks_run();
      workers = error.workers();
      TaskList<Set> left = error.remaining();
      if constexpr (HasArguments<Set>) left.set_arguments(*roots.arguments());
      return left;
    }
  }

  std::shared_ptr<GpuDevice> device = open_gpu(0);
  std::unique_ptr<GpuQueue> queue = make_gpu_queue(*device);
  Buffer<std::uint64_t> result{device, MemorySpace::kDevice, 1};
  std::uint64_t tasks_run = 0;
  std::vector<WorkerTrace> workers;
};

// Returns the names of the instances of tests for each policy.
inline std::string policy_name(const testing::TestParamInfo<Policy>& info) {
  std::string name = to_string(info.param);
  std::erase(name, '-');
  return name;
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_SIMT_RUN_TEST_H_
