// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/kokkos/worker_group.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace millrace::kokkos {
namespace {

// Runs workers as a parallel loop does: each in a thread, or all in the calling thread.
void start_threads(int workers, const WorkerGroup::Serve& serve) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < workers; ++i) threads.emplace_back([&serve, i] { serve(i); });
}
void start_serially(int workers, const WorkerGroup::Serve& serve) {
  for (int i = 0; i < workers; ++i) serve(i);
}

void run_tree(WorkerGroup& group, std::atomic<int>& nodes, int levels) {
  group.run([&group, &nodes, levels] {
    ++nodes;
    if (levels == 0) return;
    run_tree(group, nodes, levels - 1);
    run_tree(group, nodes, levels - 1);
  });
}

class WorkerGroupTest
    : public testing::TestWithParam<void (*)(int workers, const WorkerGroup::Serve&)> {};
INSTANTIATE_TEST_SUITE_P(Workers, WorkerGroupTest,
                         testing::Values(&start_threads, &start_serially));

TEST_P(WorkerGroupTest, RunsWorkThatAddsToItself) {
  WorkerGroup group([](const WorkerGroup::Serve& serve) { GetParam()(3, serve); });
  std::atomic<int> nodes = 0;
  run_tree(group, nodes, 11);
  group.wait();
  EXPECT_EQ(nodes, (1 << 12) - 1);
}

TEST_P(WorkerGroupTest, WithoutWorkWaitReturns) {
  WorkerGroup group([](const WorkerGroup::Serve& serve) { GetParam()(3, serve); });
  group.wait();
}

TEST_P(WorkerGroupTest, RangesCoverEveryItemOnce) {
  for (const std::size_t count : {1u, 2u, 3u, 17u, 1000u, 100003u}) {
    for (const std::size_t grain : {1u, 8u, 5000u}) {
      std::vector<int> times(count);
      const cpu::CpuThreads::RangeWork work = [&](std::size_t begin, std::size_t end, int thread) {
        EXPECT_LT(thread, 3);
        EXPECT_TRUE(end == count || end - begin >= grain);
        for (std::size_t i = begin; i < end; ++i) ++times[i];
      };
      SharedRanges ranges(count, grain, 3, work);
      EXPECT_LE(ranges.workers(), 3);
      GetParam()(ranges.workers(), [&](int worker) { ranges.serve(worker); });
      ranges.rethrow();
      EXPECT_EQ(times, std::vector<int>(count, 1)) << count << " by " << grain;
    }
  }
}

TEST_P(WorkerGroupTest, AnExceptionEndsTheRangesAndIsThrown) {
  std::atomic<std::size_t> items = 0;
  const cpu::CpuThreads::RangeWork work = [&](std::size_t begin, std::size_t end, int) {
    items += end - begin;
    throw std::runtime_error("enough");
  };
  SharedRanges ranges(1000000, 1, 3, work);
  GetParam()(ranges.workers(), [&](int worker) { ranges.serve(worker); });
  EXPECT_THROW(ranges.rethrow(), std::runtime_error);
  EXPECT_LT(items, 500000u);
}

}  // namespace
}  // namespace millrace::kokkos
