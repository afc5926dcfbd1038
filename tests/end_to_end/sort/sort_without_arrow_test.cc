// SPDX-License-Identifier: Apache-2.0

// `millrace sort` of tables, built without Apache Arrow.
#include <millrace/tests/end_to_end/end_to_end_test.h>

namespace millrace::end_to_end {
namespace {

using SortWithoutArrowTest = EndToEndTest;

const char* const kInstall =
    ", and this millrace was built without Apache Arrow; install libarrow-dev and libparquet-dev, "
    "or set ARROW_ROOT to the library's folder, and build it again; or ";

TEST_F(SortWithoutArrowTest, AParquetFileSaysWhatToInstall) {
  put("t.parquet", "PAR1\x15\x04" + std::string(32, '\0') + "PAR1");
  expect_rejected(
      run({"sort", "t.parquet", "--column", "x", "-o", "new"}),
      std::string("t.parquet: is a Parquet file") + kInstall + "save the column by numpy.save");
  EXPECT_EQ(names(), std::set<std::string>{"t.parquet"});
}

TEST_F(SortWithoutArrowTest, AnArrowFileUnderAnyNameSaysWhatToInstall) {
  put("t", std::string("ARROW1\0\0", 8) + std::string(32, '\0') + "ARROW1");
  expect_rejected(run({"sort", "t", "-o", "new"}), std::string("t: is an Arrow file") + kInstall);
}

TEST_F(SortWithoutArrowTest, ATableAsTheResultSaysWhatToInstall) {
  put("keys", std::string(400, 'x'));
  expect_rejected(run({"sort", "keys", "-o", "new.parquet"}),
                  std::string("new.parquet: would be a Parquet file") + kInstall +
                      "give the output a name in .npy");
  EXPECT_EQ(names(), std::set<std::string>{"keys"});
}

TEST_F(SortWithoutArrowTest, BytesThatAreDeclaredRawAreKeys) {
  const std::string table = "PAR1\x15\x04" + std::string(10, '\0') + "PAR1";
  put("t.parquet", table);
  EXPECT_EQ(run({"sort", "t.parquet", "-o", "out", "--raw", "--type", "u8"}).exit_status, 0);
  EXPECT_EQ(bytes("out").size(), table.size());
}

}  // namespace
}  // namespace millrace::end_to_end
