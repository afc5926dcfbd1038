// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/test_picture.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/maps/heat_map.h>
#include <millrace/tools/command/features/stream/run_stream.h>
#include <millrace/tools/command/features/testing/known_stream.h>
#include <millrace/tools/command/features/testing/memory_source.h>
#include <millrace/tools/command/features/testing/null_output.h>
#include <millrace/tools/files/test_folder.h>
#include <millrace/tools/video/canvas/rgb_canvas.h>
#include <millrace/tools/video/picture/picture.h>

#include <gtest/gtest.h>
#include <png.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using h264::MacroblockType;
using h264::SliceType;

using HeatMapTest = TestFolder;

h264::SamplePicture grey(int columns, int rows, std::uint8_t sample) {
  h264::SamplePicture samples(columns, rows);
  samples.fill(sample);
  return samples;
}

// Expects that all pixels of a macroblock are equal, and returns them.
Rgb colour_of(const RgbCanvas& canvas, int column) {
  const Rgb first = canvas.at(16 * column, 0);
  for (int y = 0; y < 16; ++y) {
    for (int x = 16 * column; x < 16 * column + 16; ++x) EXPECT_EQ(canvas.at(x, y), first);
  }
  return first;
}

// Half of a colour's component and half of the luma, which is rounded.
void expect_half_of_each(const Rgb& drawn, const Rgb& colour, int luma) {
  EXPECT_NEAR(drawn.red, (colour.red + luma) / 2.0, 0.5);
  EXPECT_NEAR(drawn.green, (colour.green + luma) / 2.0, 0.5);
  EXPECT_NEAR(drawn.blue, (colour.blue + luma) / 2.0, 0.5);
}

TEST(HeatMap, EqualQpsHaveOneTintAndOthersAnother) {
  h264::ParsedPicture picture =
      h264::made_picture(3, 1, SliceType::kP, MacroblockType::kInter16x16);
  picture.macroblocks[0].qp = 20;
  picture.macroblocks[1].qp = 40;
  picture.macroblocks[2].qp = 20;
  const RgbCanvas canvas = draw_heat(picture, HeatValue::kQp, grey(3, 1, 100));
  EXPECT_EQ(canvas.width(), 48);
  EXPECT_EQ(canvas.height(), 16);
  EXPECT_EQ(colour_of(canvas, 0), colour_of(canvas, 2));
  EXPECT_NE(colour_of(canvas, 0), colour_of(canvas, 1));
  expect_half_of_each(colour_of(canvas, 0), heat_colour(20 / 51.0), 100);
  expect_half_of_each(colour_of(canvas, 1), heat_colour(40 / 51.0), 100);
}

TEST(HeatMap, ThePictureIsSeenBelowTheTint) {
  const h264::ParsedPicture picture =
      h264::made_picture(1, 1, SliceType::kP, MacroblockType::kInter16x16);
  h264::SamplePicture samples = grey(1, 1, 40);
  samples.plane(0)[16 * 9 + 5] = 240;
  const RgbCanvas canvas = draw_heat(picture, HeatValue::kQp, samples);
  expect_half_of_each(canvas.at(5, 9), heat_colour(30 / 51.0), 240);
  expect_half_of_each(canvas.at(9, 5), heat_colour(30 / 51.0), 40);
}

TEST(HeatMap, BitsAreDrawnByTheLogarithmOfTheirSum) {
  h264::ParsedPicture picture =
      h264::made_picture(3, 1, SliceType::kP, MacroblockType::kInter16x16);
  picture.macroblocks[0].bits[0] = 2;
  picture.macroblocks[0].bits[3] = 9;
  picture.macroblocks[1].bits[2] = 11;
  picture.macroblocks[2].bits[2] = 2048;
  const RgbCanvas canvas = draw_heat(picture, HeatValue::kBits, grey(3, 1, 0));
  EXPECT_EQ(colour_of(canvas, 0), colour_of(canvas, 1));
  expect_half_of_each(colour_of(canvas, 2), heat_colour(1), 0);
  EXPECT_NE(colour_of(canvas, 1), colour_of(canvas, 2));
}

TEST(HeatMap, TypesHaveColoursOfTheirKinds) {
  h264::ParsedPicture picture = h264::made_picture(4, 1, SliceType::kP, MacroblockType::kPcm);
  picture.macroblocks[1].type = MacroblockType::kInter16x16;
  picture.macroblocks[2].type = MacroblockType::kPcm;
  picture.macroblocks[3].type = MacroblockType::kLost;
  const RgbCanvas canvas = draw_heat(picture, HeatValue::kType, grey(4, 1, 0));
  const Rgb magenta = colour_of(canvas, 0);
  EXPECT_GT(magenta.red, magenta.green);
  EXPECT_GT(magenta.blue, magenta.green);
  const Rgb blue = colour_of(canvas, 1);
  EXPECT_GT(blue.blue, blue.red);
  EXPECT_GT(blue.blue, blue.green);
  EXPECT_EQ(colour_of(canvas, 2), magenta);
  expect_half_of_each(colour_of(canvas, 3), {255, 255, 255}, 0);
}

