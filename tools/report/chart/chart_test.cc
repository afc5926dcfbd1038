// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/report/chart/chart.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Returns all matches of the pattern's first group, as numbers.
std::vector<double> numbers(const std::string& svg, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<double> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), regex), end; at != end; ++at) {
    found.push_back(std::stod((*at)[1]));
  }
  return found;
}

int count(const std::string& svg, const std::string& text) {
  int found = 0;
  for (std::size_t at = svg.find(text); at != svg.npos; at = svg.find(text, at + 1)) ++found;
  return found;
}

LineChart two_lines() {
  return {"T", "x", "y", {{"one", {{1, 2}, {10, 3, 2.5, 4}}}, {"other", {{1, 5}}}}};
}

TEST(LineChart, HasALineForEach) {
  const std::string svg = chart_element(two_lines(), "a");
  for (const char* const word :
       {"T<", ">x<", ">y<", ">one<", ">other<", ">1<", ">10<", "id=\"a-title\""}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
  EXPECT_EQ(count(svg, "class=\"marker\""), 3 + 2);  // Three at points, two beside names.
  EXPECT_EQ(count(svg, "class=\"interval\""), 1);
  EXPECT_EQ(count(svg, "tabindex=\"0\""), 2);
  EXPECT_THAT(svg, HasSubstr("aria-label=\"one: 2.00 at 1.00, 3.00 at 10.0\""));
}

TEST(LineChart, DrawsPointsByTheirLogarithms) {
  const std::string svg =
      chart_element(LineChart{"T", "x", "y", {{"one", {{1, 1}, {10, 100}, {100, 1000}}}}}, "a");
  const std::vector<double> x = numbers(svg, "marker\" transform=\"translate\\(([0-9.]+) ");
  const std::vector<double> y =
      numbers(svg, "marker\" transform=\"translate\\([0-9.]+ ([0-9.]+)\\)");
  ASSERT_GE(x.size(), 3U);
  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.02);
  EXPECT_NEAR(y[0] - y[1], 2 * (y[1] - y[2]), 0.04);
}

TEST(LineChart, NamesAreDisjointAndInTheOrderOfTheirLastFigures) {
  const std::string svg =
      chart_element(LineChart{"T", "x", "y", {{"least", {{1, 5}}}, {"most", {{1, 7}}}}}, "a");
  const std::vector<double> least = numbers(svg, "y=\"([0-9.]+)\">least<");
  const std::vector<double> most = numbers(svg, "y=\"([0-9.]+)\">most<");
  ASSERT_EQ(least.size(), 1U);
  ASSERT_EQ(most.size(), 1U);
  EXPECT_GE(least[0], most[0] + 12);
}

TEST(LineChart, DrawsMarksAndAReference) {
  LineChart chart = two_lines();
  chart.marks = {{3, "here it turns"}};
  EXPECT_THAT(chart_element(chart, "a"), Not(HasSubstr("class=\"reference\"")));
  chart.reference = 1;
  const std::string svg = chart_element(chart, "a");
  EXPECT_EQ(count(svg, "class=\"mark\""), 1);
  EXPECT_EQ(count(svg, "class=\"reference\""), 1);
  EXPECT_THAT(svg, HasSubstr(">here it turns<"));
}

TEST(LineChart, LinesOfOneColourDifferInTheirMarkers) {
  LineChart chart{"T", "x", "y", {}};
  for (int i = 0; i < 9; ++i) chart.lines.push_back({"line " + std::to_string(i), {{1, 1.0 + i}}});
  const std::string svg = chart_element(chart, "a");
  std::vector<std::string> markers;
  for (const char* const name : {"line 0", "line 8"}) {
    const std::size_t at = svg.find("<title>" + std::string(name) + ":");
    const std::size_t path = svg.find(" d=\"", at);
    markers.push_back(svg.substr(path, svg.find("\"/>", path) - path));
  }
  EXPECT_NE(markers[0], markers[1]);
  EXPECT_EQ(count(svg, "class=\"series s0 d0\""), 1);
  EXPECT_EQ(count(svg, "class=\"series s0 d1\""), 1);
}

