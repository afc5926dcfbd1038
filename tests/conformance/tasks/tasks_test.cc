// SPDX-License-Identifier: Apache-2.0

// Task sets under every policy.
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <algorithm>
#include <numeric>

namespace millrace::conformance {
namespace {

using TasksTest = PolicyTest;

struct TreeTotals {
  std::uint64_t hashes = 0;
  std::uint64_t inner = 0;
  std::uint64_t leaves = 0;
  int depth = 0;
};

// The tree below a node, walked by recursion.
void walk(std::uint64_t id, int depth, bool leaf, TreeTotals& totals) {
  totals.hashes += splitmix64(id);
  totals.depth = std::max(totals.depth, depth);
  ++(leaf ? totals.leaves : totals.inner);
  if (leaf) return;
  for (int i = 0; i < children_of(id, depth); ++i) {
    const std::uint64_t child = splitmix64(id ^ (0x517cc1b727220a95u * (i + 1)));
    walk(child, depth + 1, children_of(child, depth + 1) == 0, totals);
  }
}

TEST_P(TasksTest, AnEmptyQueueRunsNothing) {
  const RunReport report = run_tasks(*queue, TaskList<MarkTasks>(), {.policy = policy});
  EXPECT_EQ(report.policy, policy);
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{0, 0, 0}));
  EXPECT_EQ(report.waves, 0u);
}

TEST_P(TasksTest, EveryItemOfAMixedQueueRunsOnceAndArrivesWhole) {
  for (const std::size_t count : {1ul, 2ul, 31ul, scaled(1000, 300), scaled(50'000, 3'000)}) {
    DeviceArray<std::uint32_t> counts(*queue, count);
    DeviceArray<std::uint64_t> damaged(*queue, 1);
    TaskList<MarkTasks> roots;
    std::vector<std::uint64_t> expected(3);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t type = splitmix64(i) % 3;
      ++expected[type];
      if (type == 0) roots.push(SmallMark::make(counts.data(), damaged.data(), i));
      if (type == 1) roots.push(MiddleMark::make(counts.data(), damaged.data(), i));
      if (type == 2) roots.push(LargeMark::make(counts.data(), damaged.data(), i));
    }
    const RunReport report = run_tasks(*queue, roots, {.policy = policy});
    EXPECT_EQ(report.tasks_by_type, expected);
    EXPECT_EQ(counts.read(), std::vector<std::uint32_t>(count, 1));
    EXPECT_EQ(damaged.read()[0], 0u);
  }
}

TEST_P(TasksTest, TheOrderOfTheQueueDoesNotMatter) {
  const std::size_t count = scaled(3000, 600);
  DeviceArray<std::uint32_t> forward(*queue, count);
  DeviceArray<std::uint32_t> backward(*queue, count);
  DeviceArray<std::uint64_t> damaged(*queue, 1);
  TaskList<MarkTasks> first;
  TaskList<MarkTasks> second;
  for (std::size_t i = 0; i < count; ++i) {
    first.push(SmallMark::make(forward.data(), damaged.data(), i));
    second.push(SmallMark::make(backward.data(), damaged.data(), count - 1 - i));
    if (i % 7 == 0) first.push(LargeMark::make(forward.data(), damaged.data(), i));
  }
  for (std::size_t i = 0; i < count; i += 7) {
    second.push(LargeMark::make(backward.data(), damaged.data(), i));
  }
  run_tasks(*queue, first, {.policy = policy});
  run_tasks(*queue, second, {.policy = policy});
  EXPECT_EQ(forward.read(), backward.read());
}

TEST_P(TasksTest, ATreeOfSpawnsIsWalkedWhole) {
  TreeTotals expected;
  DeviceArray<TreeSums> sums(*queue, 1);
  TaskList<TreeTasks> roots;
  for (const std::uint64_t root : {1u, 2u, 3u}) {
    roots.push(TreeNode{sums.data(), root, 0});
    walk(root, 0, false, expected);
  }
  ASSERT_GT(expected.inner + expected.leaves, 1000u);

  const RunReport report = run_tasks(*queue, roots, {.policy = policy});

  const TreeSums result = sums.read()[0];
  EXPECT_EQ(result.hashes, expected.hashes);
  EXPECT_EQ(result.nodes, expected.inner + expected.leaves);
  EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{expected.inner, expected.leaves}));
  EXPECT_EQ(report.tasks(), result.nodes);
  const std::uint64_t levels = static_cast<std::uint64_t>(expected.depth) + 1;
  EXPECT_EQ(report.waves, policy == Policy::kPersistentThreads ? 0u : levels);
}

