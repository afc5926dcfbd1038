// SPDX-License-Identifier: Apache-2.0

// Tasks that wait for tasks, under every policy.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/fibonacci.h>
#include <millrace/tests/conformance/tasks/join_tasks.h>
#include <millrace/tests/conformance/tasks/layer_tasks.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>

namespace millrace::conformance {
namespace {

using namespace std::chrono_literals;

// The cells of a grid, computed row by row.
std::vector<std::uint64_t> grid_values(std::size_t side) {
  std::vector<std::uint64_t> values(side * side);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t above = i < side ? 0 : values[i - side];
    const std::uint64_t left = i % side == 0 ? 0 : values[i - 1];
    values[i] = Grid::value(above, left);
  }
  return values;
}

// The values of layers of nodes, computed one after another.
std::vector<std::uint64_t> layer_values(const Layers& layers) {
  std::vector<std::uint64_t> values(layers.index_of(layers.count, 0));
  std::uint64_t sum = 0;
  for (std::uint32_t layer = 0; layer < layers.count; ++layer) {
    const std::uint64_t before = std::exchange(sum, 0);
    for (std::uint32_t i = 0; i < layers.width_of(layer); ++i) {
      sum += values[layers.index_of(layer, i)] = Layers::value(before, i);
    }
  }
  return values;
}

// The predecessors of each node.
std::vector<std::uint32_t> layer_predecessors(const Layers& layers) {
  std::vector<std::uint32_t> missing(layers.index_of(layers.count, 0));
  for (std::uint32_t layer = 1; layer < layers.count; ++layer) {
    std::fill_n(missing.begin() + static_cast<std::ptrdiff_t>(layers.index_of(layer, 0)),
                layers.width_of(layer), layers.width_of(layer - 1));
  }
  return missing;
}

class ArrivalTest : public PolicyTest {
 protected:
  // Runs `count` layers, and compares all values.
  void expect_layers(std::size_t count, std::uint32_t width) {
    Layers layers{static_cast<std::uint32_t>(count), width, nullptr, nullptr};
    const std::vector<std::uint32_t> missing = layer_predecessors(layers);
    Buffer<std::uint32_t> counters(device, MemorySpace::kDevice, missing.size());
    copy(*queue, counters.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
    DeviceArray<std::uint64_t> values(*queue, missing.size());
    layers.missing = counters.data();
    layers.values = values.data();
    const RunReport report =
        run_tasks(*queue, TaskList<LayerTasks>(LayerNode{layers, 0, 0}), {.policy = policy});
    EXPECT_EQ(report.tasks(), (count + 1) / 2 + count / 2 * width);
    EXPECT_EQ(values.read(), layer_values(layers));
  }

  template <class Set>
  std::optional<Error> error_of(const TaskList<Set>& roots) {
    try {
      run_tasks(*queue, roots, {.policy = policy});
    } catch (const Error& error) {
      return error;
    }
    return {};
  }
};

TEST_P(ArrivalTest, AWavefrontWaitsForItsPredecessors) {
  for (const std::size_t side : {std::size_t{1}, std::size_t{2}, scaled(300, 20)}) {
    std::vector<std::uint32_t> missing(side * side);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      missing[i] = (i < side ? 0 : 1) + (i % side == 0 ? 0 : 1);
    }
    Buffer<std::uint32_t> counters(device, MemorySpace::kDevice, missing.size());
    copy(*queue, counters.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
    DeviceArray<std::uint64_t> values(*queue, side * side);
    const Grid grid{static_cast<std::uint32_t>(side), counters.data(), values.data()};
    const RunReport report =
        run_tasks(*queue, TaskList<GridTasks>(GridCell{grid, 0, 0}), {.policy = policy});
    EXPECT_EQ(report.tasks(), side * side);
    EXPECT_EQ(values.read(), grid_values(side));
  }
}

TEST_P(ArrivalTest, ASuccessorObservesAllOfItsPredecessors) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{33}, scaled(10'000, 400)}) {
    Buffer<std::uint32_t> counter(device, MemorySpace::kDevice, 1);
    std::vector<std::uint32_t> missing = {static_cast<std::uint32_t>(count)};
    copy(*queue, counter.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
    DeviceArray<std::uint64_t> values(*queue, count);
    DeviceArray<std::uint64_t> result(*queue, 1);
    TaskList<FanInTasks> roots;
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      roots.push(FanInPredecessor{values.data(), counter.data(), result.data(), i,
                                  static_cast<std::uint32_t>(count)});
      expected += splitmix64(i);
    }
    const RunReport report = run_tasks(*queue, roots, {.policy = policy});
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{count, 1}));
    EXPECT_EQ(result.read()[0], expected);
  }
}

