// SPDX-License-Identifier: Apache-2.0

// Tests the functions that must work if the system allows no more threads.
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/queue/serial_executor.h>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

// Number of threads that can still be started.
std::atomic<int> threads_left = 0;

}  // namespace

// Replaces the library's function.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  static auto* const create =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left.fetch_sub(1) <= 0) return EAGAIN;
  return create(thread, attributes, start, argument);
}

namespace millrace {
namespace {

class NoThreadsTest : public testing::Test {
 protected:
  ~NoThreadsTest() override { threads_left = 0; }
};

TEST_F(NoThreadsTest, AnExecutorsOperationsRunWhenSomebodyWaits) {
  const auto executor = std::make_shared<SerialExecutor>(
      [](const std::function<void()>& operations) { operations(); });
  int calls = 0;
  const auto push = [&] {
    executor->push({.work = [&calls] { ++calls; }, .after_failure = false, .gate = {}},
                   SerialExecutor::Start::kNow);
  };
  push();
  const Event event = executor->record();
  EXPECT_FALSE(event.ready());
  EXPECT_EQ(calls, 0);
  executor->finish();
  EXPECT_TRUE(event.ready());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(executor->take_error(), nullptr);

  // A thread can be started at the next call.
  push();
  threads_left = 1;
  const Event polled = executor->record();
  while (!polled.ready()) std::this_thread::yield();
  EXPECT_EQ(calls, 2);
  executor->close();
}

TEST_F(NoThreadsTest, ATeamHasThoseThatCouldBeMade) {
  threads_left = 2;
  HostThreads team(5);
  EXPECT_EQ(team.count(), 2);
  std::atomic<int> present = 0;
  team.for_each(3, [&](std::size_t) {
    ++present;
    while (present < 3) std::this_thread::yield();
  });
  EXPECT_EQ(present, 3);
}

TEST_F(NoThreadsTest, ATeamOfNoneHasItsCallersDoItsJobs) {
  HostThreads team(3);
  EXPECT_EQ(team.count(), 1);
  std::thread::id ran_on;
  team.start([&] { ran_on = std::this_thread::get_id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  int calls = 0;
  team.for_each(10, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
  HostJobs jobs(team);
  for (int i = 0; i < 10; ++i) jobs.start([&] { ++calls; });
  jobs.start([] { throw std::runtime_error("eleven"); });
  EXPECT_THROW(jobs.wait(), std::runtime_error);
  EXPECT_EQ(calls, 20);
}

}  // namespace
}  // namespace millrace
