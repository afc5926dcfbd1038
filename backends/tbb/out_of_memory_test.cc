// SPDX-License-Identifier: Apache-2.0

// Runs while the host's memory is short: operator new fails for blocks above a limit.
#include <millrace/backends/cpu/task_target.h>
#include <millrace/backends/tbb/host_tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
std::atomic<std::size_t> largest_block = kNoLimit;

}  // namespace

void* operator new(std::size_t bytes) {
  void* const block = bytes <= largest_block ? std::malloc(bytes) : nullptr;
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

// The sanitizers' operators for arrays do not call those for single objects.
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace millrace::tbb_backend {
namespace {

struct Leaf {
  std::atomic<int>* calls;
  char payload[200];

  template <class Context>
  void operator()(Context&) const {
    spin(100);
    ++*calls;
  }
};

struct CallingFanOut {
  std::atomic<int>* calls;
  int width;

  template <class Context>
  void operator()(Context& context) const {
    for (int i = 0; i < width; ++i) context.spawn(Leaf{calls, {}});
  }
};

using FanOutTasks = TaskSet<CallingFanOut, Leaf>;
const cpu::RegisterTasks<FanOutTasks> registered;

class OutOfMemoryTest : public testing::TestWithParam<Policy> {
 protected:
  // Runs on a new queue, which has kept no memory, with no block larger than `limit`. Returns true
  // if the run succeeded; if not, checks that it threw kOutOfMemory.
  bool run(const TaskList<FanOutTasks>& roots, std::size_t limit) {
    const auto queue = open_device("tbb")->make_queue({.concurrency = 4});
    largest_block = limit;
    try {
      run_tasks(*queue, roots, {.policy = GetParam()});
      largest_block = kNoLimit;
      return true;
    } catch (const Error& error) {
      largest_block = kNoLimit;
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory) << error.what();
      return false;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Tbb, OutOfMemoryTest, testing::ValuesIn(kConcretePolicies),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(OutOfMemoryTest, EndsTheRunAndNotTheProcess) {
  constexpr int kFanOuts = 20;
  constexpr int kWidth = 200;
  std::atomic<int> calls = 0;
  TaskList<FanOutTasks> roots;
  for (int i = 0; i < kFanOuts; ++i) roots.push(CallingFanOut{&calls, kWidth});
  int failures = 0;
  for (std::size_t limit = 512; limit <= (std::size_t{1} << 20); limit *= 2) {
    for (int round = 0; round < 5; ++round) {
      failures += run(roots, limit) ? 0 : 1;
      calls = 0;
      ASSERT_TRUE(run(roots, kNoLimit));
      ASSERT_EQ(calls, kFanOuts * kWidth);
    }
  }
  EXPECT_GT(failures, 10);
}

}  // namespace
}  // namespace millrace::tbb_backend
