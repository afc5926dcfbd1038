#include <millrace/runtime/result_stream.h>

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include <millrace/runtime/thread_communicator.h>

namespace millrace {
namespace {

// Rank `rank` has 3 * rank results; result i has i bytes.
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
      return;  // It drains the others.
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

INSTANTIATE_TEST_SUITE_P(Ranks, ResultStreamTest, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace millrace
