// SPDX-License-Identifier: Apache-2.0

// Clips that are turned, irregular, incomplete or of strange names.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

TEST_F(VideoReaderTest, RemembersAspectAndFields) {
  const Y4mFormat format = {
      .width = 16, .height = 16, .aspect = {10, 11}, .field_order = FieldOrder::kBottomFirst};
  const VideoReader reader(put_y4m("a.y4m", format, 1));
  EXPECT_EQ(reader.aspect().numerator, 10);
  EXPECT_EQ(reader.aspect().denominator, 11);
  EXPECT_EQ(reader.field_order(), FieldOrder::kBottomFirst);
  const VideoReader mov(put("a.mov", mov_bytes({.aspect = {16, 11}})));
  EXPECT_EQ(mov.aspect().numerator, 16);
  EXPECT_EQ(mov.aspect().denominator, 11);
  EXPECT_FALSE(is_interlaced(mov.field_order()));
}

TEST_F(VideoReaderTest, TurnsPicturesAsTheContainerSays) {
  const std::int32_t one = 0x10000;
  const std::int32_t end = 0x40000000;
  const int width = 32;
  const int height = 16;
  const struct {
    std::vector<std::int32_t> matrix;
    bool is_upright;
    int (*x)(int, int);  // Position in the stored picture.
    int (*y)(int, int);
    const char* note;
  } kCases[] = {
      {{0, one, 0, -one, 0, 0, 0, 0, end},
       false,
       [](int, int y) { return y; },
       [](int x, int) { return height - 1 - x; },
       "pictures are rotated by 90 degrees, as the container says"},
      {{-one, 0, 0, 0, -one, 0, 0, 0, end},
       true,
       [](int x, int) { return width - 1 - x; },
       [](int, int y) { return height - 1 - y; },
       "pictures are rotated by 180 degrees, as the container says"},
      {{0, -one, 0, one, 0, 0, 0, 0, end},
       false,
       [](int, int y) { return width - 1 - y; },
       [](int x, int) { return x; },
       "pictures are rotated by 270 degrees, as the container says"},
      {{-one, 0, 0, 0, one, 0, 0, 0, end},
       true,
       [](int x, int) { return width - 1 - x; },
       [](int, int y) { return y; },
       "pictures are flipped left to right, as the container says"},
  };
  for (const auto& turn : kCases) {
    VideoReader reader(put("a.mov", mov_bytes({.matrix = turn.matrix, .aspect = {2, 1}})));
    EXPECT_EQ(reader.turned(), turn.note);
    EXPECT_EQ(reader.width(), turn.is_upright ? width : height);
    EXPECT_EQ(reader.height(), turn.is_upright ? height : width);
    EXPECT_EQ(reader.aspect().numerator, turn.is_upright ? 2 : 1);
    Picture picture;
    ASSERT_TRUE(reader.next(picture));
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        ASSERT_EQ(picture.plane(0).row(y)[x], made_luma(turn.x(x, y), turn.y(x, y), 0))
            << turn.note << " at " << x << ", " << y;
      }
    }
  }
}

TEST_F(VideoReaderTest, SkipsEmptySamples) {
  const struct {
    std::vector<int> empty;
    const char* result;
  } kCases[] = {
      {{}, "6"},
      {{0}, "5; 1 empty sample skipped, for which players repeat the picture before"},
      {{2}, "5; 1 empty sample skipped, for which players repeat the picture before"},
      {{5}, "5; 1 empty sample skipped, for which players repeat the picture before"},
      {{1, 2, 4}, "3; 3 empty samples skipped, for which players repeat the picture before"},
  };
  for (const auto& [empty, result] : kCases) {
    EXPECT_EQ(read_through(put("a.mov", mov_bytes({.empty = empty}))), result);
  }
}