TEST_P(TasksTest, ChainsMayBeLong) {
  const std::uint64_t length = scaled(1'000'000, 400);
  DeviceArray<std::uint64_t> links(*queue, 1);
  const RunReport report = run_tasks(
      *queue, TaskList<ChainTasks>(SpawnLink{links.data(), length - 1}), {.policy = policy});
  EXPECT_EQ(links.read()[0], length);
  EXPECT_EQ(report.tasks(), length);
}

TEST_P(TasksTest, ManyChainsRunSideBySide) {
  DeviceArray<std::uint64_t> links(*queue, 1);
  TaskList<ChainTasks> roots;
  const std::uint64_t chains = scaled(500, 100);
  for (std::uint64_t i = 0; i < chains; ++i) roots.push(SpawnLink{links.data(), i});
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(links.read()[0], chains * (chains + 1) / 2);
}

TEST_P(TasksTest, FanOutsMayBeWide) {
  const std::uint64_t width = scaled(1'000'000, 20'000);
  for (const bool is_opened_at_once : {false, true}) {
    DeviceArray<std::uint64_t> sum(*queue, 1);
    const FanOut fan_out{sum.data(), width, is_opened_at_once};
    const RunReport report = run_tasks(*queue, TaskList<FanOutTasks>(fan_out), {.policy = policy});
    EXPECT_EQ(sum.read()[0], width * (width - 1) / 2);
    EXPECT_EQ(report.tasks_by_type, (std::vector<std::uint64_t>{1, width}));
  }
}

// Lanes of one warp that spawn other numbers of tasks, none among them.
TEST_P(TasksTest, FanOutsOfAnyWidthsOpenSideBySide) {
  const std::uint64_t fan_outs = scaled(20'000, 200);
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<FanOutTasks> roots;
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < fan_outs; ++i) {
    const std::uint64_t width = i % 31 * (i % 3);
    roots.push(FanOut{sum.data(), width, /*is_opened_at_once=*/i % 5 != 0});
    if (width > 0) expected += width * (width - 1) / 2;
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(sum.read()[0], expected);
}

TEST_P(TasksTest, AFailureCarriesItsCode) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  // Many for each worker of a wide device.
  const std::uint64_t count = device->info().is_simulated ? 20'000 : 8'000'000;
  TaskList<FailingTasks> roots;
  for (std::uint64_t i = 0; i < count; ++i) roots.push(MayFail{runs.data(), i % 600 == 0 ? 42 : 0});
  try {
    run_tasks(*queue, roots, {.policy = policy});
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTaskFailed);
    EXPECT_EQ(error.detail(), 42);
    EXPECT_NE(std::string(error.what()).find("42"), std::string::npos);
  }
  // Tasks that had not started were dropped: each worker has a failure within 600 items of its
  // portion, which is several times as many on the widest GPU.
  EXPECT_GE(runs.read()[0], 1u);
  EXPECT_LT(runs.read()[0], count / 2);
}

TEST_P(TasksTest, OfManyFailuresOneIsReported) {
  DeviceArray<std::uint64_t> runs(*queue, 1);
  TaskList<FailingTasks> roots;
  for (int i = 0; i < 1000; ++i) roots.push(MayFail{runs.data(), 2 * i + 1});
  try {
    run_tasks(*queue, roots, {.policy = policy});
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail() % 2, 1);  // A first failure, not a second.
    EXPECT_LT(error.detail(), 2000);
  }
}

TEST_P(TasksTest, AFailureDeepInATreeStopsTheRunAndTheNextRunWorks) {
  const int depth = static_cast<int>(scaled(14, 8));
  const std::uint64_t nodes = (std::uint64_t{2} << depth) - 1;
  for (const std::uint64_t bad : {std::uint64_t{1}, std::uint64_t{2}, nodes / 6, nodes}) {
    const TaskList<FailingTasks> roots(FailingNode{1, bad, depth});
    try {
      run_tasks(*queue, roots, {.policy = policy});
      FAIL() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.detail(), static_cast<int>(bad % 1000) + 1);
    }
    const TaskList<FailingTasks> good(FailingNode{1, 0, 8});
    EXPECT_EQ(run_tasks(*queue, good, {.policy = policy}).tasks(), 511u);
  }
}