TEST_P(ArrivalTest, AChainRunsInItsOrder) { expect_layers(scaled(1'000'000, 500), 1); }

TEST_P(ArrivalTest, DiamondsFollowEachOther) {
  expect_layers(scaled(20'001, 201), 2);
  expect_layers(scaled(2'001, 21), 50);
  expect_layers(5, static_cast<std::uint32_t>(scaled(10'000, 500)));
}

TEST_P(ArrivalTest, AnArrivalTooManyAtACounterFails) {
  DeviceArray<std::uint32_t> counter(*queue, 1);  // Its element is 0.
  DeviceArray<std::uint64_t> values(*queue, 1);
  const auto error = error_of(
      TaskList<FanInTasks>(FanInPredecessor{values.data(), counter.data(), values.data(), 0, 1}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error->what()).find("counter that is 0"), std::string::npos);
}

class JoinTest : public ArrivalTest {
 protected:
  static constexpr std::size_t kSmallCapacities[] = {1, 2, 64};

  std::optional<Error> bad_join_error(const BadJoin& root) {
    return error_of(TaskList<BadJoinTasks>(root));
  }

  // Fails unless a run of the tasks ends with that many open joins, of which one is as `waiting`
  // says.
  void expect_waiting(const TaskList<BadJoinTasks>& tasks, std::size_t open,
                      const std::string& waiting) {
    const auto error = error_of(tasks);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kTaskFailed);
    const std::string joins = std::to_string(open) + " open join" + (open == 1 ? ": " : "s: ");
    const std::string message = error->what();
    EXPECT_NE(message.find("the run has ended with " + joins), std::string::npos) << message;
    EXPECT_NE(message.find(waiting + ";"), std::string::npos) << message;
  }

  // Runs tasks that lend joins to their parents by values of this type.
  template <class Loan>
  void expect_lent_joins_to_end() {
    const std::uint32_t depth = scaled(16, 7);
    DeviceArray<std::uint64_t> sum(*queue, 1);
    TaskList<LendTasks<Loan>> roots;
    std::uint64_t expected = 0;
    for (std::uint32_t i = 0; i < 40; ++i) {
      roots.push(Borrow<Loan>{sum.data(), i % depth});
      for (std::uint32_t level = 0; level <= i % depth; ++level) {
        expected += (std::uint64_t{1} << level) * (i % depth - level + 1001);
      }
    }
    run_tasks(*queue, roots, {.policy = policy});
    EXPECT_EQ(sum.read()[0], expected);
  }

  // Runs chains of tasks that open so many joins each, and compares what has run.
  template <std::uint32_t joins>
  void expect_open_many(std::uint32_t chains, std::uint32_t links, bool is_nested) {
    DeviceArray<std::uint64_t> ends(*queue, 1);
    TaskList<OpenManyTasks<joins>> roots;
    for (std::uint32_t i = 0; i < chains; ++i) {
      roots.push(OpenMany<joins>{ends.data(), {}, links - 1, is_nested});
    }
    const RunReport report = run_tasks(*queue, roots, {.policy = policy});
    const std::uint64_t tasks = std::uint64_t{chains} * links;
    const std::uint64_t children = joins * tasks - (is_nested ? tasks - chains : 0);
    EXPECT_EQ(ends.read()[0], joins * tasks);
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{tasks, children, joins * tasks}));
  }
};

TEST_P(JoinTest, AContinuationHasTheValuesOfItsChildren) {
  const std::uint32_t n = scaled(24, 13);
  DeviceArray<std::uint64_t> result(*queue, 1);
  const RunReport report = run_tasks(
      *queue, TaskList<FibonacciTasks>(FibonacciRoot{result.data(), n}), {.policy = policy});
  EXPECT_EQ(result.read()[0], fibonacci(n));
  const std::uint64_t sums = fibonacci(n + 1) - 1;
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, 2 * sums + 1, sums, 1}));
}

TEST_P(JoinTest, ManyTreesOfJoinsRunSideBySide) {
  const std::uint32_t trees = scaled(2000, 40);
  DeviceArray<std::uint64_t> results(*queue, trees);
  TaskList<FibonacciTasks> roots;
  std::vector<std::uint64_t> expected;
  for (std::uint32_t i = 0; i < trees; ++i) {
    roots.push(FibonacciRoot{results.data() + i, i % 12});
    expected.push_back(fibonacci(i % 12));
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(results.read(), expected);
}

TEST_P(JoinTest, ARunMayHaveMoreOpenJoinsThanRecords) {
  for (const std::size_t capacity : kSmallCapacities) {
    queue = device->make_queue({.join_capacity = capacity});
    const std::uint32_t n = scaled(16, capacity < 64 ? 8 : 11);  // 33 joins, or 143.
    DeviceArray<std::uint64_t> result(*queue, 1);
    for (int run = 0; run < 2; ++run) {
      run_tasks(*queue, TaskList<FibonacciTasks>(FibonacciRoot{result.data(), n}),
                {.policy = policy});
    }
    EXPECT_EQ(result.read()[0], 2 * fibonacci(n));
    DeviceArray<std::uint64_t> nested(*queue, 1);
    run_tasks(*queue, TaskList<NestTasks>(Nest{{}, nested.data(), 100}), {.policy = policy});
    EXPECT_EQ(nested.read()[0], 100u);
  }
}

// CPUs begin with 32,768 records, whatever join_capacity is.
TEST_P(JoinTest, JoinsMayBeNestedDeeply) {
  const bool is_cpu = device->info().warp_width == 1;
  const auto depth = static_cast<std::uint32_t>(is_cpu ? 50'000 : scaled(10'000, 100));
  DeviceArray<std::uint64_t> result(*queue, 1);
  const RunReport report =
      run_tasks(*queue, TaskList<NestTasks>(Nest{{}, result.data(), depth}), {.policy = policy});
  EXPECT_EQ(result.read()[0], depth);
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{depth + 1, depth}));
}

