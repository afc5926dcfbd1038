// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/output/file_attributes.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace millrace::tools {
namespace {

class FileAttributesTest : public TestFolder {
 protected:
  struct stat status_of(const std::string& name) const {
    struct stat status = {};
    EXPECT_EQ(stat(path(name).c_str(), &status), 0);
    return status;
  }
};

TEST_F(FileAttributesTest, TheModeIsKept) {
  for (const mode_t mode : {0600U, 0640U, 0444U, 0755U, 0666U, 0000U}) {
    chmod(put("old", "old").c_str(), mode);
    const FileAttributes attributes(path("old"), status_of("old"));
    chmod(put("new", "new").c_str(), 0600);
    attributes.apply(path("new"));
    EXPECT_EQ(status_of("new").st_mode & 07777, mode);
    unlink(path("old").c_str());
    unlink(path("new").c_str());
  }
}

TEST_F(FileAttributesTest, RootKeepsTheOwner) {
  put("old", "old");
  if (chown(path("old").c_str(), 1234, 4321) != 0) {
    GTEST_SKIP() << "SKIPPED: this user gives no files away";
  }
  chmod(path("old").c_str(), 0640);
  const FileAttributes attributes(path("old"), status_of("old"));
  put("new", "new");
  attributes.apply(path("new"));
  EXPECT_EQ(status_of("new").st_uid, 1234U);
  EXPECT_EQ(status_of("new").st_gid, 4321U);
  EXPECT_EQ(status_of("new").st_mode & 07777, 0640U);
}

// As where another's file is replaced that its group may read: this group is another.
TEST_F(FileAttributesTest, AGroupThatIsAnotherMayDoWhatOthersMay) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root keeps the group";
  put("new", "new");
  struct stat of_another = status_of("new");
  of_another.st_uid = 0;
  of_another.st_gid = 0;
  of_another.st_mode = S_IFREG | 0664;
  FileAttributes(path("new"), of_another).apply(path("new"));
  EXPECT_EQ(status_of("new").st_mode & 07777, 0644U);
}

}  // namespace
}  // namespace millrace::tools