TEST_P(TasksTest, ScratchIsSharedByTheLanesOfAnItem) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<ScratchTasks> roots;
  std::uint64_t expected = 0;
  for (int n = 0; n < 700; n += static_cast<int>(scaled(1, 25))) {
    roots.push(ScratchSum{sum.data(), n});
    for (int i = 0; i < n; ++i) expected += static_cast<std::uint64_t>(i) * i;
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(sum.read()[0], expected);
}

TEST_P(TasksTest, ScratchMayBeLargerThanWhatIsClose) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  TaskList<LargeScratchTasks> roots;
  std::uint64_t expected = 0;
  for (std::uint32_t value = 0; value < 300; ++value) {
    roots.push(LargeScratchSum{sum.data(), value});
    for (std::uint32_t i = 0; i < 8192; i += 100) expected += value + i;
  }
  run_tasks(*queue, roots, {.policy = policy});
  EXPECT_EQ(sum.read()[0], expected);
}

TEST_P(TasksTest, TooMuchScratchIsAnError) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  const TaskList<ScratchTasks> roots(ScratchSum{sum.data(), 2000});
  EXPECT_THROW(run_tasks(*queue, roots, {.policy = policy}), Error);
}

TEST_P(TasksTest, AddsToEveryType) {
  const int count = static_cast<int>(scaled(4000, 400));
  DeviceArray<Targets> targets(*queue, 3);
  TaskList<AddTasks> roots;
  for (int i = 0; i < count; ++i) roots.push(AddToAll{targets.data() + (i % 4 == 0 ? 0 : 2)});
  run_tasks(*queue, roots, {.policy = policy});
  const std::vector<Targets> result = targets.read();
  for (const auto& [index, added] : {std::pair(0, count / 4), std::pair(2, count / 4 * 3)}) {
    EXPECT_EQ(result[index].i32, -added);
    EXPECT_EQ(result[index].u32, 2u * added);
    EXPECT_EQ(result[index].i64, -3 * added);
    EXPECT_EQ(result[index].u64, 4u * added);
    EXPECT_EQ(result[index].signed_long_long, -5 * added);
    EXPECT_EQ(result[index].unsigned_long_long, 6u * added);
    EXPECT_EQ(result[index].f32, 0.5f * static_cast<float>(added));
    EXPECT_EQ(result[index].f64, -0.25 * added);
  }
  EXPECT_EQ(result[1].i64, 0);
}

// An indexed queue of `count` items, and what must come of it.
struct IndexedCase {
  explicit IndexedCase(std::size_t count) : tags(count), values(count), expected(count) {
    for (std::size_t i = 0; i < count; ++i) {
      tags[i] = splitmix64(i) % 2;
      values[i] = static_cast<std::int64_t>(i) - 100;
      expected[i] = tags[i] == 0 ? values[i] * values[i] : -values[i];
      spawned += tags[i] == 1 && i % 5 == 0 ? 1 : 0;
    }
  }

  std::vector<TaskTag> tags;
  std::vector<std::int64_t> values;
  std::vector<std::int64_t> expected;
  std::uint64_t spawned = 0;
};

TEST_P(TasksTest, AnIndexedQueueWorksInPlace) {
  for (const std::size_t count : {0ul, 1ul, scaled(10'001, 1'501)}) {
    IndexedCase example(count);
    Buffer<TaskTag> tags(device, MemorySpace::kDevice, count);
    Buffer<std::int64_t> values(device, MemorySpace::kDevice, count);
    DeviceArray<std::uint64_t> spawned(*queue, 1);
    copy(*queue, tags.span(), BufferSpan<const TaskTag>(std::span<const TaskTag>(example.tags)));
    copy(*queue, values.span(),
         BufferSpan<const std::int64_t>(std::span<const std::int64_t>(example.values)));

    const RunReport report = run_tasks(
        *queue,
        IndexedTasks<IndexedSet>{
            .tags = tags.data(), .count = count, .arguments = {values.data(), spawned.data()}},
        {.policy = policy});

    std::vector<std::int64_t> result(count);
    copy(*queue, BufferSpan<std::int64_t>(std::span<std::int64_t>(result)), values.span());
    queue->wait();
    EXPECT_EQ(result, example.expected);
    EXPECT_EQ(spawned.read()[0], example.spawned);
    EXPECT_EQ(report.tasks(), count + example.spawned);
  }
}

