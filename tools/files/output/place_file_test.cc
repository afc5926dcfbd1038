// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/place_file.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

template <int kErrno>
int fail_with(const char*, const char*) {
  errno = kErrno;
  return -1;
}

template <int kErrno>
int fail_to_reserve(const char*) {
  errno = kErrno;
  return -1;
}

// A file system by what it cannot do.
struct FileSystem {
  std::string name;
  PlacementCalls calls;
  int error = 0;  // Error of a placement under a new name.
};

std::ostream& operator<<(std::ostream& out, const FileSystem& system) { return out << system.name; }

PlacementCalls without_no_replace(int (*no_replace)(const char*, const char*)) {
  PlacementCalls calls = kSystemPlacement;
  calls.rename_to_new = no_replace;
  return calls;
}

PlacementCalls without_links(int (*no_replace)(const char*, const char*),
                             int (*link)(const char*, const char*)) {
  PlacementCalls calls = without_no_replace(no_replace);
  calls.link = link;
  return calls;
}

PlacementCalls without_anything() {
  PlacementCalls calls = without_links(fail_with<EINVAL>, fail_with<EPERM>);
  calls.reserve = fail_to_reserve<EROFS>;
  return calls;
}

PlacementCalls without_renames() {
  PlacementCalls calls = without_links(fail_with<EINVAL>, fail_with<EPERM>);
  calls.rename = fail_with<EBUSY>;
  return calls;
}

const FileSystem kFileSystems[] = {
    {"Complete", kSystemPlacement},
    {"WithoutNoReplace", without_no_replace(fail_with<EINVAL>)},
    {"OfAnOldKernel", without_no_replace(fail_with<ENOSYS>)},
    {"Vfat", without_links(fail_with<EINVAL>, fail_with<EPERM>)},
    {"Smb", without_links(fail_with<EINVAL>, fail_with<EOPNOTSUPP>)},
    {"Fuse", without_links(fail_with<ENOSYS>, fail_with<ENOSYS>)},
    {"FuseThatForbids", without_links(fail_with<EPERM>, fail_with<EACCES>)},
    {"OverlayThatCannotLink", without_links(fail_with<EOPNOTSUPP>, fail_with<EXDEV>)},
    {"ThatIsReadOnlyNow", without_anything(), EINVAL},
    {"WithoutRenames", without_renames(), EINVAL},
};

class FilePlacementTest : public TestFolder, public testing::WithParamInterface<FileSystem> {
 protected:
  int place(bool replaces) const {
    return place_file(path("from"), path("to"), replaces, GetParam().calls);
  }
};

TEST_P(FilePlacementTest, ANewFileAppearsOrTheOldOneStays) {
  put("from", "result");
  EXPECT_EQ(place(/*replaces=*/false), GetParam().error);
  EXPECT_EQ(text(GetParam().error == 0 ? "to" : "from"), "result");
  EXPECT_EQ(entries(), 1);
}

TEST_P(FilePlacementTest, AnExistingFileStays) {
  if (GetParam().error != 0) GTEST_SKIP() << "SKIPPED: this one places nothing";
  put("from", "result");
  put("to", "theirs");
  EXPECT_EQ(place(/*replaces=*/false), EEXIST);
  EXPECT_EQ(text("to"), "theirs");
  EXPECT_EQ(text("from"), "result");
}

INSTANTIATE_TEST_SUITE_P(All, FilePlacementTest, testing::ValuesIn(kFileSystems),
                         [](const auto& info) { return info.param.name; });

using FileReplacementTest = TestFolder;

TEST_F(FileReplacementTest, ReplacesInOneStep) {
  put("from", "result");
  put("to", "old");
  EXPECT_EQ(place_file(path("from"), path("to"), /*replaces=*/true), 0);
  EXPECT_EQ(text("to"), "result");
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace millrace::tools
