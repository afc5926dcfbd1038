// SPDX-License-Identifier: Apache-2.0

// Runs that are stopped, or fail, while joins and counters are in the middle of their arrivals, and
// what goes on from there, on this device or on another.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>
#include <millrace/tests/conformance/tasks/gate_tasks.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace millrace::conformance {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

// Words that the host and the devices of a test all reach.
template <class T>
class SharedWords {
 public:
  SharedWords(const std::shared_ptr<Device>& owner, std::size_t count)
      : buffer_(owner, MemorySpace::kPinned, count) {
    clear();
  }

  void clear() { std::fill_n(data(), buffer_.size(), T{}); }
  T* data() { return buffer_.data(); }
  T& operator[](std::size_t i) { return buffer_.data()[i]; }

 private:
  Buffer<T> buffer_;
};

bool has_own_memory(const Device& device) {
  return !device.info().shares_host_memory && !device.info().is_simulated;
}

// The calls of a number of Fibonacci, half of whose leaves wait at a gate.
class GatedCalls {
 public:
  GatedCalls(const std::shared_ptr<Device>& owner, std::uint32_t n)
      : n_(n), gate_(owner, 1), result_(owner, 1) {}

  TaskList<GatedCallTasks> roots() {
    return TaskList<GatedCallTasks>(GatedRoot{gate_.data(), result_.data(), n_});
  }
  void set(Gate gate) { gate_[0] = gate; }

  // True if joins wait, one of them for the second of its values.
  bool is_in_the_middle(const TaskList<GatedCallTasks>& rest) const {
    constexpr TaskTag kSum = GatedCallTasks::tag_of<FibonacciAddition>();
    return std::ranges::any_of(rest.joins(), [](const WaitingJoin<GatedCallTasks>& join) {
      return join.tag == kSum && join.missing == 1;
    });
  }

  // Runs what is left and compares the result. No sum has been made before.
  void expect_end(Queue& queue, Policy policy, const TaskList<GatedCallTasks>& rest) {
    result_.clear();
    const RunReport report = run_tasks(queue, rest, {.policy = policy});
    EXPECT_EQ(result_[0], fibonacci(n_ + 1)) << queue.device().info().name;
    constexpr TaskTag kSum = GatedCallTasks::tag_of<FibonacciAddition>();
    EXPECT_EQ(report.tasks_by_type[kSum], sums()) << queue.device().info().name;
  }

 private:
  std::uint64_t sums() const { return fibonacci(n_ + 1) - 1; }

  std::uint32_t n_;
  SharedWords<Gate> gate_;
  SharedWords<std::uint64_t> result_;
};

// Predecessors of one task, half of which wait at a gate.
class GatedFanIn {
 public:
  GatedFanIn(const std::shared_ptr<Device>& owner, std::uint32_t count)
      : count_(count),
        gate_(owner, 1),
        values_(owner, count),
        missing_(owner, 1),
        result_(owner, 1) {
    missing_[0] = count;
  }

  TaskList<GatedFanInTasks> roots() {
    TaskList<GatedFanInTasks> list;
    for (std::uint32_t i = 0; i < count_; ++i) {
      list.push(GatedPredecessor{gate_.data(), values_.data(), missing_.data(), result_.data(), i,
                                 count_});
    }
    return list;
  }
  void set(Gate gate) { gate_[0] = gate; }

  // True if some predecessors have arrived.
  bool is_in_the_middle(const TaskList<GatedFanInTasks>&) { return missing_[0] < count_; }

  void expect_end(Queue& queue, Policy policy, const TaskList<GatedFanInTasks>& rest) {
    const RunReport report = run_tasks(queue, rest, {.policy = policy});
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count_; ++i) sum += splitmix64(i);
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{rest.size(), 1}));
    EXPECT_EQ(result_[0], sum) << queue.device().info().name;
    EXPECT_EQ(missing_[0], 0u);
  }

 private:
  std::uint32_t count_;
  SharedWords<Gate> gate_;
  SharedWords<std::uint64_t> values_;
  SharedWords<std::uint32_t> missing_;
  SharedWords<std::uint64_t> result_;
};

class OpenJoinTest : public PolicyTest {
 protected:
  static constexpr std::size_t kCapacities[] = {0, 1, 2, 64};  // 0: as many as the device chooses.

  // Returns the smaller number if either device is simulated.
  std::uint32_t scaled_for(const Device& other, std::size_t full, std::size_t simulated) const {
    return static_cast<std::uint32_t>(
        std::min(scaled(full, simulated), conformance::scaled(other, full, simulated)));
  }
  std::uint32_t call(const Device& other) const { return scaled_for(other, 18, 10); }

  // Stops a run of work at a closed gate, which cannot end, until it is in the middle.
  template <class Work>
  auto stopped_in_the_middle(Work& work, Queue& on) {
    auto rest = work.roots();
    using Set = typename decltype(rest)::Set;
    for (nanoseconds deadline = 100us; !work.is_in_the_middle(rest); deadline += deadline / 4) {
      try {
        run_tasks(on, rest, {.policy = policy, .deadline = deadline, .keep_unfinished = true});
        ADD_FAILURE() << "the run has ended although its gate is closed";
        return rest;
      } catch (const UnfinishedRun<Set>& stopped) {
        rest = stopped.remaining();
      }
    }
    return rest;
  }

