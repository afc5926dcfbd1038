// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/file_kind.h>
#include <millrace/tools/tables/columns/table_format.h>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace millrace::tools {
namespace {

TEST(TableFormatTest, ANameEndsInItsFormat) {
  const auto format = [](const char* name) { return table_format_of(std::string(name)); };
  EXPECT_EQ(format("a.parquet"), TableFormat::kParquet);
  EXPECT_EQ(format("folder.arrow/A.PARQUET"), TableFormat::kParquet);
  EXPECT_EQ(format("a.arrow"), TableFormat::kArrow);
  EXPECT_EQ(format("a.b.Feather"), TableFormat::kArrow);
  for (const char* name :
       {"a.npy", "parquet", ".parquet", "a.parquet.gz", "a.parquet/b", "-", ""}) {
    EXPECT_EQ(format(name), std::nullopt) << name;
  }
}

TEST(TableFormatTest, AFileHasTheFormatOfItsContent) {
  const std::string zeros(32, '\0');
  const auto format = [](const std::string& bytes) {
    return table_format_of(kind_of(bytes, bytes.back(), bytes.size()));
  };
  EXPECT_EQ(format("PAR1\x15\x04" + zeros + "PAR1"), TableFormat::kParquet);
  EXPECT_EQ(format(std::string("ARROW1\0\0", 8) + zeros + "ARROW1"), TableFormat::kArrow);
  EXPECT_EQ(format("\x93NUMPY\x01" + zeros), std::nullopt);
  // Feather of version 1 is no IPC file.
  EXPECT_EQ(format(std::string("FEA1\0\0\0\0", 8) + zeros + "FEA1"), std::nullopt);
}

TEST(TableFormatTest, ArrowIsRequiredWhereItIsNot) {
  const auto require = [] { require_arrow("t.parquet", TableFormat::kParquet, false); };
  if (has_arrow()) {
    EXPECT_NO_THROW(require());
  } else {
    EXPECT_THROW(require(), Error);
  }
}

}  // namespace
}  // namespace millrace::tools
