// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace millrace::tools {
namespace {

TEST(Y4mWriterTest, WritesTheVisibleAreaOfOddSizes) {
  Picture picture(3, 1);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    for (int x = 0; x < picture.plane(i).width; ++x) picture.plane(i).row(0)[x] = "abcdeFG"[i + x];
  }
  std::ostringstream out;
  Y4mWriter writer(out, {.width = 3, .height = 1, .rate = {30000, 1001}});
  writer.write(picture);
  EXPECT_EQ(out.str(),
            "YUV4MPEG2 W3 H1 F30000:1001 Ip A0:0 C420jpeg XCOLORRANGE=LIMITED\n"
            "FRAME\n"
            "abcbccd");
  EXPECT_EQ(writer.frames(), 1);
}

TEST(Y4mWriterTest, SaysRangeAndChromaSite) {
  std::ostringstream out;
  Y4mWriter(out, {.width = 2, .height = 2, .rate = {}, .full_range = true, .chroma_left = true});
  EXPECT_EQ(out.str(), "YUV4MPEG2 W2 H2 F25:1 Ip A0:0 C420mpeg2 XCOLORRANGE=FULL\n");
}

TEST(Y4mWriterTest, SaysAspectAndFields) {
  const struct {
    FieldOrder order;
    const char* tag;
  } kCases[] = {{FieldOrder::kProgressive, "Ip"},
                {FieldOrder::kTopFirst, "It"},
                {FieldOrder::kBottomFirst, "Ib"},
                {FieldOrder::kMixed, "I?"},
                {FieldOrder::kUnknown, "I?"}};
  for (const auto& [order, tag] : kCases) {
    std::ostringstream out;
    Y4mWriter(out, {.width = 2, .height = 2, .aspect = {16, 11}, .field_order = order});
    EXPECT_NE(out.str().find(std::string(" F25:1 ") + tag + " A16:11 "), std::string::npos);
  }
}

TEST(Y4mWriterTest, RejectsAPictureOfAnotherSize) {
  std::ostringstream out;
  Y4mWriter writer(out, {.width = 16, .height = 16});
  EXPECT_THROW(writer.write(Picture(16, 18)), Error);
}

TEST(Y4mWriterTest, RejectsAnImpossibleFormat) {
  std::ostringstream out;
  EXPECT_THROW(Y4mWriter(out, {.width = 0, .height = 16}), Error);
  EXPECT_THROW(Y4mWriter(out, {.width = 16, .height = 16, .rate = {0, 1}}), Error);
}

TEST(Y4mWriterTest, SaysWhenTheStreamFails) {
  std::ostringstream out;
  Y4mWriter writer(out, {.width = 16, .height = 16});
  out.setstate(std::ios::failbit);
  EXPECT_THROW(writer.write(Picture(16, 16)), Error);
}

}  // namespace
}  // namespace millrace::tools