TEST_P(JoinTest, JoinsMayFollowEachOther) {
  queue = device->make_queue({.join_capacity = 1});
  const auto links = static_cast<std::uint32_t>(scaled(1'000'000, 100));
  DeviceArray<std::uint64_t> ends(*queue, 1);
  const RunReport report =
      run_tasks(*queue, TaskList<JoinLinkTasks>(JoinLink{ends.data(), links}), {.policy = policy});
  EXPECT_EQ(ends.read()[0], 1u);
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{links + 1, links}));
}

TEST_P(JoinTest, JoinsEndElsewhereThanTheyBegin) {
  const auto chains = static_cast<std::uint32_t>(scaled(100, 5));
  const auto links = static_cast<std::uint32_t>(scaled(1'000, 20));
  expect_open_many<4>(chains, links, false);
  expect_open_many<16>(chains, links, false);
}

// The last joins of the tasks so far are open when the memory grows.
TEST_P(JoinTest, TasksMayOpenMoreJoinsEachThanThereAreRecords) {
  const auto chains = static_cast<std::uint32_t>(scaled(100, 3));
  const auto links = static_cast<std::uint32_t>(scaled(100, 30));
  for (const std::size_t capacity : kSmallCapacities) {
    queue = device->make_queue({.join_capacity = capacity});
    expect_open_many<4>(chains, links, true);
    expect_open_many<16>(chains, links, true);
  }
}

TEST_P(JoinTest, AValueMayBeAHandleOfAJoin) { expect_lent_joins_to_end<SmallLoan>(); }

TEST_P(JoinTest, ALargeValueMayHoldAHandleOfAJoin) { expect_lent_joins_to_end<LargeLoan>(); }

// The second set's joins have the memory of the first one's, whose records are larger.
TEST_P(JoinTest, SetsTakeTurnsOnAQueue) {
  queue = device->make_queue({.join_capacity = 8192});
  DeviceArray<std::uint64_t> ends(*queue, 1);
  for (int turn = 0; turn < 3; ++turn) {
    expect_lent_joins_to_end<LargeLoan>();
    expect_waiting(TaskList<BadJoinTasks>(BadJoin{ends.data(), 5, 2, 1}), 1,
                   "BadJoinEnd misses 3 arrivals");
    expect_open_many<4>(/*chains=*/10, /*links=*/10, /*is_nested=*/true);
  }
}

TEST_P(JoinTest, ContinuationsArriveAtACounter) {
  const auto count = static_cast<std::uint32_t>(scaled(10'000, 400));
  Buffer<std::uint32_t> counter(device, MemorySpace::kDevice, 1);
  const std::vector<std::uint32_t> missing = {count};
  copy(*queue, counter.span(), BufferSpan<const std::uint32_t>(std::span(missing)));
  DeviceArray<std::uint64_t> values(*queue, count);
  DeviceArray<std::uint64_t> result(*queue, 1);
  const std::vector<JoinedFanIn> all = {{values.data(), counter.data(), result.data(), count}};
  Buffer<JoinedFanIn> joined_fan_in(device, MemorySpace::kDevice, 1);
  copy(*queue, joined_fan_in.span(), BufferSpan<const JoinedFanIn>(std::span(all)));
  TaskList<JoinedFanInTasks> roots;
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    roots.push(OpenPredecessor{joined_fan_in.data(), i});
    expected += i + 1;
  }
  const RunReport report = run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{count, 2 * count, count, 1}));
  EXPECT_EQ(result.read()[0], expected);
}

TEST_P(JoinTest, AJoinMayBeWideAndGrow) {
  for (const std::uint32_t depth : {0u, 3u}) {
    const auto width = static_cast<std::uint32_t>(scaled(1'000'000, 2'000) >> depth);
    DeviceArray<std::uint64_t> counts(*queue, 2);
    run_tasks(*queue,
              TaskList<GrowingTasks>(GrowingRoot{counts.data(), counts.data() + 1, width, depth}),
              {.policy = policy});
    EXPECT_EQ(counts.read(),
              (std::vector<std::uint64_t>{std::uint64_t{width} * ((2u << depth) - 1), 1}));
  }
}

TEST_P(JoinTest, ItemsOfAnyWidthOpenJoins) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<WideForkTasks> roots;
  std::uint64_t expected = 0;
  for (std::uint32_t i = 0; i < scaled(300, 30); ++i) {
    if (i % 3 == 0) roots.push(WideFork<TaskWidth::kLane>{sum.data(), i});
    if (i % 3 == 1) roots.push(WideFork<TaskWidth::kWarp>{sum.data(), i});
    if (i % 3 == 2) roots.push(WideFork<TaskWidth::kBlock>{sum.data(), i});
    expected += i * 1000 + i + 1 + (std::uint64_t{1} << 40);
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(sum.read()[0], expected);
}

TEST_P(JoinTest, AJoinThatIsNeverCompletedIsAnError) {
  DeviceArray<std::uint64_t> ends(*queue, 1);
  expect_waiting(TaskList<BadJoinTasks>(BadJoin{ends.data(), 5, 2, 1}), 1,
                 "BadJoinEnd misses 3 arrivals");
  // The queue is as good as new.
  run_tasks(*queue, TaskList<BadJoinTasks>(BadJoin{ends.data(), 2, 2, 1}), {.policy = policy});
  EXPECT_EQ(ends.read()[0], 1u);
}

TEST_P(JoinTest, JoinsThatAreNeverCompletedAreCountedUnderSmallCapacities) {
  for (const std::size_t capacity : kSmallCapacities) {
    queue = device->make_queue({.join_capacity = capacity});
    DeviceArray<std::uint64_t> ends(*queue, 1);
    TaskList<BadJoinTasks> several;
    for (std::uint32_t i = 0; i < 30; ++i) {
      several.push(BadJoin{ends.data(), 5, i % 3 == 0 ? 1u : 5u, 1});
    }
    expect_waiting(several, 10, "BadJoinEnd misses 4 arrivals");
    expect_waiting(TaskList<BadJoinTasks>(UnfinishedNest{{}, 50}), 50,
                   "UnfinishedNestEnd misses 1 arrival");
    EXPECT_EQ(ends.read()[0], 20u);
  }
}

// A list as a stopped run hands it back. One of its joins has two tasks for five arrivals.
TEST_P(JoinTest, AContinuedJoinThatIsNeverCompletedIsAnError) {
  constexpr std::uint32_t kInner = 7;
  constexpr std::uint32_t kOuter = 90;
  const OpenedJoin<UnfinishedNestEnd> outer(kOuter);
  TaskSlot<BadJoinTasks> slot;
  TaskList<BadJoinTasks> rest;
  slot.store(UnfinishedNestEnd{{}});
  rest.push(WaitingJoin<BadJoinTasks>{kOuter, 1, BadJoinTasks::tag_of<UnfinishedNestEnd>(), slot});
  slot.store(UnfinishedNestEnd{outer});
  rest.push(WaitingJoin<BadJoinTasks>{kInner, 5, BadJoinTasks::tag_of<UnfinishedNestEnd>(), slot});
  for (const std::size_t capacity : kSmallCapacities) {
    queue = device->make_queue({.join_capacity = capacity});
    TaskList<BadJoinTasks> tasks = rest;
    const OpenedJoin<UnfinishedNestEnd> inner(kInner);
    for (int i = 0; i < 2; ++i) tasks.push(BadJoinChild{inner, 0});
    expect_waiting(tasks, 2, "UnfinishedNestEnd misses 3 arrivals");
  }
}

TEST_P(JoinTest, AnArrivalTooManyAtAJoinFails) {
  DeviceArray<std::uint64_t> ends(*queue, 1);
  const auto error = bad_join_error({ends.data(), 2, 3, 1});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error->what()).find("join that has ended"), std::string::npos);
}

TEST_P(JoinTest, AnArrivalTooManyWithAValueFails) {
  DeviceArray<std::uint64_t> ends(*queue, 1);
  const auto error = error_of(TaskList<BadValueTasks>(BadValue{ends.data(), 2}));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error->what()).find("join that has ended"), std::string::npos);
}

