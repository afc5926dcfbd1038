// SPDX-License-Identifier: Apache-2.0

// Tests of the threads that a queue uses, and of runs inside other TBB work.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace millrace::tbb_backend {
namespace {

// The set of threads that have called note().
class ThreadsSeen {
 public:
  void note() {
    const std::lock_guard lock(mutex_);
    ids_.insert(std::this_thread::get_id());
  }

  std::set<std::thread::id> ids() const { return ids_; }

 private:
  std::mutex mutex_;
  std::set<std::thread::id> ids_;
};

// Long enough for another thread to join in.
void work_a_little() { spin(500); }

constexpr int kLevels = 7;
constexpr int kTreeTasks = (1 << (kLevels + 1)) - 1;

class TbbQueueTest : public testing::TestWithParam<Policy> {
 protected:
  std::shared_ptr<Device> device = open_device("tbb");
  RunOptions options = {.policy = GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Tbb, TbbQueueTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(TbbQueueTest, ARunUsesAtMostTheQueuesThreads) {
  for (const int concurrency : {1, 2}) {
    const auto queue = device->make_queue({.concurrency = concurrency});
    for (int round = 0; round < 100; ++round) {
      ThreadsSeen threads;
      const HostFunction visit = [&](int) {
        threads.note();
        work_a_little();
      };
      // Calls a thread of the arena, which may still be present during the run.
      queue->call([] {});
      const TaskList<HostTasks> roots =
          round % 2 == 0 ? host_tree(visit, kLevels) : host_list(visit, kTreeTasks);
      run_tasks(*queue, roots, options);
      ASSERT_LE(threads.ids().size(), static_cast<std::size_t>(concurrency)) << "round " << round;
    }
  }
}

TEST_P(TbbQueueTest, ByDefaultTheArenaOfTheMakerIsUsed) {
  tbb::task_arena arena(1);
  std::unique_ptr<Queue> queue;
  arena.execute([&] { queue = device->make_queue(); });
  for (int round = 0; round < 100; ++round) {
    ThreadsSeen threads;
    std::atomic<bool> elsewhere = false;
    const HostFunction visit = [&](int) {
      threads.note();
      if (tbb::this_task_arena::max_concurrency() != 1) elsewhere = true;
      work_a_little();
    };
    queue->call([] {});
    run_tasks(*queue, host_tree(visit, kLevels), options);
    ASSERT_EQ(threads.ids().size(), 1u) << "round " << round;
    ASSERT_FALSE(elsewhere);
  }
}

TEST_P(TbbQueueTest, OutlivesTheArenaOfItsMaker) {
  std::unique_ptr<Queue> queue;
  {
    tbb::task_arena arena(2);
    arena.execute([&] { queue = device->make_queue(); });
  }
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  run_tasks(*queue, host_tree(count, kLevels), options);
  EXPECT_EQ(calls, kTreeTasks);
}

TEST_P(TbbQueueTest, ALimitOnAllOfTbbHoldsForRuns) {
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  for (const int concurrency : {0, 4}) {
    const auto queue = device->make_queue({.concurrency = concurrency});
    ThreadsSeen threads;
    const HostFunction visit = [&](int) {
      threads.note();
      work_a_little();
    };
    EXPECT_EQ(run_tasks(*queue, host_tree(visit, kLevels), options).tasks(), kTreeTasks);
    EXPECT_EQ(threads.ids(), std::set{std::this_thread::get_id()});
  }
}

TEST_P(TbbQueueTest, MoreThreadsThanCoresAreAllowed) {
  const auto queue = device->make_queue({.concurrency = 64});
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  for (int round = 0; round < 20; ++round) {
    run_tasks(*queue, host_tree(count, kLevels), options);
    run_tasks(*queue, host_list(count, 3), options);
  }
  EXPECT_EQ(calls, 20 * (kTreeTasks + 3));
}

TEST_P(TbbQueueTest, RunsInsideAParallelFor) {
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  tbb::parallel_for(0, 40, [&](int) {
    const auto queue = device->make_queue();
    EXPECT_EQ(run_tasks(*queue, host_tree(count, kLevels), options).tasks(), kTreeTasks);
  });
  EXPECT_EQ(calls, 40 * kTreeTasks);
}

TEST_P(TbbQueueTest, RunsOfOneQueueInsideAParallelFor) {
  const auto queue = device->make_queue();
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  tbb::parallel_for(0, 200, [&](int) { run_tasks(*queue, host_tree(count, 4), options); });
  EXPECT_EQ(calls, 200 * 31);
}

TEST_P(TbbQueueTest, RunsInsideATaskGroupInATask) {
  const auto queue = device->make_queue();
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  const HostFunction nest = [&](int) {
    tbb::task_group group;
    for (int i = 0; i < 4; ++i) {
      group.run([&] {
        const auto inner = device->make_queue();
        run_tasks(*inner, host_tree(count, 3), options);
      });
    }
    group.wait();
  };
  run_tasks(*queue, host_list(nest, 20), options);
  EXPECT_EQ(calls, 20 * 4 * 15);
}

TEST_P(TbbQueueTest, RunsWhereTheCallersGroupIsCancelled) {
  // The caller's group is cancelled, but the run it requested completes or fails.
  const auto queue = device->make_queue();
  std::atomic<int> calls = 0;
  const HostFunction count = [&](int) { ++calls; };
  const HostFunction nest = [&](int) { tbb::parallel_for(0, 10, [&](int) { ++calls; }); };
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        context.cancel_group_execution();
        run_tasks(*queue, host_list(count, 5000), options);
        run_tasks(*queue, host_tree(count, kLevels), options);
        run_tasks(*queue, host_list(nest, 50), options);
      },
      context);
  EXPECT_EQ(calls, 5000 + kTreeTasks + 50 * 10);
}

TEST_P(TbbQueueTest, ThreadsShareAQueue) {
  const auto queue = device->make_queue();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        std::atomic<int> calls = 0;
        const HostFunction count = [&](int) { ++calls; };
        EXPECT_EQ(run_tasks(*queue, host_tree(count, 5), options).tasks(), 63u);
        EXPECT_EQ(calls, 63);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

constexpr std::size_t kLargeCopy = 1 << 20;  // Done by several threads.

TEST(TbbQueue, CopiesAndCallsOfOneQueueInsideAParallelFor) {
  // While the thread that serves the queue waits for its helpers, it must not take another
  // iteration, which would wait for the queue. Many threads make that likely.
  const tbb::global_control many_threads(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena(8).execute([] {
    const auto queue = open_device("tbb")->make_queue();
    const std::vector<int> source(kLargeCopy, 7);
    std::atomic<int> calls = 0;
    tbb::parallel_for(tbb::blocked_range<int>(0, 200, 1), [&](const auto&) {
      std::vector<int> target(kLargeCopy);
      copy(*queue, BufferSpan<int>(std::span(target)),
           BufferSpan<const int>(std::span<const int>(source)));
      queue->call([&] {
        tbb::parallel_for(0, 100, [&](int) {
          work_a_little();
          ++calls;
        });
      });
      queue->wait();
      EXPECT_TRUE(target == source);
    });
    EXPECT_EQ(calls, 200 * 100);
  });
}

TEST(TbbQueue, CopiesWhereTheCallersGroupIsCancelled) {
  const auto queue = open_device("tbb")->make_queue();
  const std::vector<int> source(kLargeCopy, 7);
  std::vector<int> target(kLargeCopy);
  tbb::task_group_context context;
  tbb::parallel_for(
      0, 1,
      [&](int) {
        context.cancel_group_execution();
        copy(*queue, BufferSpan<int>(std::span(target)),
             BufferSpan<const int>(std::span<const int>(source)));
        queue->wait();
      },
      context);
  EXPECT_TRUE(target == source);
}

TEST(AutomaticPolicyTest, AListThatMayGrowBeginsWithPersistentThreads) {
  const auto device = open_device("tbb");
  use_costs(device->info(), std::make_shared<const DeviceCosts>(default_costs(device->info())));
  RunHistory::instance().forget();
  const HostFunction nothing = [](int) {};
  EXPECT_EQ(run_tasks(*device->make_queue(), host_list(nothing, 3)).policy,
            Policy::kPersistentThreads);
  use_costs(device->info(), nullptr);
}

TEST(TbbStreams, AreNotTaken) {
  try {
    open_device("tbb")->make_queue({.stream = nullptr});
    FAIL() << "a stream was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

}  // namespace
}  // namespace millrace::tbb_backend
