// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/tables/read_table.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

// Rows as "LINE: [FIELD] [FIELD]", comments as "LINE# [FIELD]".
std::vector<std::string> rows_of(std::string_view text) {
  std::vector<std::string> rows;
  read_table(text, "in.csv", [&](const TextRow& row) {
    std::string shown = std::to_string(row.line) + (row.is_comment ? "#" : ":");
    for (const std::string_view field : row.fields) shown += " [" + std::string(field) + "]";
    rows.push_back(shown);
  });
  return rows;
}

using Rows = std::vector<std::string>;

struct TableCase {
  const char* name;
  const char* text;
  Rows rows;
};

const TableCase kTables[] = {
    {"commas", "1,2\n3,4\n", {"1: [1] [2]", "2: [3] [4]"}},
    {"no line end at the end", "1,2\n3,4", {"1: [1] [2]", "2: [3] [4]"}},
    {"CR LF", "1,2\r\n3,4\r\n", {"1: [1] [2]", "2: [3] [4]"}},
    {"CR alone", "1,2\r3,4\r", {"1: [1] [2]", "2: [3] [4]"}},
    {"mixed line ends", "1,2\r3,4\n5,6\r\n", {"1: [1] [2]", "2: [3] [4]", "3: [5] [6]"}},
    {"blank lines", "\n1,2\n \t\n\r\n3,4\n\n", {"2: [1] [2]", "5: [3] [4]"}},
    {"lines of separators", "1,2\n,\n , ,\n3,4\n", {"1: [1] [2]", "4: [3] [4]"}},
    {"spaces around fields", " 1 , 2 \n", {"1: [1] [2]"}},
    {"semicolons", "a;b\n1,5;2,5\n", {"1: [a] [b]", "2: [1,5] [2,5]"}},
    {"tabs", "a\tb c\n1,5\t2\n", {"1: [a] [b c]", "2: [1,5] [2]"}},
    {"an empty field between tabs", "1\t\t2\n", {"1: [1] [] [2]"}},
    {"bars", "a|b\n1|2\n", {"1: [a] [b]", "2: [1] [2]"}},
    {"spaces", "  1   2\n3 4  \n", {"1: [1] [2]", "2: [3] [4]"}},
    {"spaces and tabs", "1 \t 2\n3 4\n", {"1: [1] [2]", "2: [3] [4]"}},
    {"quotes between spaces", "\"a  b\" \"\" 2\n", {"1: [a  b] [] [2]"}},
    {"a separator that is stated", "sep=;\n1;2,5\n", {"2: [1] [2,5]"}},
    {"commas in quotes", "\"a, b\",1\nc,2\n", {"1: [a, b] [1]", "2: [c] [2]"}},
    {"semicolons in quotes", "\"a; b\",1\n\"c;\",2\n", {"1: [a; b] [1]", "2: [c;] [2]"}},
    {"doubled marks", "\"a \"\"b\"\"\",1\n", {"1: [a \"b\"] [1]"}},
    {"a line break in quotes", "\"a\nb\",1\nc,2\n", {"1: [a\nb] [1]", "3: [c] [2]"}},
    {"CR LF in quotes", "1,\"a\r\nb\"\r\n2,c\r\n", {"1: [1] [a\r\nb]", "3: [2] [c]"}},
    {"a row in quotes", "1,\"see\n1,2\n\n# 3\"\n2,c\n", {"1: [1] [see\n1,2\n\n# 3]", "5: [2] [c]"}},
    {"inches", "5\" main,1\n6\" main,2\n", {"1: [5\" main] [1]", "2: [6\" main] [2]"}},
    {"inches last", "1,5\" main\n2,a\n", {"1: [1] [5\" main]", "2: [2] [a]"}},
    {"spaces before marks", "name, \"x\"\n\"a, b\", \"1\" \n", {"1: [name] [x]", "2: [a, b] [1]"}},
    {"a comment first", "# of 2024\n1,2\n", {"1# [of 2024]", "2: [1] [2]"}},
    {"a comment between", "1,2\n  ## moved\n3,4\n", {"1: [1] [2]", "2# [moved]", "3: [3] [4]"}},
    {"a comment with a mark", "# 5\" main, \"\n1,2\n", {"1# [5\" main] []", "2: [1] [2]"}},
    {"names in a comment", "#x,y\n1,2\n", {"1# [x] [y]", "2: [1] [2]"}},
    {"names in a comment of spaces", "# x y\n1 2\n", {"1# [x] [y]", "2: [1] [2]"}},
    {"a comment of Octave",
     "%% Created by\n% x y\n1 2\n",
     {"1# [Created] [by]", "2# [x] [y]", "3: [1] [2]"}},
    {"% within a field", "1,%2\n50%,3\n", {"1: [1] [%2]", "2: [50%] [3]"}},
    {"# within a field", "1,#2\n", {"1: [1] [#2]"}},
    {"# in quotes first", "\"#1\",2\n", {"1: [#1] [2]"}},
    {"trailing separators", "1;2;\n", {"1: [1] [2] []"}},
};

TEST(TableReaderTest, RowsAreReadAsTheyAreWritten) {
  for (const TableCase& table : kTables) EXPECT_EQ(rows_of(table.text), table.rows) << table.name;
}

TEST(TableReaderTest, AMarkThatIsNotClosedHasItsLine) {
  try {
    rows_of("a,b\n1,\"open\n2,c\n");
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("in.csv: line 2: a quotation mark is not closed"),
              std::string::npos)
        << error.what();
  }
}

TEST(TableReaderTest, NothingHasNoRows) {
  EXPECT_EQ(rows_of(""), Rows());
  EXPECT_EQ(rows_of("\n\n"), Rows());
}

TEST(FindSeparatorTest, IsTheOneThatMostLinesHave) {
  EXPECT_EQ(find_separator("1,2\n"), ',');
  EXPECT_EQ(find_separator("1,5;2\n3;4,5\n"), ';');
  EXPECT_EQ(find_separator("# a;b\n1,2\n"), ',');
  EXPECT_EQ(find_separator("x y\n1 2\n"), ' ');
  EXPECT_EQ(find_separator("note,x\n\"a;\nb\",2\n"), ',');
  EXPECT_EQ(find_separator("1,2\n3,4\n5\n"), ',');
  EXPECT_EQ(find_separator("x,y,note\n1,2,a;b\n3,4,c;d\n"), ',');
  EXPECT_EQ(find_separator("x y name\n1 2 a\n3 4 b,c\n"), ' ');
  EXPECT_EQ(find_separator(""), ' ');
}

}  // namespace
}  // namespace millrace::tools
