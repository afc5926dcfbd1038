// SPDX-License-Identifier: Apache-2.0

// A child of fork() has none of oneTBB's workers.
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <memory>
#include <thread>

namespace millrace::tbb_backend {
namespace {

bool runs_all_tasks(Queue& queue) {
  for (const Policy policy : kConcretePolicies) {
    int calls = 0;  // One thread makes all of them.
    const HostFunction count = [&calls](int) { ++calls; };
    run_tasks(queue, host_tree(count, 5), {.policy = policy});
    if (calls != 63) return false;
    run_tasks(queue, host_list(count, 100), {.policy = policy});
    if (calls != 163) return false;
  }
  return true;
}

// A worker that its parent had may have left something locked.
TEST(Fork, AChildDoesNotCallOneTbbWhichItsParentUsed) {
  const auto device = open_device("tbb");
  const auto queue = device->make_queue();
  const HostFunction nothing = [](int) {};
  run_tasks(*queue, host_list(nothing, 1000));
  const pid_t child = fork();
  if (child == 0) {
    bool is_good = false;
    std::thread([&] {
      is_good = runs_all_tasks(*queue) && runs_all_tasks(*device->make_queue()) &&
                runs_all_tasks(*device->make_queue({.concurrency = 2})) &&
                tbb::this_task_arena::current_thread_index() == tbb::task_arena::not_initialized;
    }).join();
    _exit(is_good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace millrace::tbb_backend
