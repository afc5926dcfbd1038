// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/temporary_name.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

using TemporaryNameTest = TestFolder;

TEST_F(TemporaryNameTest, RemovesItsFile) {
  { const TemporaryName name(put("a", "text")); }
  EXPECT_EQ(entries(), 0);
}

TEST_F(TemporaryNameTest, ForgetsAFileThatStays) {
  {
    TemporaryName name(put("a", "text"));
    name.forget();
    EXPECT_TRUE(name.empty());
  }
  EXPECT_EQ(text("a"), "text");
}

TEST_F(TemporaryNameTest, MovesWithItsFile) {
  TemporaryName first(put("a", "text"));
  TemporaryName second = std::move(first);
  first = TemporaryName(put("b", "text"));
  EXPECT_EQ(second.path(), path("a"));
  second = std::move(first);
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_TRUE(fs::exists(path("b")));
}

TEST_F(TemporaryNameTest, AllAreRemovedAtOnce) {
  std::vector<TemporaryName> names;
  for (int i = 0; i < 1000; ++i) names.emplace_back(put(std::to_string(i), "text"));
  names[500].forget();
  remove_temporary_files();
  EXPECT_EQ(entries(), 1);
  EXPECT_TRUE(fs::exists(path("500")));
}

TEST_F(TemporaryNameTest, APathIsHiddenBesideTheFileAndNewEachTime) {
  const std::string first = temporary_path_beside(path("a"));
  EXPECT_EQ(fs::path(first).parent_path(), folder_);
  EXPECT_TRUE(fs::path(first).filename().string().starts_with(".millrace-"));
  EXPECT_NE(temporary_path_beside(path("a")), first);
}

}  // namespace
}  // namespace millrace::tools
