// SPDX-License-Identifier: Apache-2.0

// Joins whose values are structures and smaller than words, under every policy.
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/value_join_tasks.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

class ValueJoinTest : public PolicyTest {
 protected:
  template <class Set>
  TaskList<Set> trees(std::uint32_t* runs, std::uint32_t joins) {
    TaskList<Set> roots;
    for (std::uint32_t i = 0; i < ValueTrees::kTrees; ++i) {
      roots.push(typename Set::template Type<0>{i});
    }
    roots.set_arguments({runs, joins});
    return roots;
  }

  // Each join once with the right values, and none with wrong ones.
  static std::vector<std::uint32_t> once(std::size_t joins) {
    std::vector<std::uint32_t> runs(joins, 1);
    runs.push_back(0);
    return runs;
  }

  template <class Set>
  void expect_values(std::uint32_t joins) {
    DeviceArray<std::uint32_t> runs(*queue, joins + 1);
    run_tasks(*queue, trees<Set>(runs.data(), joins), {.policy = policy});
    EXPECT_EQ(runs.read(), once(joins));
  }

  // Each stop comes later than the one before, and a new queue goes on.
  template <class Set>
  void expect_values_with_stops() {
    const auto joins = static_cast<std::uint32_t>(scaled(20'000, 60));
    DeviceArray<std::uint32_t> runs(*queue, joins + 1);
    TaskList<Set> rest = trees<Set>(runs.data(), joins);
    for (std::chrono::nanoseconds deadline = 20us; !rest.empty(); deadline *= 2) {
      const auto other = device->make_queue({.task_memory_bytes = 64 * 1024, .join_capacity = 64});
      try {
        run_tasks(*other, rest, {.policy = policy, .deadline = deadline, .keep_unfinished = true});
        rest.clear();
      } catch (const UnfinishedRun<Set>& stopped) {
        rest = stopped.remaining();
        rest.set_arguments({runs.data(), joins});
      }
    }
    EXPECT_EQ(runs.read(), once(joins));
  }
};

TEST_P(ValueJoinTest, SmallContinuationsHaveAllBytesOfTheirValues) {
  expect_values<SmallValueTasks>(static_cast<std::uint32_t>(scaled(20'000, 300)));
}

TEST_P(ValueJoinTest, LargeContinuationsHaveAllBytesOfTheirValues) {
  expect_values<LargeValueTasks>(static_cast<std::uint32_t>(scaled(20'000, 300)));
}

TEST_P(ValueJoinTest, LargeContinuationsMayBeMoreThanThereAreRecords) {
  for (const std::size_t capacity : {1, 2, 64}) {
    queue = device->make_queue({.join_capacity = capacity});
    expect_values<LargeValueTasks>(static_cast<std::uint32_t>(scaled(2'000, 100)));
  }
}

TEST_P(ValueJoinTest, AStoppedRunKeepsTheBytesThatHaveArrived) {
  expect_values_with_stops<SmallValueTasks>();
  expect_values_with_stops<LargeValueTasks>();
}

INSTANTIATE_TEST_SUITE_P(Conformance, ValueJoinTest, each_policy(),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
