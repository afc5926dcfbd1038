// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_watch.h>

#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>

#include <millrace/runtime/core/error.h>

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

TEST(RunWatch, ARunThatNoThreadCanLookAtGoesOn) {
  const NoMoreThreads no_more_threads;
  RunStatus status;
  const RunWatch watch({}, 1ms, status);
  EXPECT_FALSE(status.stopped());
}

TEST(RunWatch, ADeadlineThatNoThreadCanWatchIsAnError) {
  const NoMoreThreads no_more_threads;
  RunStatus status;
  try {
    const RunWatch watch({.deadline = 1s}, kNever, status);
    FAIL() << "a thread was made";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
  }
}

}  // namespace
}  // namespace millrace::cpu
