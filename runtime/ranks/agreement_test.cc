// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace millrace {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Returns the error of each rank as "Code: message".
std::vector<std::string> thrown_by(int size, const std::function<void(Communicator&)>& rank) {
  std::vector<std::string> texts;
  for (const std::exception_ptr& error : catch_ranks(size, rank)) {
    try {
      if (error) std::rethrow_exception(error);
      texts.emplace_back("nothing");
    } catch (const Error& thrown) {
      texts.push_back(std::string(to_string(thrown.code())) + ": " + thrown.what());
    } catch (const std::exception& thrown) {
      texts.push_back(std::string("no Error: ") + thrown.what());
    }
  }
  return texts;
}

class AgreementTest : public testing::TestWithParam<int> {};

TEST_P(AgreementTest, NothingIsThrownWhereNoRankFails) {
  for (const std::string& text :
       thrown_by(GetParam(), [](Communicator& communicator) { together(communicator, [] {}); })) {
    EXPECT_EQ(text, "nothing");
  }
}

TEST_P(AgreementTest, AnErrorOfTheLastRankIsThatOfAll) {
  const int last = GetParam() - 1;
  for (const std::string& text : thrown_by(GetParam(), [&](Communicator& communicator) {
         together(communicator, [&] {
           if (communicator.rank() == last) {
             throw Error(ErrorCode::kOutOfMemory, "no memory for 7 bytes");
           }
         });
       })) {
    const std::string who = last == 0 ? "" : "rank " + std::to_string(last) + ": ";
    EXPECT_EQ(text, "OutOfMemory: " + who + "no memory for 7 bytes");
  }
}

TEST_P(AgreementTest, WhatIsAgreedOnDiffersFromOtherErrorsAndKeepsItsWords) {
  if (GetParam() == 1) GTEST_SKIP() << "one rank throws what it throws";
  for (const std::string& text : thrown_by(GetParam(), [](Communicator& communicator) {
         together(communicator, [&] {
           if (communicator.rank() == 0) throw AgreedError(ErrorCode::kIo, "rank 1: no such file");
         });
       })) {
    EXPECT_EQ(text, "Io: rank 1: no such file");
  }
  for (const std::exception_ptr& error : catch_ranks(GetParam(), [](Communicator& communicator) {
         ArgumentCheck(communicator, "sort").add("order", communicator.rank()).compare();
       })) {
    EXPECT_THROW(std::rethrow_exception(error), AgreedError);
  }
}

TEST_P(AgreementTest, OfSeveralErrorsTheLowestRanksIsThrown) {
  if (GetParam() < 3) GTEST_SKIP() << "takes three ranks";
  for (const std::string& text : thrown_by(GetParam(), [](Communicator& communicator) {
         together(communicator, [&] {
           if (communicator.rank() > 0) {
             throw Error(ErrorCode::kTaskFailed, "of " + std::to_string(communicator.rank()), 5);
           }
         });
       })) {
    EXPECT_EQ(text, "TaskFailed: rank 1: of 1");
  }
}

TEST_P(AgreementTest, LongWordsAreCut) {
  if (GetParam() == 1) GTEST_SKIP() << "one rank throws what it has";
  for (const std::string& text : thrown_by(GetParam(), [](Communicator& communicator) {
         together(communicator, [] { throw std::runtime_error(std::string(5000, 'x')); });
       })) {
    EXPECT_EQ(text, "Internal: rank 0: " + std::string(2048, 'x'));
  }
}

TEST_P(AgreementTest, TheRanksGoOnAfterAnError) {
  run_ranks(GetParam(), [&](Communicator& communicator) {
    EXPECT_THROW(together(communicator, [] { throw Error(ErrorCode::kIo, "gone"); }), Error);
    EXPECT_EQ(all_sum(communicator, 2), 2U * static_cast<unsigned>(GetParam()));
  });
}

TEST_P(AgreementTest, ArgumentsThatAgreeAreTaken) {
  run_ranks(GetParam(), [](Communicator& communicator) {
    ArgumentCheck(communicator, "sort").add("order", 1).add("name", "abc").compare();
  });
}

TEST_P(AgreementTest, TheArgumentThatDiffersIsNamed) {
  if (GetParam() == 1) GTEST_SKIP() << "takes two ranks";
  for (const std::string& text : thrown_by(GetParam(), [](Communicator& communicator) {
         ArgumentCheck(communicator, "sort")
             .add("order", 1)
             .add("radius", communicator.rank() == 1 ? 50 : 51)
             .compare();
       })) {
    EXPECT_EQ(text,
              "InvalidArgument: rank 1 and rank 0 were given different values of radius (sort); "
              "give all ranks the same");
  }
}

TEST_P(AgreementTest, DifferentCallsAreNamed) {
  if (GetParam() == 1) GTEST_SKIP() << "takes two ranks";
  for (const std::string& text : thrown_by(GetParam(), [](Communicator& communicator) {
         ArgumentCheck(communicator, communicator.rank() == 0 ? "sort" : "search").compare();
       })) {
    EXPECT_THAT(text, HasSubstr("in different calls"));
  }
}

TEST_P(AgreementTest, ARankThatEndsIsAnErrorOfTheOthers) {
  if (GetParam() == 1) GTEST_SKIP() << "takes two ranks";
  const auto texts = thrown_by(GetParam(), [](Communicator& communicator) {
    if (communicator.rank() == 1) throw std::runtime_error("dies");
    together(communicator, [] {});
  });
  EXPECT_EQ(texts[1], "no Error: dies");
  EXPECT_THAT(texts[0], StartsWith("Io: rank "));
}

INSTANTIATE_TEST_SUITE_P(Ranks, AgreementTest, testing::Values(1, 2, 3, 4, 7));

}  // namespace
}  // namespace millrace