TEST(BarChart, SeriesAreAsLongAsTheirFigures) {
  const std::string svg =
      chart_element(BarChart{"T", "ms", {"first", "second"}, {{"a", {3, 5}}, {"b", {0, 2}}}}, "a");
  const std::vector<double> found =
      numbers(svg, "class=\"bar [^>]* width=\"([0-9.]+)\" height=\"15\"");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NEAR(found[0] / found[3], 1.5, 1e-2);
  EXPECT_NEAR(found[1] / found[3], 2.5, 1e-2);
  EXPECT_EQ(found[2], 0);
  for (const char* const word : {">first<", ">second<", ">a<", ">b<", ">8.00<"}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
}

TEST(BarChart, OfNothingButZerosIsDrawn) {
  const std::string svg = chart_element(BarChart{"T", "ms", {"series"}, {{"a", {0}}}}, "a");
  EXPECT_THAT(numbers(svg, "class=\"bar [^>]* width=\"([0-9.]+)\""), ElementsAre(0));
}

TEST(CascadeChart, LinesEndAtTheLastSupportedPlatform) {
  const std::string svg = chart_element(
      CascadeChart{"T", "x", "y", {{"all", {1, 0.5, 0.25}, 0.43}, {"some", {0.75, 0, 0}, 0}}}, "a");
  const std::vector<double> x = numbers(svg, "marker\" transform=\"translate\\(([0-9.]+) ");
  const std::vector<double> y =
      numbers(svg, "marker\" transform=\"translate\\([0-9.]+ ([0-9.]+)\\)");
  ASSERT_EQ(x.size(), 3U + 1 + 1 + 1);  // Points and one beside each name.
  EXPECT_NEAR(x[2] - x[1], x[1] - x[0], 0.02);
  EXPECT_NEAR(y[1] - y[0], 2 * (y[2] - y[1]), 0.04);
  EXPECT_EQ(x[4], x[0]);
  EXPECT_NEAR(y[4] - y[0], (y[1] - y[0]) / 2, 0.02);
  EXPECT_THAT(svg, HasSubstr(">all, PP 0.43<"));
  EXPECT_THAT(svg, HasSubstr("aria-label=\"some, PP 0: 0.75\""));
}

TEST(CascadeChart, MayBeEmpty) {
  EXPECT_THAT(chart_element(CascadeChart{"T", "x", "y", {}}, "a"), HasSubstr(">y<"));
}

TEST(LaneChart, SpansAreWhereTheyRan) {
  const std::string svg = chart_element(
      LaneChart{"T", "time", {{"up", {{"a", 0, 1}, {"b", 3, 4}}}, {"down", {{"c", 1, 3}}}}}, "a");
  const std::vector<double> x = numbers(svg, "class=\"span [^>]*x=\"([0-9.]+)\"");
  const std::vector<double> width = numbers(svg, "class=\"span [^>]*width=\"([0-9.]+)\"");
  ASSERT_EQ(x.size(), 3U);
  EXPECT_NEAR(x[1] - x[0], 3 * width[0], 0.05);
  EXPECT_NEAR(width[2], 2 * width[0], 0.05);
  EXPECT_THAT(svg, HasSubstr("up, b: 1.00 s from 3.00 s"));
}

TEST(Chart, EscapesNames) {
  const std::string svg =
      chart_element(LineChart{"<T> & \"co\"", "x", "y", {{"a<b", {{1, 1}}}}}, "a");
  EXPECT_THAT(svg, HasSubstr("&lt;T&gt; &amp; "));
  EXPECT_THAT(svg, Not(HasSubstr("a<b")));
}

TEST(Chart, FileHasAllWithTheirStyle) {
  const auto path = std::filesystem::path(testing::TempDir()) / "chart.svg";
  write_charts(path.string(), {two_lines(), BarChart{"U", "ms", {"series"}, {{"a", {1}}}}});
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  for (const char* const word : {"xmlns=", ">T<", ">U<", "prefers-color-scheme:dark"}) {
    EXPECT_THAT(text.str(), HasSubstr(word));
  }
}

TEST(Chart, SaysWhichFileItCannotWrite) {
  try {
    write_charts("/nowhere/chart.svg", {});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("cannot write /nowhere/chart.svg: No such file"));
  }
}

// An axis from 0 to 4 is 150 pixels high, so that 1 is 37.5 of them; two items share 354 pixels.
TEST(SequenceChart, ColumnsStandOnOneAnother) {
  const std::string svg =
      chart_element(SequenceChart{"T", "x", "y", {{"low", {1, 3}}, {"high", {2, 1}}}, true}, "a");
  const std::vector<double> left = numbers(svg, "class=\"bar [^>]*d=\"M([0-9.]+),");
  EXPECT_THAT(left, ElementsAre(52, 52));
  const std::vector<double> zero = numbers(svg, "class=\"bar [^>]*d=\"M[0-9.]+,([0-9.]+)V");
  ASSERT_EQ(zero.size(), 2U);
  EXPECT_DOUBLE_EQ(zero[0] - zero[1], 37.5);  // The first item's lower column.
  const std::vector<double> tops =
      numbers(svg, "class=\"bar [^>]*d=\"M[0-9.]+,[0-9.]+V[0-9.]+H[0-9.]+V([0-9.]+)H406");
  ASSERT_EQ(tops.size(), 2U);
  EXPECT_DOUBLE_EQ(zero[0] - tops[0], 3 * 37.5);
  EXPECT_DOUBLE_EQ(zero[0] - tops[1], 4 * 37.5);
  for (const char* const word : {">low<", ">high<", ">x<", ">y<"}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
}

TEST(SequenceChart, LinesGoThroughTheMiddlesOfItems) {
  const std::string svg =
      chart_element(SequenceChart{"T", "x", "y", {{"one", {4, 0}}}, false}, "a");
  const std::vector<double> x = numbers(svg, "d=\"M([0-9.]+),[0-9.]+L");
  EXPECT_THAT(x, ElementsAre(52 + 354 / 4.0));
  const std::vector<double> high = numbers(svg, "d=\"M[0-9.]+,([0-9.]+)L");
  const std::vector<double> low = numbers(svg, "d=\"M[0-9.]+,[0-9.]+L[0-9.]+,([0-9.]+)\"");
  ASSERT_EQ(low.size(), 1U);
  EXPECT_DOUBLE_EQ(low[0] - high.at(0), 150);
  EXPECT_THAT(svg, HasSubstr("one: from 0 to 4.00."));
}

TEST(SequenceChart, MayBeEmpty) {
  EXPECT_THAT(charts_file({SequenceChart{"T", "x", "y", {{"one", {}}}, true}}), HasSubstr(">T<"));
}

}  // namespace
}  // namespace millrace::tools
