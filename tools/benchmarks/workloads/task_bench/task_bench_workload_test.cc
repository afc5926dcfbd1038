// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/benchmarks/workloads/task_bench/device_graph.h>
#include <millrace/tools/benchmarks/workloads/task_bench/peers/task_graph_peers.h>
#include <millrace/tools/benchmarks/workloads/task_bench/point_tasks.h>
#include <millrace/tools/benchmarks/workloads/task_bench/sweep_granularity.h>
#include <millrace/tools/benchmarks/workloads/task_bench/task_bench_workload.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

class PointTasksTest : public conformance::PolicyTest {
 protected:
  std::uint64_t run(const DeviceGraph& graph) {
    const IndexedTasks<PointTasks> roots{.count = graph.tables().roots,
                                         .arguments = {graph.data()}};
    return run_tasks(*queue, roots, {.policy = policy}).tasks();
  }
};

TEST_P(PointTasksTest, RunEveryPatternInOrderAgainAndAgain) {
  for (const DependencePattern pattern : kAllPatterns) {
    const auto width = static_cast<std::uint32_t>(scaled(37, 6));
    const auto steps = static_cast<std::uint32_t>(scaled(100, 5));
    DeviceGraph graph(*queue, shape_of(pattern, width, steps));
    for (const std::uint32_t iterations : {0u, 3u}) {
      graph.reset(iterations);
      EXPECT_EQ(run(graph), graph.tables().tasks) << to_string(pattern);
      EXPECT_NO_THROW(graph.check()) << to_string(pattern);
    }
  }
}

TEST_P(PointTasksTest, AnInputThatHasNotArrivedIsSeen) {
  DeviceGraph graph(*queue, shape_of(DependencePattern::kStencil1d, 4, 3));
  graph.reset(0);
  const std::size_t in_last_step = 2 * 4 + 1;
  run_tasks(*queue, TaskList<PointTasks>{PointTask{{graph.data()}, in_last_step}},
            {.policy = policy});
  try {
    graph.check();
    ADD_FAILURE() << "a task ran unseen before its inputs";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("3 inputs or results of tasks were wrong"));
  }
}

TEST_P(PointTasksTest, ATaskThatHasNotRunIsSeen) {
  DeviceGraph graph(*queue, shape_of(DependencePattern::kNoComm, 4, 3));
  graph.reset(0);
  const IndexedTasks<PointTasks> roots{.count = 3, .arguments = {graph.data()}};
  run_tasks(*queue, roots, {.policy = policy});
  try {
    graph.check();
    ADD_FAILURE() << "a task did not run, unseen";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("step 0, point 3 has not run"));
  }
}

INSTANTIATE_TEST_SUITE_P(TaskBench, PointTasksTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

TEST(TaskGraphPeers, RunEveryPatternInOrderAgainAndAgain) {
  const auto queue = open_device("tbb")->make_queue();
  ASSERT_FALSE(task_graph_peers().empty());
  for (const TaskGraphPeer& peer : task_graph_peers()) {
    for (const DependencePattern pattern : kAllPatterns) {
      DeviceGraph graph(*queue, shape_of(pattern, 9, 30));
      const auto run = peer.prepare(graph.graph(), graph.tables());
      for (const std::uint32_t iterations : {0u, 3u}) {
        graph.reset(iterations);
        run();
        EXPECT_NO_THROW(graph.check()) << peer.name << ' ' << to_string(pattern);
      }
    }
  }
}

TEST(GranularitySweep, DoublesTasksUntilTheyAreLarge) {
  std::vector<std::uint32_t> requested;
  const auto graph = [&](std::uint32_t iterations) {
    requested.push_back(iterations);
    return 1e-3 * (1 + iterations);  // For 100 tasks on 2 cores: 20 us and as much an iteration.
  };
  const auto points =
      sweep_granularity(graph, 100, 2, {.largest_task_seconds = 150e-6, .repetitions = 2});
  EXPECT_THAT(requested, testing::ElementsAre(0, 0, 1, 1, 2, 2, 4, 4, 8, 8));
  ASSERT_EQ(points.size(), 5u);
  EXPECT_NEAR(points.front().task_seconds, 180e-6, 1e-12);
  EXPECT_NEAR(points.back().task_seconds, 20e-6, 1e-12);
  EXPECT_NEAR(points.back().rate, 64 * 100 / 1e-3, 1e-3);
  EXPECT_NEAR(points.front().rate, (8 * 128 + 64) * 100 / 9e-3, 1e-3);
}

TEST(GranularitySweep, IsPreparedForEachSizeUntilTasksAreLong) {
  std::vector<std::uint32_t> prepared;
  const auto graph = [](std::uint32_t iterations) { return 25e-6 * iterations; };
  sweep_granularity(graph, 1, 1, {.largest_task_seconds = 150e-6, .prepare = [&](auto iterations) {
                                    prepared.push_back(iterations);
                                  }});
  EXPECT_THAT(prepared, testing::ElementsAre(0, 1, 2));  // Tasks of 2 iterations take 50 us.
}

TEST(GranularitySweep, TheFastestRepetitionCounts) {
  int calls = 0;
  const auto graph = [&](std::uint32_t) { return calls++ % 3 == 1 ? 1e-3 : 2e-3; };
  for (const GranularityPoint& point :
       sweep_granularity(graph, 1, 1, {.largest_task_seconds = 0, .repetitions = 3})) {
    EXPECT_DOUBLE_EQ(point.task_seconds, 1e-3);
  }
}

TEST(TaskBenchWorkload, TakesPatternsAndTheirWidths) {
  const Workload metg = task_bench_workloads().front();
  for (const char* const input : {"trivial", "stencil_1d_periodic", "stencil_1d-2", "fft-65536"}) {
    EXPECT_TRUE(metg.has_input(input)) << input;
  }
  for (const char* const other :
       {"", "stencil", "fft-", "fft-1", "fft-65537", "fft-x", "fft-8 ", "fft--8", "stencil_1d_"}) {
    EXPECT_FALSE(metg.has_input(other)) << other;
  }
}

TEST(TaskBenchWorkload, HasAGraphOfKernelsOrTasksBesideEachDevice) {
  const Workload metg = task_bench_workloads().front();
  for (const std::string& name : conformance::device_names()) {
    const auto device = open_device(name);
    const PreparedWork work = metg.prepare(device, "fft", 3);
    const bool has_peers =
        std::ranges::any_of(work.runs, [](const WorkRun& run) { return !run.peer.empty(); });
    EXPECT_TRUE(has_peers) << name;
  }
}

}  // namespace
}  // namespace millrace::tools