TEST(HeatColour, GoesFromBlueToRed) {
  EXPECT_EQ(heat_colour(-1), heat_colour(0));
  EXPECT_EQ(heat_colour(2), heat_colour(1));
  EXPECT_GT(heat_colour(0).blue, heat_colour(0).red);
  EXPECT_GT(heat_colour(1).red, heat_colour(1).blue);
  EXPECT_EQ(heat_colour(0.5), (Rgb{64, 192, 64}));
}

TEST(HeatValue, OfAnotherNameIsRejected) {
  EXPECT_EQ(heat_value_named("QP"), HeatValue::kQp);
  EXPECT_THROW(heat_value_named("qp"), Error);
}

void draw(const std::string& file, const KnownStream& stream) {
  const auto heat = open_heat_map(HeatValue::kQp, file, false);
  MemorySource source(stream.bytes);
  NullOutput output;
  EXPECT_EQ(run_stream(source, {.consumers = {heat.get()}}, output).frames, stream.kPictures);
  heat->commit();
}

// Returns the samples of the frames of a y4m file, with the size that its header gives.
std::vector<std::string> frames_of(const std::string& clip, int width, int height) {
  const std::string size = " W" + std::to_string(width) + " H" + std::to_string(height) + " ";
  const std::string header = clip.substr(0, clip.find('\n') + 1);
  EXPECT_TRUE(header.starts_with("YUV4MPEG2" + size)) << header;
  const std::string mark = "FRAME\n";
  const auto samples = static_cast<std::size_t>(width * height * 3 / 2);
  std::vector<std::string> frames;
  for (std::size_t at = header.size(); at < clip.size(); at += mark.size() + samples) {
    EXPECT_EQ(clip.substr(at, mark.size()), mark);
    frames.push_back(clip.substr(at + mark.size(), samples));
  }
  return frames;
}

std::string samples_of(const Picture& picture) {
  std::string samples;
  for (int plane = 0; plane < 3; ++plane) {
    const int width = picture.plane(plane).width;
    for (int y = 0; y < picture.plane(plane).height; ++y) {
      samples.append(reinterpret_cast<const char*>(picture.plane(plane).row(y)),
                     static_cast<std::size_t>(width));
    }
  }
  return samples;
}

// Picture 1 has QP 40 in its first row and 30 in others; picture 2 has 26.
TEST_F(HeatMapTest, AClipHasAllPicturesAndAPngTheLast) {
  constexpr int kWidth = 16 * KnownStream::kColumns;
  constexpr int kHeight = 16 * KnownStream::kRows;
  const KnownStream stream = known_stream_of_three_pictures();
  draw(path("qp.y4m"), stream);
  draw(path("qp.png"), stream);
  const std::vector<std::string> frames = frames_of(text("qp.y4m"), kWidth, kHeight);
  ASSERT_EQ(frames.size(), 3U);

  const std::string bytes = text("qp.png");
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  ASSERT_EQ(image.width, static_cast<unsigned>(kWidth));
  ASSERT_EQ(image.height, static_cast<unsigned>(kHeight));
  image.format = PNG_FORMAT_RGB;
  std::vector<Rgb> pixels(PNG_IMAGE_SIZE(image) / sizeof(Rgb));
  ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
  RgbCanvas canvas(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      canvas.set(x, y, pixels[static_cast<std::size_t>(y * kWidth + x)]);
    }
  }
  Picture last;
  convert(canvas, last);
  EXPECT_EQ(samples_of(last), frames[2]);
  EXPECT_NE(frames[1], frames[2]);

  // Cb of picture 1: a chroma sample stands for 2 x 2 pixels.
  const auto cb = [&](std::size_t frame, int x, int y) {
    const int at = kWidth * kHeight + y / 2 * (kWidth / 2) + x / 2;
    return static_cast<std::uint8_t>(frames[frame][static_cast<std::size_t>(at)]);
  };
  EXPECT_EQ(cb(1, 2, 2), cb(1, 40, 12));   // QP 40
  EXPECT_EQ(cb(1, 2, 18), cb(1, 40, 70));  // QP 30
  EXPECT_NE(cb(1, 2, 2), cb(1, 2, 18));
  EXPECT_EQ(cb(2, 2, 2), cb(2, 40, 70));
}

}  // namespace
}  // namespace millrace::tools
