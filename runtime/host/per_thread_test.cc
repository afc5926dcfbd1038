// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/per_thread.h>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace millrace {
namespace {

// Counts the existing objects.
struct Counted {
  Counted() { ++here; }
  ~Counted() { --here; }
  int value = 0;
  inline static std::atomic<int> here = 0;
};

TEST(PerThread, GivesAThreadItsOwnObject) {
  static auto& objects = *new PerThread<int>;
  objects.get() = 7;
  std::thread([] {
    EXPECT_EQ(objects.get(), 0);
    objects.get() = 8;
    EXPECT_EQ(objects.get(), 8);
  }).join();
  EXPECT_EQ(objects.get(), 7);
}

TEST(PerThread, ObjectsGoWithTheirThreads) {
  static auto& objects = *new PerThread<Counted>;
  EXPECT_EQ(Counted::here, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([i] { objects.get().value = i; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Counted::here, 0);
  objects.get().value = 1;
  EXPECT_EQ(Counted::here, 1);
}

}  // namespace
}  // namespace millrace