TEST_P(JoinTest, AJoinNeedsArrivalsAndATypeThatStatesIt) {
  DeviceArray<std::uint64_t> ends(*queue, 1);
  const auto empty = bad_join_error({ends.data(), 0, 0, 1});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->code(), ErrorCode::kInvalidArgument);
  const auto second = bad_join_error({ends.data(), 1, 1, 2});
  ASSERT_TRUE(second);
  EXPECT_EQ(second->code(), ErrorCode::kInvalidArgument);
}

// A list as a stopped run hands it back: a sum waits for one more of its values, and has the other.
TEST_P(JoinTest, WaitingJoinsContinueUnderTheirIndices) {
  DeviceArray<std::uint64_t> result(*queue, 1);
  TaskList<FibonacciTasks> rest;
  constexpr std::uint32_t kAnswer = 3;
  constexpr std::uint32_t kSum = 1000;
  const OpenedJoin<FibonacciAnswer> answer(kAnswer);
  const OpenedJoin<FibonacciAddition> sum(kSum);
  TaskSlot<FibonacciTasks> slot;
  slot.store(FibonacciAnswer{result.data(), 0});
  rest.push(
      WaitingJoin<FibonacciTasks>{kAnswer, 1, FibonacciTasks::tag_of<FibonacciAnswer>(), slot});
  slot.store(FibonacciAddition{answer.to(&FibonacciAnswer::value), {0, 100}});
  rest.push(
      WaitingJoin<FibonacciTasks>{kSum, 1, FibonacciTasks::tag_of<FibonacciAddition>(), slot});
  rest.push(Fibonacci{sum.to(&FibonacciAddition::values, 0), 10});
  const auto other = device->make_queue({.join_capacity = 2});
  run_tasks(*other, rest, {.policy = policy});
  EXPECT_EQ(result.read()[0], 100 + fibonacci(10));
}