TEST_F(VideoReaderTest, SaysWhenFramesLastForDifferentTimes) {
  const auto said = [&](const MadeMov& clip) {
    return read_through(put("a.mov", mov_bytes(clip)));
  };
  EXPECT_TRUE(said({.durations = {24, 24, 300, 24}})
                  .starts_with("6; frames last from 40 to 500 ms (variable frame rate)"));
  EXPECT_EQ(said({.durations = {24, 25, 24}}), "6");  // Rounded.
  // An empty chunk of AVI is a frame that was dropped.
  EXPECT_TRUE(read_through(put("a.avi", avi_bytes({.empty = {2}})))
                  .starts_with("3; frames last from 40 to 80 ms (variable frame rate)"));
}

TEST_F(VideoReaderTest, ReadsAviOfWhateverSizeItSays) {
  for (const std::optional<std::uint32_t> size :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0),
        std::optional<std::uint32_t>(0xFFFFFFFF), std::optional<std::uint32_t>(100'000)}) {
    EXPECT_EQ(read_through(put("a.avi", avi_bytes({.riff_size = size}))), "4");
  }
}

TEST_F(VideoReaderTest, CountsPicturesThatAStreamHasLost) {
  const auto losses = [](int lost, int concealed) {
    return "; the stream has lost pictures: " + std::to_string(lost) + " lost or not decodable, " +
           std::to_string(concealed) + " decoded with concealed errors";
  };
  const struct {
    MadeH264 clip;
    std::string result;
  } kCases[] = {
      {{}, "16"},
      {{.lost = {3}}, "15" + losses(1, 4)},
      {{.lost = {3, 4}}, "14" + losses(2, 3)},
      {{.lost = {7}}, "15"},  // The last before a key picture leaves no trace.
      {{.lost = {3, 10}}, "14" + losses(2, 4 + 5)},
      {{.lost = {3}, .allows_gaps = true}, "15"},
      {{.begin = 3}, "8" + losses(5, 0)},
  };
  for (const auto& [clip, result] : kCases) {
    EXPECT_EQ(read_through(put("a.h264", h264_bytes(clip))), result);
  }
}

// The decoder drops pictures that seem to be older than those it has shown.
TEST_F(VideoReaderTest, EveryPictureAfterALostKeyPictureIsShownOrCounted) {
  VideoReader reader(put("a.h264", h264_bytes({.lost = {8}})));
  Picture picture;
  std::int64_t frames = 0;
  while (reader.next(picture)) ++frames;
  EXPECT_EQ(frames + reader.losses().lost, 16);
  EXPECT_GT(reader.losses().concealed, 0);
}

TEST_F(VideoReaderTest, AStreamWithoutAKeyPictureHasNoFrames) {
  EXPECT_EQ(error_of(put("a.h264", h264_bytes({.frames = 7, .begin = 1}))),
            "no frames: the key picture that its 6 pictures refer to is missing; give a clip that "
            "has it");
}

TEST_F(VideoReaderTest, ANameIsAName) {
  const std::string bytes = avi_bytes({});
  for (const char* const name : {"a%d.avi", "my%20clip.avi", "100%.avi", "50%% off.avi", "a*b?.avi",
                                 "a b.avi", "[a].avi", "file:a.avi", "-.avi", "a|b.avi"}) {
    EXPECT_EQ(error_of(put(name, bytes)), "no error") << name;
  }
}

TEST_F(VideoReaderTest, APatternStandsForPicturesOfManyFiles) {
  for (int i = 7; i < 10; ++i) {
    put("shot" + std::to_string(i) + ".pgm",
        "P5 32 16 255\n" + std::string(512, static_cast<char>(i)));
  }
  for (const char* const pattern : {"shot%d.pgm", "shot*.pgm", "shot?.pgm"}) {
    VideoReader reader(path(pattern), {.is_pattern = true});
    Picture picture;
    for (int i = 7; i < 10; ++i) {
      ASSERT_TRUE(reader.next(picture)) << pattern;
      EXPECT_EQ(picture.plane(0).row(3)[3], i) << pattern;
    }
    EXPECT_FALSE(reader.next(picture));
  }
  put("shot%d.pgm", "P5 32 16 255\n" + std::string(512, 'x'));
  EXPECT_EQ(read_through(path("shot%d.pgm")), "1");
}

}  // namespace
}  // namespace millrace::tools
