// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/tables/decimal_number.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

struct Spelling {
  const char* text;
  double number;
};

TEST(DecimalNumberTest, ReadsWhatTablesHave) {
  for (const auto& [text, number] : {
           Spelling{"3", 3},
           Spelling{" -4.25\t", -4.25},
           Spelling{"+5", 5},
           Spelling{"+.5e1", 5},
           Spelling{"-4.000000000000000000e+00", -4},
           Spelling{"\xE2\x88\x92"
                    "7",
                    -7},
           Spelling{"1e-400", 0},
           Spelling{"-1e-99999", 0},
           Spelling{"5e-324", 5e-324},
           Spelling{"1.7976931348623157e308", 1.7976931348623157e308},
       }) {
    double read = 99;
    EXPECT_TRUE(parse_decimal_number(text, read)) << text;
    EXPECT_EQ(read, number) << text;
  }
}

TEST(DecimalNumberTest, RejectsAllElse) {
  for (const char* text : {"", " ", "four", "1e400", "-1e400", "inf", "nan", "-nan", "0x10", "1,5",
                           "1 5", "+-5", "++5", "+", "-", "5km", "1e", "1.5.2", "1_000"}) {
    double read = 0;
    EXPECT_FALSE(parse_decimal_number(text, read)) << text;
  }
}

TEST(DecimalNumberTest, ReadsDecimalCommas) {
  double read = 0;
  EXPECT_TRUE(parse_decimal_number("+1,25e2", read, DecimalMark::kComma));
  EXPECT_EQ(read, 125);
  EXPECT_TRUE(parse_decimal_number("-3", read, DecimalMark::kComma));
  EXPECT_EQ(read, -3);
  for (const char* text : {"1.234,5", "1,234,567", "1.5", ","}) {
    EXPECT_FALSE(parse_decimal_number(text, read, DecimalMark::kComma)) << text;
  }
}

TEST(DecimalNumberTest, RecognisesWholeNumbersThatNoDoubleHolds) {
  for (const char* text : {"9007199254740992", "+9007199254740994.000", "-009007199254740992",
                           "9007199254740993e0", "0.1", "9007199254740992,0"}) {
    double read = 0;
    ASSERT_TRUE(parse_decimal_number(text, read) ||
                parse_decimal_number(text, read, DecimalMark::kComma));
    EXPECT_TRUE(is_exact(text, read)) << text;
  }
  for (const char* text :
       {"9007199254740993", "-9007199254740993", "+9007199254740993", "9007199254740992.5"}) {
    double read = 0;
    ASSERT_TRUE(parse_decimal_number(text, read));
    EXPECT_FALSE(is_exact(text, read)) << text;
  }
}

}  // namespace
}  // namespace millrace::tools
