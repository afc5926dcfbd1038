// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/manual_timers.h>
#include <millrace/backends/cpu/status/run_watch.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>

namespace millrace::cpu {
namespace {

using namespace std::chrono_literals;

// While it lives no thread can be created: each would need a stack larger than the address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_init(&before_);
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 60);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

TEST(RunWatch, CancelsAtTheDeadline) {
  ManualTimers timers;
  for (const bool keeps : {false, true}) {
    RunStatus status;
    const RunWatch watch({.deadline = 3h, .keep_unfinished = keeps}, kNever, status);
    EXPECT_EQ(timers.delay(), 3h);
    EXPECT_FALSE(status.stopped());
    timers.fire();
    EXPECT_TRUE(status.stopped());
    EXPECT_STREQ(status.cancelled(), kStoppedByDeadline);
    EXPECT_EQ(status.keeps_unfinished(), keeps);
  }
}

TEST(RunWatch, CancelsForASampleThatIsBeforeTheDeadline) {
  ManualTimers timers;
  RunStatus status;
  const RunWatch watch({.deadline = 3h}, 2h, status);
  EXPECT_EQ(timers.delay(), 2h);
  timers.fire();
  EXPECT_TRUE(is_stopped_to_sample(status));
  EXPECT_TRUE(status.keeps_unfinished());
}

TEST(RunWatch, CancelsNothingAfterItsLife) {
  ManualTimers timers;
  RunStatus status;
  { const RunWatch watch({.deadline = 3h}, kNever, status); }
  timers.fire();
  EXPECT_EQ(timers.fired(), 0);
  EXPECT_FALSE(status.stopped());
}

TEST(RunWatch, ARunThatNoThreadCanWatchGoesOn) {
  const NoMoreThreads no_more_threads;
  RunStatus status;
  const RunWatch watch({}, 1h, status);
  EXPECT_FALSE(status.stopped());
}

TEST(RunWatch, ADeadlineThatNoThreadCanWatchIsAnError) {
  const NoMoreThreads no_more_threads;
  RunStatus status;
  try {
    const RunWatch watch({.deadline = 1h}, kNever, status);
    FAIL() << "a thread was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  }
}

}  // namespace
}  // namespace millrace::cpu
