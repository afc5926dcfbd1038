// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/file_name.h>
#include <millrace/tools/files/test_folder.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

struct Name {
  std::string name;
  std::optional<int> as_input;
  std::optional<int> as_output;
};

std::ostream& operator<<(std::ostream& out, const Name& name) { return out << name.name; }

const Name kNames[] = {
    {"-", 0, 1},
    {"/dev/stdin", 0, 0},
    {"/dev/stdout", 1, 1},
    {"/dev//stdout", 1, 1},
    {"/dev/stderr", 2, 2},
    {"/dev/fd/63", 63, 63},
    {"/dev/fd/", {}, {}},
    {"/dev/fd/6x", {}, {}},
    {"/proc/self/fd/4", 4, 4},
    {"/dev/null", {}, {}},
    {"./-", {}, {}},
    {"", {}, {}},
    {"result.csv", {}, {}},
};

class FileNameTest : public testing::TestWithParam<Name> {};

TEST_P(FileNameTest, StandsForADescriptorOrNone) {
  EXPECT_EQ(descriptor_in(GetParam().name, NameUse::kInput), GetParam().as_input);
  EXPECT_EQ(descriptor_in(GetParam().name, NameUse::kOutput), GetParam().as_output);
}

INSTANTIATE_TEST_SUITE_P(All, FileNameTest, testing::ValuesIn(kNames));

class FileNameLinksTest : public TestFolder {
 protected:
  void link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, path(name));
  }
};

TEST_F(FileNameLinksTest, ALinkToADescriptorIsOne) {
  link("/dev/stdout", "out");
  link("out", "again");
  EXPECT_EQ(descriptor_in(path("again"), NameUse::kOutput), 1);
}

TEST_F(FileNameLinksTest, FollowsALinkToAFileThatIsNotThere) {
  fs::create_directory(path("folder"));
  link("folder", "folder-link");
  link("folder-link/target", "out");
  EXPECT_EQ(followed(path("out")), path("folder/target"));
  EXPECT_EQ(followed(path("plain")), path("plain"));
}

TEST_F(FileNameLinksTest, ALoopEnds) {
  link("b", "a");
  link("a", "b");
  EXPECT_FALSE(followed(path("a")).empty());
}

TEST_F(FileNameLinksTest, OneFileHasOneIdentity) {
  put("file", "text");
  link("file", "link");
  link("new", "to-new");
  const auto identity = [](const std::string& name) { return identity_of(name, NameUse::kOutput); };
  EXPECT_EQ(identity(path("link")), identity(path("file")));
  EXPECT_EQ(identity(path("to-new")), identity(path("new")));
  EXPECT_NE(identity(path("file")), identity(path("new")));
  const int open_file = open(path("file").c_str(), O_RDONLY);
  EXPECT_EQ(identity("/dev/fd/" + std::to_string(open_file)), identity(path("file")));
  close(open_file);
  EXPECT_EQ(identity("-"), identity("/dev/stdout"));
  EXPECT_EQ(identity("/dev/null"), "");
}

TEST_F(FileNameLinksTest, OnePipeHasOneIdentity) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[1]);
  const int again = dup(ends[1]);
  EXPECT_EQ(identity_of(name, NameUse::kOutput),
            identity_of("/proc/self/fd/" + std::to_string(again), NameUse::kOutput));
  EXPECT_TRUE(is_written_directly(name));
  EXPECT_FALSE(is_standard_output(name));
  for (const int descriptor : {ends[0], ends[1], again}) close(descriptor);
}

TEST_F(FileNameLinksTest, StandardOutputIsFoundByItsNames) {
  EXPECT_TRUE(is_standard_output("-"));
  EXPECT_TRUE(is_standard_output("/dev/fd/1"));
  EXPECT_TRUE(has_standard_output({"", path("a"), "/dev/stdout"}));
  EXPECT_FALSE(has_standard_output({"", path("a")}));
}

TEST_F(FileNameLinksTest, IsShownToPeople) {
  EXPECT_EQ(shown_name("-", NameUse::kInput), "standard input");
  EXPECT_EQ(shown_name("-", NameUse::kOutput), "standard output");
  EXPECT_EQ(shown_name("/dev/stdout", NameUse::kOutput), "/dev/stdout");
}

}  // namespace
}  // namespace millrace::tools