  template <class Set>
  std::optional<Error> error_of(Queue& on, const TaskList<Set>& list) {
    try {
      run_tasks(on, list, {.policy = policy});
    } catch (const Error& error) {
      return error;
    }
    return {};
  }

  // Calls visit(other, owner) with each other device that runs tasks on memory that this one
  // reaches, too, and the device that such memory is made for.
  template <class Visit>
  void for_each_other_device(const Visit& visit) {
    for (const std::string& name : device_names()) {
      const std::shared_ptr<Device> other = open_device(name);
      if (other == device || name == device->info().name) continue;
      const bool are_both = has_own_memory(*device) && has_own_memory(*other);
      if (are_both && device->info().backend != other->info().backend) continue;
      visit(other, has_own_memory(*other) ? other : device);
    }
  }
};

bool opens_joins(const Device& device) { return device.info().backend != "null"; }

TEST_P(OpenJoinTest, AStoppedRunGoesOnOnAnotherDevice) {
  for_each_other_device([&](const auto& other, const auto& owner) {
    if (!opens_joins(*other)) return;
    GatedCalls calls(owner, call(*other));
    const auto rest = stopped_in_the_middle(calls, *queue);
    calls.set(Gate::kOpen);
    for (const std::size_t capacity : kCapacities) {
      calls.expect_end(*other->make_queue({.join_capacity = capacity}), policy, rest);
    }
  });
}

TEST_P(OpenJoinTest, CountersGoOnOnAnotherDevice) {
  for_each_other_device([&](const auto& other, const auto& owner) {
    GatedFanIn fan_in(owner, scaled_for(*other, 10'000, 400));
    const auto rest = stopped_in_the_middle(fan_in, *queue);
    fan_in.set(Gate::kOpen);
    fan_in.expect_end(*other->make_queue(), policy, rest);
  });
}

// Each stop hands the run to the other device, each time a little later.
TEST_P(OpenJoinTest, AStoppedRunMovesBackAndForth) {
  for_each_other_device([&](const auto& other, const auto& owner) {
    if (!opens_joins(*other)) return;
    const std::uint32_t n = scaled_for(*other, 22, 11);
    SharedWords<std::uint64_t> result(owner, 1);
    TaskList<FibonacciTasks> rest(FibonacciRoot{result.data(), n});
    bool is_here = true;
    for (nanoseconds deadline = 20us; !rest.empty(); deadline += deadline / 4) {
      const auto on = (is_here ? device : other)->make_queue({.join_capacity = 2});
      is_here = !is_here;
      try {
        run_tasks(*on, rest, {.policy = policy, .deadline = deadline, .keep_unfinished = true});
        rest.clear();
      } catch (const UnfinishedRun<FibonacciTasks>& stopped) {
        rest = stopped.remaining();
      }
    }
    EXPECT_EQ(result[0], fibonacci(n)) << other->info().name;
  });
}

TEST_P(OpenJoinTest, AFailureInTheMiddleEndsTheRun) {
  for (const std::size_t capacity : kCapacities) {
    const auto on = device->make_queue({.join_capacity = capacity});
    GatedCalls calls(device, call(*device));
    calls.set(Gate::kFailing);
    const auto error = error_of(*on, calls.roots());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kTaskFailed);
    EXPECT_EQ(error->detail(), kGateFailure) << error->what();
    // The queue is as good as new.
    calls.set(Gate::kOpen);
    calls.expect_end(*on, policy, calls.roots());
  }
}

TEST_P(OpenJoinTest, AContinuedRunMayFailAndBeContinuedAgain) {
  GatedCalls calls(device, call(*device));
  const auto rest = stopped_in_the_middle(calls, *queue);
  calls.set(Gate::kFailing);
  const auto error = error_of(*queue, rest);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->detail(), kGateFailure) << error->what();
  calls.set(Gate::kOpen);
  calls.expect_end(*queue, policy, rest);
}

TEST_P(OpenJoinTest, AContinuedRunWithoutATaskSaysWhatItsJoinsMiss) {
  GatedCalls calls(device, call(*device));
  auto rest = stopped_in_the_middle(calls, *queue);
  rest.take_last(1);
  calls.set(Gate::kOpen);
  for (const std::size_t capacity : kCapacities) {
    const auto error = error_of(*device->make_queue({.join_capacity = capacity}), rest);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kTaskFailed);
    // The join of the task, and those that wait for it, up to the root's.
    const std::string message = error->what();
    EXPECT_TRUE(message.find("FibonacciAddition misses 1 arrival;") != std::string::npos ||
                message.find("FibonacciAnswer misses 1 arrival;") != std::string::npos)
        << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, OpenJoinTest, each_policy(),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