TEST_P(JoinTest, ListsWithWaitingJoinsAreNotAppended) {
  TaskList<FibonacciTasks> list;
  list.push(WaitingJoin<FibonacciTasks>{0, 1, 0, {}});
  TaskList<FibonacciTasks> other = list;
  EXPECT_THROW(list.append(other), Error);
  other.clear();
  list.append(other);
  EXPECT_EQ(list.joins().size(), 1u);
}

// A run that is stopped again and again, each time a little later, ends with the same result.
TEST_P(JoinTest, AStoppedRunContinuesWithItsOpenJoins) {
  const std::uint32_t n = scaled(27, 13);
  DeviceArray<std::uint64_t> result(*queue, 1);
  TaskList<FibonacciTasks> rest(FibonacciRoot{result.data(), n});
  for (std::chrono::nanoseconds deadline = 20us; !rest.empty(); deadline += deadline / 4) {
    const auto other = device->make_queue();  // It knows nothing of the joins.
    try {
      run_tasks(*other, rest, {.policy = policy, .deadline = deadline, .keep_unfinished = true});
      rest.clear();
    } catch (const UnfinishedRun<FibonacciTasks>& stopped) {
      rest = stopped.remaining();
    }
  }
  EXPECT_EQ(result.read()[0], fibonacci(n));
}

