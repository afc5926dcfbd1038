// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/dwell_png.h>
#include <millrace/docs/examples/mandelbrot.h>
#include <millrace/docs/examples/mandelbrot_tasks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tests/conformance/conformance.h>

#include <png.h>

#include <complex>
#include <random>
#include <sstream>

namespace millrace::examples {
namespace {

Fixed fixed(double value) { return static_cast<Fixed>(value * (1 << kFractionBits)); }

// The same by complex numbers.
std::uint32_t dwell_by_definition(std::complex<double> c, std::uint32_t max_dwell) {
  std::complex<double> z = 0;
  std::uint32_t dwell = 0;
  while (dwell < max_dwell && std::norm(z) <= 4) {
    z = z * z + c;
    ++dwell;
  }
  return dwell;
}

TEST(Dwell, CountsTheStepsWithinTwo) {
  EXPECT_EQ(dwell_of(0, 0, 1000), 1000u);
  EXPECT_EQ(dwell_of(fixed(-2), 0, 1000), 1000u);  // z goes -2, 2, 2, ...
  EXPECT_EQ(dwell_of(fixed(3), 0, 1000), 1u);
  EXPECT_EQ(dwell_of(fixed(1), 0, 1000), 3u);  // 0, 1, 2, 5
  EXPECT_EQ(dwell_of(fixed(-1), 0, 7), 7u);
}

TEST(Dwell, StaysWithin64BitsAtTheCornersOfThePlane) {
  for (const double re : {-4.0, 4.0}) {
    for (const double im : {-4.0, 4.0}) EXPECT_EQ(dwell_of(fixed(re), fixed(im), 1000), 1u);
  }
}

TEST(Dwell, IsThatOfComplexNumbersWhereThatIsSmall) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-2, 2);
  for (int i = 0; i < 20'000; ++i) {
    const Fixed re = fixed(coordinate(random));
    const Fixed im = fixed(coordinate(random));
    const double unit = 1.0 / (1 << kFractionBits);
    const std::uint32_t expected =
        dwell_by_definition({static_cast<double>(re) * unit, static_cast<double>(im) * unit}, 10);
    ASSERT_EQ(dwell_of(re, im, 10), expected) << re << ", " << im;
  }
}

TEST(MandelbrotView, IsAPresetOrThreeNumbers) {
  for (const std::string& name : preset_views()) EXPECT_GT(parse_view(name).width, 0) << name;
  const MandelbrotView view = parse_view("-0.5,0.25,1e-2");
  EXPECT_EQ(view.re, -0.5);
  EXPECT_EQ(view.im, 0.25);
  EXPECT_EQ(view.width, 0.01);
}

TEST(MandelbrotView, OtherTextIsRejectedWithThePresets) {
  for (const char* text : {"", "nowhere", "1,2", "1,2,3,4", "1,2,3x"}) {
    try {
      parse_view(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_NE(std::string(error.what()).find("seahorses"), std::string::npos);
    }
  }
}

using MandelbrotTest = conformance::PolicyTest;

TEST_P(MandelbrotTest, ThePictureIsTheOneDrawnDirectly) {
  for (const auto& [width, height] :
       {std::pair(scaled(320, 64), scaled(200, 40)), std::pair(scaled(401, 75), scaled(157, 33))}) {
    for (const std::string& name : preset_views()) {
      for (const std::uint32_t max_dwell : {1u, 60u, 700u}) {
        const MandelbrotOptions options{.width = static_cast<int>(width),
                                        .height = static_cast<int>(height),
                                        .max_dwell = max_dwell,
                                        .view = parse_view(name),
                                        .run = {.policy = policy}};
        const MandelbrotResult result = draw_mandelbrot(*queue, options);
        const auto expected = draw_mandelbrot_directly(options);
        ASSERT_EQ(result.dwells.size(), expected.size());
        const std::size_t different = count_different(result.dwells, expected);
        const auto pixels = static_cast<double>(width * height);
        EXPECT_LE(static_cast<double>(different), kMissedPixels * pixels)
            << name << ", " << width << "x" << height << ", dwell " << max_dwell;
        EXPECT_LE(result.computed, expected.size());
        EXPECT_EQ(result.report.policy, policy);
      }
    }
  }
}

TEST_P(MandelbrotTest, TheWholeSetInsideOneRectangleIsNotFilledOver) {
  // All of the border has the same dwell.
  const MandelbrotOptions options{
      .width = 300, .height = 300, .view = {0, 0, 7.9}, .run = {.policy = policy}};
  const MandelbrotResult result = draw_mandelbrot(*queue, options);
  EXPECT_EQ(result.dwells, draw_mandelbrot_directly(options));
}

TEST_P(MandelbrotTest, LargeAreasAreFilled) {
  const MandelbrotOptions options{
      .width = 512, .height = 512, .view = {-0.1, 0, 0.2}, .run = {.policy = policy}};
  const MandelbrotResult result = draw_mandelbrot(*queue, options);  // Nothing escapes.
  EXPECT_EQ(result.dwells, std::vector<std::uint32_t>(512 * 512, options.max_dwell));
  EXPECT_EQ(result.report.tasks_by_type, (std::vector<std::uint64_t>{1, 0, 1}));
  EXPECT_EQ(result.computed, 4u * 511);
}

TEST_P(MandelbrotTest, AnySizeIsDrawnWhole) {
  for (const auto& [width, height] : {std::pair(1, 1), std::pair(15, 16), std::pair(16, 16),
                                      std::pair(17, 33), std::pair(500, 7), std::pair(3, 300)}) {
    const MandelbrotOptions options{
        .width = width, .height = height, .view = {-0.6, 0, 0.02}, .run = {.policy = policy}};
    EXPECT_EQ(draw_mandelbrot(*queue, options).dwells, draw_mandelbrot_directly(options))
        << width << "x" << height;
  }
}

TEST_P(MandelbrotTest, RejectsOptionsOutOfRange) {
  EXPECT_THROW(draw_mandelbrot(*queue, {.width = 0}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.height = 16385}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.max_dwell = 0}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.max_dwell = 1'000'001}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.view = {0, 0, 8.1}}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.view = {0, 3.9, 1}}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.view = {0, std::nan(""), 1}}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.view = {0, 0, 1e-6}}), Error);
  EXPECT_THROW(draw_mandelbrot(*queue, {.view = {std::nan(""), 0, 1}}), Error);
}

INSTANTIATE_TEST_SUITE_P(Examples, MandelbrotTest,
                         testing::Combine(testing::ValuesIn(conformance::device_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return conformance::name_of(info); });

TEST(DwellPng, CanBeReadBack) {
  const std::vector<std::uint32_t> dwells = {0, 1, 2, 50, 99, 100};
  std::ostringstream stream;
  write_dwell_png(dwells, 3, 2, 100, stream);
  const std::string file = stream.str();

  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()), 0);
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 2u);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  EXPECT_EQ(std::vector<std::uint8_t>(pixels.begin() + 15, pixels.end()),
            (std::vector<std::uint8_t>{6, 6, 14}));
  EXPECT_NE(std::vector<std::uint8_t>(pixels.begin(), pixels.begin() + 3),
            std::vector<std::uint8_t>(pixels.begin() + 9, pixels.begin() + 12));
}

}  // namespace
}  // namespace millrace::examples
