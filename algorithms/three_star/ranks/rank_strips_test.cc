// SPDX-License-Identifier: Apache-2.0

// Tests strips if one rank has no memory left for its own strip.
#include <millrace/algorithms/three_star/ranks/rank_strips.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

namespace {

// Most bytes that this thread can allocate at once.
thread_local std::size_t most_allocated = std::numeric_limits<std::size_t>::max();

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = bytes > most_allocated ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace millrace::three_star {
namespace {

TEST(RankStrips, MemoryThatOneRankCannotHaveFailsOnAll) {
  const auto errors = catch_ranks(3, [](Communicator& communicator) {
    const std::vector<Point> points(10);
    if (communicator.rank() == 1) most_allocated = 4096;
    choose_rank_strips(communicator, points, 50);
  });
  for (const std::exception_ptr& error : errors) {
    try {
      ASSERT_TRUE(error);
      std::rethrow_exception(error);
    } catch (const Error& thrown) {
      EXPECT_EQ(thrown.code(), ErrorCode::kOutOfMemory);
      EXPECT_STREQ(thrown.what(), "rank 1: out of host memory");
    }
  }
}

}  // namespace
}  // namespace millrace::three_star
