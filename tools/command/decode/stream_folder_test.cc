// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/decode/stream_folder.h>
#include <millrace/tools/command/features/stream_name.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;

std::vector<std::string> paths_of(const std::vector<StreamName>& names, std::size_t rank,
                                  std::size_t ranks) {
  std::vector<std::string> paths;
  for (const StreamName& name : decoded_by_rank(names, rank, ranks)) paths.push_back(name.path);
  return paths;
}

TEST(DecodedByRank, GivesStreamsOutInTurn) {
  const std::vector<StreamName> names = {{"a.264"}, {"b.264"}, {"c.264"}, {"d.264"}, {"e.264"}};
  EXPECT_THAT(paths_of(names, 0, 2), ElementsAre("a.264", "c.264", "e.264"));
  EXPECT_THAT(paths_of(names, 1, 2), ElementsAre("b.264", "d.264"));
  EXPECT_THAT(paths_of(names, 0, 1).size(), 5U);
}

// Both would write a.y4m.
TEST(DecodedByRank, GivesStreamsOfOneNameToOneRank) {
  const std::vector<StreamName> names = {{"x/a.264"}, {"y/a.mp4"}, {"b.264"}, {"z/a.264"}};
  EXPECT_THAT(paths_of(names, 0, 2), ElementsAre("x/a.264", "y/a.mp4", "z/a.264"));
  EXPECT_THAT(paths_of(names, 1, 2), ElementsAre("b.264"));
}

TEST(DecodedByRank, LeavesRanksWithoutStreams) {
  EXPECT_TRUE(decoded_by_rank({{"a.264"}}, 2, 3).empty());
}

}  // namespace
}  // namespace millrace::tools
