#include <millrace/tools/benchmark/chart.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

using testing::HasSubstr;

std::string drawn(const std::vector<Chart>& charts) {
  const auto path = std::filesystem::path(testing::TempDir()) / "chart.svg";
  write_charts(path.string(), charts);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Chart, HasALineForEachOfALineChart) {
  const std::string svg =
      drawn({LineChart{"T", "x", "y", {{"one", {{1, 2}, {10, 3}}}, {"other", {{1, 5}}}}}});
  for (const char* const word : {"T<", ">x<", ">y<", ">one<", ">other<", ">1e0<", ">1e1<"}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
}

TEST(Chart, NamesOfLinesThatMeetAreApart) {
  const std::string svg =
      drawn({LineChart{"T", "x", "y", {{"one", {{1, 5}}}, {"other", {{1, 5}}}}}});
  const std::regex name("y='([0-9.]+)' [^>]*>(one|other)<");
  std::vector<double> places;
  for (std::sregex_iterator at(svg.begin(), svg.end(), name), end; at != end; ++at) {
    places.push_back(std::stod((*at)[1]));
  }
  ASSERT_EQ(places.size(), 2U);
  EXPECT_GE(places[1], places[0] + 12);
}

// What the bars are as high as.
std::vector<double> heights(const std::string& svg) {
  std::vector<double> heights;
  const std::regex bar("<rect x=[^>]* height='([0-9.]+)' fill");
  for (std::sregex_iterator at(svg.begin(), svg.end(), bar), end; at != end; ++at) {
    heights.push_back(std::stod((*at)[1]));
  }
  return heights;
}

TEST(Chart, PartsOfBarsAreAsHighAsTheirFigures) {
  const std::string svg =
      drawn({BarChart{"T", "ms", {"below", "above"}, {{"a", {3, 5}}, {"b + c + d", {0, 2}}}}});
  const std::vector<double> found = heights(svg);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NEAR(found[0] / found[3], 1.5, 1e-3);
  EXPECT_NEAR(found[1] / found[3], 2.5, 1e-3);
  EXPECT_EQ(found[2], 0);
  for (const char* const word : {">below<", ">above<", ">a<", ">b<", ">+ c<", ">+ d<", ">8<"}) {
    EXPECT_THAT(svg, HasSubstr(word));
  }
}

TEST(Chart, OfNothingButZerosIsDrawn) {
  EXPECT_EQ(heights(drawn({BarChart{"T", "ms", {"part"}, {{"a", {0}}}}})), std::vector<double>{0});
}

TEST(Chart, SaysWhichFileItCannotWrite) {
  try {
    write_charts("/nowhere/chart.svg", {});
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/chart.svg"));
  }
}

}  // namespace
}  // namespace millrace::tools
