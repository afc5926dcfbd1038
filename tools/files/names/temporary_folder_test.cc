// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

// A machine where folders named "ram" are RAM disks, and those named "none" are not there.
bool has_name(const std::string& folder, const std::string& name) {
  return fs::path(folder).filename() == name;
}

struct FolderChoice {
  std::string name;
  std::string given;
  std::string tmpdir;
  std::string out;
  bool is_tmp_usable;
  std::string folder;
};

std::ostream& operator<<(std::ostream& out, const FolderChoice& choice) {
  return out << choice.name;
}

const FolderChoice kChoices[] = {
    {"BesideTheResult", "", "", "/data/out", true, "/data"},
    {"TheOneThatIsGiven", "/ram", "/disk", "/data/out", true, "/ram"},
    {"Tmpdir", "", "/disk", "/data/out", true, "/disk"},
    {"TmpdirInMemory", "", "/ram", "/data/out", true, "/ram"},
    {"NotATmpdirThatIsNotThere", "", "/none", "/data/out", true, "/data"},
    {"NotBesideAResultInMemory", "", "", "/ram/out", true, "/var/tmp"},
    {"NotBesideAResultThatHasNoFolder", "", "", "/none/out", true, "/var/tmp"},
    {"NotBesideADevice", "", "", "/dev/null", true, "/var/tmp"},
    {"ForNoFileInParticular", "", "", "", true, "/var/tmp"},
    {"InMemoryWhereThereIsNoOther", "", "", "/ram/out", false, "/ram"},
};

class TemporaryFolderTest : public testing::TestWithParam<FolderChoice> {
 protected:
  void TearDown() override { unsetenv("TMPDIR"); }
};

TEST_P(TemporaryFolderTest, IsChosen) {
  const FolderChoice& choice = GetParam();
  setenv("TMPDIR", choice.tmpdir.c_str(), 1);
  FolderProbe probe = {
      .is_usable = [](const std::string& folder) { return !has_name(folder, "none"); },
      .is_in_memory = [](const std::string& folder) { return has_name(folder, "ram"); }};
  if (!choice.is_tmp_usable) {
    probe.is_usable = [](const std::string& folder) { return has_name(folder, "ram"); };
  }
  EXPECT_EQ(temporary_folder(choice.given, choice.out, probe), choice.folder);
}

INSTANTIATE_TEST_SUITE_P(All, TemporaryFolderTest, testing::ValuesIn(kChoices),
                         [](const auto& info) { return info.param.name; });

using TemporaryFolderOfFilesTest = TestFolder;

TEST_F(TemporaryFolderOfFilesTest, IsBesideTheFileThatALinkNames) {
  unsetenv("TMPDIR");
  fs::create_directory(path("small"));
  fs::create_directory(path("large"));
  fs::create_symlink("../large/result", path("small/out"));
  const FolderProbe anywhere = {.is_usable = [](const std::string&) { return true; },
                                .is_in_memory = [](const std::string&) { return false; }};
  EXPECT_EQ(temporary_folder("", path("small/out"), anywhere), path("large"));
}

TEST_F(TemporaryFolderOfFilesTest, AGivenOneMustTakeFiles) {
  for (const std::string& folder : {path("none"), put("file", "text")}) {
    try {
      temporary_folder(folder, path("out"));
      ADD_FAILURE() << folder;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                "--temporary is " + folder + "; give a folder that can be written to");
    }
  }
}

TEST_F(TemporaryFolderOfFilesTest, DevicesAreInMemory) {
  EXPECT_TRUE(kSystemFolders.is_in_memory("/dev"));
  EXPECT_TRUE(kSystemFolders.is_in_memory("/proc/self"));
}

}  // namespace
}  // namespace millrace::tools
