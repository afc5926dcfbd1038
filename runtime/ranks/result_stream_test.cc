// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/result_stream.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max();

// Maximum bytes that this thread can allocate at once.
thread_local std::size_t most_allocated = kAnySize;

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = bytes > most_allocated ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace millrace {
namespace {

// Rank `rank` writes 3 * rank results; result i has i bytes.
constexpr std::size_t kResultsOfRank = 3;

std::vector<std::byte> result_of(int rank, std::size_t index) {
  return std::vector<std::byte>(index, static_cast<std::byte>(rank));
}

void write_all(Communicator& communicator) {
  ResultWriter results(communicator);
  for (std::size_t i = 0; i < kResultsOfRank * static_cast<std::size_t>(communicator.rank()); ++i) {
    EXPECT_TRUE(results.write(result_of(communicator.rank(), i)));
  }
  results.close();
}

class ResultStreamTest : public testing::TestWithParam<int> {};

TEST_P(ResultStreamTest, ResultsOfARankComeInItsOrder) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) return write_all(communicator);
    ResultReader results(communicator);
    for (int rank = GetParam() - 1; rank > 0; --rank) {
      for (std::size_t i = 0; i < kResultsOfRank * static_cast<std::size_t>(rank); ++i) {
        EXPECT_EQ(results.next(rank), result_of(rank, i));
      }
      EXPECT_FALSE(results.next(rank));
      EXPECT_FALSE(results.next(rank));
    }
  });
}

TEST_P(ResultStreamTest, ResultsOfAnyRankAllCome) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) return write_all(communicator);
    ResultReader results(communicator);
    std::size_t count = 0;
    while (results.next()) ++count;
    std::size_t expected = 0;
    for (int rank = 1; rank < GetParam(); ++rank) {
      expected += kResultsOfRank * static_cast<std::size_t>(rank);
    }
    EXPECT_EQ(count, expected);
  });
}

TEST_P(ResultStreamTest, WritersStopWhereTheReaderHasHadEnough) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() == 0) {
      ResultReader results(communicator);
      EXPECT_EQ(results.next().has_value(), GetParam() > 1);
      return;  // The destructor drains the other ranks.
    }
    ResultWriter results(communicator);
    while (results.write(result_of(communicator.rank(), 10))) {
    }
    EXPECT_FALSE(results.write(result_of(communicator.rank(), 10)));
  });
}

TEST_P(ResultStreamTest, AWriterThatGoesClosesItsStream) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() == 0) {
      ResultReader results(communicator);
      EXPECT_FALSE(results.next());
    } else {
      const ResultWriter results(communicator);
    }
  });
}

TEST_P(ResultStreamTest, AResultWithoutMemoryIsLostAlone) {
  constexpr std::size_t kLarge = (std::size_t{3} << 20) + 1;
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) {
      ResultWriter results(communicator);
      results.write(std::vector<std::byte>(kLarge));
      return results.close();
    }
    ResultReader results(communicator);
    for (int rank = 1; rank < GetParam(); ++rank) {
      most_allocated = kLarge - 1;
      EXPECT_THROW(results.next(rank), std::bad_alloc);
      most_allocated = kAnySize;
      EXPECT_FALSE(results.next(rank));
    }
  });
}

TEST_P(ResultStreamTest, ResultsAreTakenBesideAnotherThread) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) return write_all(communicator);
    std::size_t count = 0;
    bool has_run = false;
    receive_beside(
        communicator, [&](const std::stop_token&) { has_run = true; },
        [&](std::span<const std::byte>) { ++count; });
    EXPECT_TRUE(has_run);
    const auto size = static_cast<std::size_t>(GetParam());
    EXPECT_EQ(count, kResultsOfRank * size * (size - 1) / 2);
  });
}

// Writes until rank 0 wants no more results.
void write_until_stopped(Communicator& communicator) {
  ResultWriter results(communicator);
  while (results.write(result_of(communicator.rank(), 10))) {
  }
  results.close();
}

TEST_P(ResultStreamTest, WhatTakesResultsMayThrow) {
  if (GetParam() == 1) GTEST_SKIP() << "there are no results";
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) return write_until_stopped(communicator);
    const auto wait_for_stop = [](const std::stop_token& stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      throw std::runtime_error("stopped");
    };
    const auto receive = [&] {
      receive_beside(communicator, wait_for_stop,
                     [](std::span<const std::byte>) { throw std::logic_error("full"); });
    };
    EXPECT_THROW(receive(), std::logic_error);
  });
}

TEST_P(ResultStreamTest, WhatRunsBesideMayThrow) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    if (communicator.rank() > 0) return write_until_stopped(communicator);
    const auto receive = [&] {
      receive_beside(
          communicator, [](const std::stop_token&) { throw std::logic_error("torn"); },
          [](std::span<const std::byte>) {});
    };
    EXPECT_THROW(receive(), std::logic_error);
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, ResultStreamTest, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace millrace
