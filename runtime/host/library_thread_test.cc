// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/library_thread.h>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

namespace millrace {
namespace {

TEST(LibraryThread, CallsItsBodyOnAThreadOfItsOwn) {
  std::promise<std::thread::id> ran_on;
  start_library_thread([&ran_on] { ran_on.set_value(std::this_thread::get_id()); }, [] {});
  EXPECT_NE(ran_on.get_future().get(), std::this_thread::get_id());
}

TEST(LibraryThread, HoldsNothingOnceItHasEnded) {
  const auto held = std::make_shared<int>(0);
  for (int i = 0; i < 100; ++i) start_library_thread([held] {}, [held] {});
  while (held.use_count() > 1) std::this_thread::yield();
}

TEST(LibraryThread, MayStartOthers) {
  std::atomic<int> ended = 0;
  start_library_thread(
      [&ended] {
        for (int i = 0; i < 10; ++i) start_library_thread([&ended] { ++ended; }, [] {});
      },
      [] {});
  while (ended < 10) std::this_thread::yield();
}

}  // namespace
}  // namespace millrace