TEST_P(JoinTest, NothingIsLostWithNextToNoTaskMemory) {
  const std::uint32_t n = scaled(18, 10);
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}}) {
    for (const std::size_t capacity : {0, 2}) {
      const auto small =
          device->make_queue({.task_memory_bytes = bytes, .join_capacity = capacity});
      DeviceArray<std::uint64_t> result(*queue, 1);
      const RunReport report = run_tasks(
          *small, TaskList<FibonacciTasks>(FibonacciRoot{result.data(), n}), {.policy = policy});
      EXPECT_EQ(result.read()[0], fibonacci(n));
      const std::uint64_t sums = fibonacci(n + 1) - 1;
      EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, 2 * sums + 1, sums, 1}));
    }
  }
}

// Each end for lack of memory hands the tasks and the open joins to a queue with twice as much.
// Many calls begin at once, for which there are next to no records, so most have to spill.
TEST_P(JoinTest, WithNowhereToSpillToNothingIsLost) {
  const std::uint32_t n = scaled(14, 4);
  constexpr std::size_t kCalls = 500;
  DeviceArray<std::uint64_t> result(*queue, 1);
  TaskList<FibonacciTasks> rest;
  for (std::size_t i = 0; i < kCalls; ++i) rest.push(FibonacciRoot{result.data(), n});
  bool had_open_joins = false;
  std::uint64_t tasks = 0;
  for (std::size_t bytes = 4096; !rest.empty(); bytes *= 2) {
    const auto small = device->make_queue({.task_memory_bytes = bytes, .join_capacity = 16});
    try {
      tasks += run_tasks(*small, rest, {.policy = policy, .spill_bytes = bytes}).tasks();
      rest.clear();
    } catch (const UnfinishedRun<FibonacciTasks>& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_EQ(error.tasks_left(), error.remaining().size());
      tasks += error.tasks_run();
      rest = error.remaining();
      had_open_joins |= !rest.joins().empty();
    }
  }
  EXPECT_EQ(result.read()[0], kCalls * fibonacci(n));
  EXPECT_EQ(tasks, kCalls * (3 * fibonacci(n + 1)));
  // CPUs ignore the bounds.
  EXPECT_EQ(had_open_joins, device->info().warp_width > 1);
}

INSTANTIATE_TEST_SUITE_P(Conformance, ArrivalTest, each_policy(),
                         [](const auto& info) { return name_of(info); });
INSTANTIATE_TEST_SUITE_P(Conformance, JoinTest, each_policy(),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
