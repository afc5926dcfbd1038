// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/tables/columns/column_writer.h>
#include <millrace/tools/tables/columns/read_column.h>

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

namespace millrace::tools {
namespace {

using WithoutArrowTest = TestFolder;

void expect_error(const std::function<void()>& work, const std::string& message) {
  try {
    work();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_EQ(error.what(), message);
  }
}

TEST_F(WithoutArrowTest, ReadingSaysWhatToInstall) {
  const PositionedFile table = PositionedFile::open(put("t.parquet", "PAR1"));
  expect_error([&] { read_column(table, TableFormat::kParquet, "x", folder_.string()); },
               table.name() +
                   ": is a Parquet file, and this millrace was built without Apache Arrow; install "
                   "libarrow-dev and libparquet-dev, or set ARROW_ROOT to the library's folder, "
                   "and build it again; or save the column by numpy.save");
}

TEST_F(WithoutArrowTest, WritingSaysWhatToInstall) {
  std::ostringstream out;
  const WrittenColumn column = {.file = "t.arrow", .name = "x", .format = TableFormat::kArrow};
  expect_error([&] { make_column_writer(out, column); },
               "t.arrow: would be an Arrow file, and this millrace was built without Apache Arrow; "
               "install libarrow-dev and libparquet-dev, or set ARROW_ROOT to the library's "
               "folder, and build it again; or give the output a name in .npy");
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace millrace::tools
