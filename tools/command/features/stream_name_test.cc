// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/stream_name.h>
#include <millrace/tools/files/test_folder.h>

#include <filesystem>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using StreamNamesTest = TestFolder;
using Names = std::vector<StreamName>;

TEST_F(StreamNamesTest, FilesAreTakenAsTheyAre) {
  EXPECT_EQ(find_stream_names({"b", "a", "-"}), (Names{{"b", false}, {"a", false}, {"-", false}}));
}

TEST_F(StreamNamesTest, FoldersStandForTheirFilesSorted) {
  put("b.264", "");
  put("a.264", "");
  put(".hidden", "");
  std::filesystem::create_directories(folder_ / "sub");
  std::filesystem::create_directories(folder_ / ".git");
  put("sub/c.264", "");
  put(".git/d.264", "");
  EXPECT_EQ(find_stream_names({folder_.string()}),
            (Names{{path("a.264"), true}, {path("b.264"), true}, {path("sub/c.264"), true}}));
}

TEST_F(StreamNamesTest, ListsHaveANameALine) {
  put("list", "# clips\r\nx.264\r\n\ny z.264");
  EXPECT_EQ(find_stream_names({"@" + path("list")}), (Names{{"x.264", false}, {"y z.264", false}}));
}

TEST_F(StreamNamesTest, GrowingOnesHaveBegun) {
  const std::string begun(kLeastStreamBytes, 'x');
  std::filesystem::create_directories(folder_ / "live");
  put("live/a.264", begun);
  put("live/b.264", begun.substr(1));
  put("c.264", begun);
  put("list", path("c.264") + "\n" + path("missing.264") + "\n");
  EXPECT_EQ(find_growing_streams({path("live"), "@" + path("list"), "named.264"}),
            (Names{{path("live/a.264"), true}, {path("c.264"), false}, {"named.264", false}}));
  std::filesystem::remove(path("live/a.264"));
  EXPECT_TRUE(find_growing_streams({path("live")}).empty());
  EXPECT_TRUE(can_grow({"named.264", path("live")}));
  EXPECT_TRUE(can_grow({"@list"}));
  EXPECT_FALSE(can_grow({"named.264", "@-", "-"}));
}

TEST_F(StreamNamesTest, NothingIsRejected) {
  put("list", "# none\n");
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_THROW(find_stream_names({"@" + path("list")}), Error);
  EXPECT_THROW(find_stream_names({"@" + path("missing")}), Error);
  EXPECT_THROW(find_stream_names({path("empty")}), Error);
  EXPECT_THROW(find_stream_names({"-", "-"}), Error);
}

}  // namespace
}  // namespace millrace::tools