// The last type of IndexedSet can only be spawned.
TEST_P(TasksTest, ATagThatIsNoRootIsAnErrorBeforeAnythingRuns) {
  for (const TaskTag bad : {TaskTag{2}, TaskTag{3}, TaskTag{255}}) {
    std::vector<TaskTag> host_tags(100, 0);
    host_tags[50] = bad;
    Buffer<TaskTag> tags(device, MemorySpace::kDevice, host_tags.size());
    copy(*queue, tags.span(), BufferSpan<const TaskTag>(std::span<const TaskTag>(host_tags)));
    DeviceArray<std::int64_t> values(*queue, host_tags.size());
    fill_bytes(*queue, BufferSpan<std::int64_t>(values.data(), host_tags.size(), {}), std::byte{2});
    const std::vector<std::int64_t> before = values.read();
    try {
      run_tasks(*queue,
                IndexedTasks<IndexedSet>{.tags = tags.data(),
                                         .count = host_tags.size(),
                                         .arguments = {values.data(), nullptr}},
                {.policy = policy});
      FAIL() << "no error was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    }
    EXPECT_EQ(values.read(), before);
  }
}

TEST_P(TasksTest, SeveralTypesNeedTags) {
  const IndexedTasks<IndexedSet> roots{.tags = nullptr, .count = 1, .arguments = {}};
  EXPECT_THROW(run_tasks(*queue, roots, {.policy = policy}), Error);
}

TEST_P(TasksTest, SubmittedRunsKeepTheirOrderInTheQueue) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  std::vector<std::uint64_t> seen(1);
  const auto report =
      submit_tasks(*queue, TaskList<FanOutTasks>(FanOut{sum.data(), 1000}), {.policy = policy});
  queue->copy(seen.data(), sum.data(), sizeof(std::uint64_t));
  const auto second =
      submit_tasks(*queue, TaskList<FanOutTasks>(FanOut{sum.data(), 1000}), {.policy = policy});
  queue->wait();
  EXPECT_EQ(seen[0], 999u * 1000 / 2);
  EXPECT_EQ(sum.read()[0], 999u * 1000);
  EXPECT_EQ(report->tasks(), 1001u);
  EXPECT_EQ(second->tasks(), 1001u);
}

TEST_P(TasksTest, RunsOnSeveralQueuesAtOnce) {
  const auto other = device->make_queue();
  DeviceArray<std::uint64_t> first(*queue, 1);
  DeviceArray<std::uint64_t> second(*other, 1);
  const std::uint64_t runs = scaled(20, 3);
  for (std::uint64_t i = 0; i < runs; ++i) {
    submit_tasks(*queue, TaskList<FanOutTasks>(FanOut{first.data(), 2000}), {.policy = policy});
    submit_tasks(*other, TaskList<FanOutTasks>(FanOut{second.data(), 3000}), {.policy = policy});
  }
  other->wait();
  queue->wait();
  EXPECT_EQ(first.read()[0], runs * 2000 * 1999 / 2);
  EXPECT_EQ(second.read()[0], runs * 3000 * 2999 / 2);
}

INSTANTIATE_TEST_SUITE_P(Conformance, TasksTest,
                         testing::Combine(testing::ValuesIn(device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

using AnyPolicyTest = ConformanceTest;

TEST_P(AnyPolicyTest, AutoSaysWhatItChose) {
  DeviceArray<std::uint64_t> sum(*queue, 1);
  const RunReport report = run_tasks(*queue, TaskList<FanOutTasks>(FanOut{sum.data(), 100}));
  EXPECT_NE(report.policy, Policy::kAuto);
  EXPECT_EQ(report.tasks(), 101u);
}

TEST_P(AnyPolicyTest, ASetThatIsNotLinkedIsUnsupported) {
  try {
    run_tasks(*queue, TaskList<UnregisteredTasks>(Unregistered{}));
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

TEST_P(AnyPolicyTest, PoliciesAgree) {
  for (std::uint64_t seed = 0; seed < scaled(20, 5); ++seed) {
    std::vector<std::uint64_t> hashes;
    std::vector<std::vector<std::uint64_t>> tasks;
    for (const Policy policy : kConcretePolicies) {
      DeviceArray<TreeSums> sums(*queue, 1);
      const TaskList<TreeTasks> roots(TreeNode{sums.data(), splitmix64(seed), 2});
      tasks.push_back(run_tasks(*queue, roots, {.policy = policy}).tasks_by_type);
      hashes.push_back(sums.read()[0].hashes);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
    EXPECT_EQ(tasks[0], tasks[1]);
    EXPECT_EQ(tasks[0], tasks[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, AnyPolicyTest, testing::ValuesIn(device_names()),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
