// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/testing/run_ranks.h>
#include <millrace/tools/command/common/gather_texts.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// Rank 1 has none.
std::string text_of(int rank) {
  return std::string(static_cast<std::size_t>(100'000) * (rank == 1 ? 0 : 1),
                     static_cast<char>('a' + rank));
}

TEST(GatherTexts, GivesRank0TheTextOfEachRank) {
  constexpr int kRanks = 4;
  run_ranks(kRanks, [](Communicator& world) {
    const std::vector<std::string> texts = gather_texts(world, text_of(world.rank()));
    if (world.rank() > 0) {
      EXPECT_TRUE(texts.empty());
      return;
    }
    ASSERT_EQ(texts.size(), std::size_t{kRanks});
    for (int rank = 0; rank < kRanks; ++rank) {
      EXPECT_TRUE(texts[static_cast<std::size_t>(rank)] == text_of(rank)) << rank;
    }
  });
}

TEST(GatherTexts, GivesAProcessAloneItsOwn) {
  run_ranks(1, [](Communicator& world) {
    EXPECT_EQ(gather_texts(world, "own"), std::vector<std::string>{"own"});
  });
}

}  // namespace
}  // namespace millrace::tools
