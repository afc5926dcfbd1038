// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/xml_writer.h>

#include <gtest/gtest.h>

#include <sstream>

namespace millrace::tools {
namespace {

TEST(XmlWriter, ClosesWhatItOpened) {
  std::ostringstream text;
  XmlWriter out(text);
  out.open("a", {{"x", 1.5}});
  out.open("b");
  out.empty("c", {{"y", "z"}});
  out.close();
  out.element("d", {}, "text");
  out.close();
  EXPECT_EQ(text.str(), "<a x=\"1.5\">\n<b>\n<c y=\"z\"/>\n</b>\n<d>text</d>\n</a>\n");
}

TEST(XmlWriter, EscapesTextAndAttributes) {
  std::ostringstream text;
  XmlWriter(text).element("a", {{"x", "\"<&"}}, "<script> & \x01");
  EXPECT_EQ(text.str(), "<a x=\"&quot;&lt;&amp;\">&lt;script&gt; &amp; \xEF\xBF\xBD</a>\n");
}

TEST(XmlWriter, WritesNumbersToAHundredth) {
  EXPECT_EQ(XmlValue(3.0).text(), "3");
  EXPECT_EQ(XmlValue(-0.001).text(), "0");
  EXPECT_EQ(XmlValue(1.0 / 3).text(), "0.33");
  EXPECT_EQ(XmlValue(120.0).text(), "120");
}

}  // namespace
}  // namespace millrace::tools
