// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/output/make_folder.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace millrace::tools {
namespace {

using MakeFolderTest = TestFolder;

TEST_F(MakeFolderTest, MakesAFolderAndThoseAboveIt) {
  const std::string folder = path("above/below");
  for (const std::string& name : {folder, folder + '/'}) {
    make_folder(name);
    EXPECT_TRUE(std::filesystem::is_directory(folder)) << name;
  }
}

TEST_F(MakeFolderTest, RejectsTheNameOfAFile) {
  const std::string file = put("file", "text");
  try {
    make_folder(file);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_EQ(error.what(), file + ": cannot be made: Not a directory");
  }
}

}  // namespace
}  // namespace millrace::tools
