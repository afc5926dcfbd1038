// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/y4m/y4m_header.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

using ChromaSite = Y4mHeader::ChromaSite;

Y4mHeader parsed(const std::string& tags) { return parse_y4m_header("YUV4MPEG2 W32 H16 " + tags); }

TEST(Y4mHeaderTest, ReadsEveryTagInAnyOrder) {
  for (const char* const line :
       {"YUV4MPEG2 W32 H16 F30000:1001 It A10:11 C420mpeg2 XCOLORRANGE=FULL",
        "YUV4MPEG2 XCOLORRANGE=FULL C420mpeg2 A10:11 It F30000:1001 H16 W32",
        "YUV4MPEG2  W32  H16 F30000:1001 It A10:11 Zunknown C420mpeg2 XCOLORRANGE=FULL \r"}) {
    const Y4mHeader header = parse_y4m_header(line);
    EXPECT_EQ(header.width, 32);
    EXPECT_EQ(header.height, 16);
    EXPECT_EQ(header.rate.numerator, 30000);
    EXPECT_EQ(header.rate.denominator, 1001);
    EXPECT_EQ(header.aspect.numerator, 10);
    EXPECT_EQ(header.aspect.denominator, 11);
    EXPECT_EQ(header.field_order, FieldOrder::kTopFirst);
    EXPECT_EQ(header.chroma_site, ChromaSite::kLeft);
    EXPECT_EQ(header.range, Y4mHeader::Range::kFull);
    EXPECT_EQ(header.pixel_format, "yuv420p");
  }
}

TEST(Y4mHeaderTest, NothingButASizeIsNeeded) {
  const Y4mHeader header = parse_y4m_header("YUV4MPEG2 W32 H16");
  EXPECT_EQ(header.rate.numerator, 25);
  EXPECT_EQ(header.aspect.numerator, 0);
  EXPECT_EQ(header.field_order, FieldOrder::kUnknown);
  EXPECT_EQ(header.pixel_format, "yuv420p");
}

TEST(Y4mHeaderTest, UnknownRatesAndAspectsAreNone) {
  for (const char* const rate : {"F0:0", "F25:0", "F0:1", "F", "F25", "Fx:y", "F-1:1"}) {
    EXPECT_EQ(parsed(rate).rate.numerator, 25) << rate;
    EXPECT_EQ(parsed(rate).rate.denominator, 1) << rate;
  }
  EXPECT_EQ(parsed("A0:0").aspect.numerator, 0);
}

TEST(Y4mHeaderTest, KnowsFieldOrders) {
  EXPECT_EQ(parsed("Ip").field_order, FieldOrder::kProgressive);
  EXPECT_EQ(parsed("Ib").field_order, FieldOrder::kBottomFirst);
  EXPECT_EQ(parsed("Im").field_order, FieldOrder::kMixed);
  EXPECT_EQ(parsed("I?").field_order, FieldOrder::kUnknown);
}

TEST(Y4mHeaderTest, KnowsColourSpaces) {
  const struct {
    const char* tag;
    const char* format;
  } kCases[] = {{"C420", "yuv420p"},
                {"C420jpeg", "yuv420p"},
                {"C420paldv", "yuv420p"},
                {"C420p10", "yuv420p10le"},
                {"C422", "yuv422p"},
                {"C422p12", "yuv422p12le"},
                {"C444", "yuv444p"},
                {"C444p16", "yuv444p16le"},
                {"C411", "yuv411p"},
                {"C444alpha", "yuva444p"},
                {"Cmono", "gray"},
                {"Cmono10", "gray10le"},
                {"XYSCSS=422", "yuv422p"},
                {"XYSCSS=420P10", "yuv420p10le"},
                {"C420 XYSCSS=444", "yuv420p"},
                {"XYSCSS=strange", "yuv420p"}};
  for (const auto& [tag, format] : kCases) EXPECT_EQ(parsed(tag).pixel_format, format) << tag;
}

TEST(Y4mHeaderTest, LongCommentsAreSkipped) {
  EXPECT_EQ(parsed("X" + std::string(5000, 'x') + " C444").pixel_format, "yuv444p");
}

TEST(Y4mHeaderTest, RejectsNoSizeAndUnknownColourSpaces) {
  for (const char* const line :
       {"YUV4MPEG2", "YUV4MPEG2 W32", "YUV4MPEG2 W0 H16", "YUV4MPEG2 W-32 H16",
        "YUV4MPEG2 W99999999999 H16", "YUV4MPEG2 W32 H16 C433", "YUV4MPEG2 W32 H16 C420p11"}) {
    EXPECT_THROW(parse_y4m_header(line), Error) << line;
  }
}

}  // namespace
}  // namespace millrace::tools
