// SPDX-License-Identifier: Apache-2.0

// Checks that people can distinguish the colours, whatever colours they see.
#include <millrace/tools/report/chart/chart_colours.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace millrace::tools {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr double kTextContrast = 4.5;    // WCAG 2.2, 1.4.3.
constexpr double kGraphicsContrast = 3;  // WCAG 2.2, 1.4.11.
constexpr double kLeastDistance = 0.06;  // Distance in Oklab, where black is 1 from white.

// Linear RGB as seen without cones of one kind: Machado, Oliveira and Fernandes, "A
// physiologically-based model for simulation of color vision deficiency", 2009, severity 1.
constexpr Matrix kViews[] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                             {{{0.152286, 1.052583, -0.204868},
                               {0.114503, 0.786281, 0.099216},
                               {-0.003882, -0.048116, 1.051998}}},
                             {{{0.367322, 0.860646, -0.227968},
                               {0.280085, 0.672501, 0.047413},
                               {-0.011820, 0.042940, 0.968881}}},
                             {{{1.255528, -0.076749, -0.178779},
                               {-0.078411, 0.930809, 0.147602},
                               {0.004733, 0.691367, 0.303900}}}};

Triple times(const Matrix& matrix, const Triple& v) {
  Triple result = {};
  for (int i = 0; i < 3; ++i)
    result[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  return result;
}

// "#rrggbb" of sRGB.
Triple linear(const std::string& colour) {
  Triple result = {};
  for (int i = 0; i < 3; ++i) {
    const double c = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    result[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return result;
}

double contrast(const std::string& a, const std::string& b) {
  const auto luminance = [](const std::string& colour) {
    const Triple rgb = linear(colour);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2] + 0.05;
  };
  const double first = luminance(a);
  const double second = luminance(b);
  return std::max(first, second) / std::min(first, second);
}

// Ottosson, "A perceptual color space for image processing", 2020.
Triple oklab(Triple rgb) {
  for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
  Triple lms = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                       {0.2119034982, 0.6806995451, 0.1073969566},
                       {0.0883024619, 0.2817188376, 0.6299787005}}},
                     rgb);
  for (double& c : lms) c = std::cbrt(c);
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               lms);
}

// Returns the least distance of all kinds of colour vision.
double least_distance(const std::string& a, const std::string& b) {
  double least = 9;
  for (const Matrix& view : kViews) {
    const Triple first = oklab(times(view, linear(a)));
    const Triple second = oklab(times(view, linear(b)));
    least = std::min(least,
                     std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]));
  }
  return least;
}

class ChartColoursTest : public testing::TestWithParam<ChartColours> {};

TEST_P(ChartColoursTest, TextIsReadable) {
  EXPECT_GE(contrast(GetParam().ink, GetParam().paper), kTextContrast);
  EXPECT_GE(contrast(GetParam().muted, GetParam().paper), kTextContrast);
}

TEST_P(ChartColoursTest, LinesStandOut) {
  for (const char* const line : GetParam().lines) {
    EXPECT_GE(contrast(line, GetParam().paper), kGraphicsContrast) << line;
  }
}

TEST_P(ChartColoursTest, LinesDifferToEveryone) {
  const auto& lines = GetParam().lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(least_distance(lines[i], lines[j]), kLeastDistance) << lines[i] << ' ' << lines[j];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, ChartColoursTest, testing::Values(kLightColours, kDarkColours));

// Arbitrary colours do not satisfy the demands above.
TEST(ChartColours, RedAndGreenAreAlikeToMany) {
  EXPECT_LT(least_distance("#c02020", "#6a6a00"), kLeastDistance);
}

}  // namespace
}  // namespace millrace::tools
