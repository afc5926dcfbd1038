// SPDX-License-Identifier: Apache-2.0

// Times of pictures as a VideoReader has them.
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/timed_clip.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

const std::vector<std::int64_t> kUneven = {0,    40,   41,   100,  500,  540,  580,
                                           2000, 2001, 2007, 2100, 2140, 2180, 2220,
                                           9000, 9040, 9080, 9120, 9160};

class PictureTimesTest : public VideoReaderTest {
 protected:
  static std::vector<std::int64_t> times_of(const std::string& clip, int threads,
                                            std::int64_t ticks_a_second) {
    VideoReader reader(clip, {.threads = threads});
    const TimeBase clock = reader.time_base().value();
    // The clock may be finer.
    EXPECT_EQ(clock.denominator % (ticks_a_second * clock.numerator), 0);
    const std::int64_t finer = clock.denominator / clock.numerator / ticks_a_second;
    std::vector<std::int64_t> times;
    Picture picture;
    while (reader.next(picture)) {
      EXPECT_EQ(reader.time().begin % finer, 0);
      EXPECT_GT(reader.time().duration, 0);
      times.push_back(reader.time().begin / finer);
    }
    return times;
  }
};

TEST_F(PictureTimesTest, AreThoseOfTheContainer) {
  for (const std::string name : {"a.mp4", "a.mkv", "a.mov", "a.nut"}) {
    write_timed_clip(path(name), {.times = kUneven});
    for (const int threads : {1, 2, 16}) {
      EXPECT_EQ(times_of(path(name), threads, 1000), kUneven) << name << ", " << threads;
    }
  }
}

TEST_F(PictureTimesTest, CountFromTheBeginOfTheClip) {
  std::vector<std::int64_t> late = kUneven;
  for (std::int64_t& time : late) time += 700;
  write_timed_clip(path("alone.mkv"), {.times = late});
  EXPECT_EQ(times_of(path("alone.mkv"), 1, 1000), kUneven);
  write_timed_clip(path("behind_sound.mkv"), {.times = late, .has_sound = true});
  EXPECT_EQ(times_of(path("behind_sound.mkv"), 1, 1000), late);
}

TEST_F(PictureTimesTest, TheRateOfUnevenTimesIsTheirMean) {
  const double seconds = static_cast<double>(kUneven.back() + 40) / 1000;
  for (const std::string name : {"a.mp4", "a.mov"}) {
    write_timed_clip(path(name), {.times = kUneven});
    const FrameRate rate = VideoReader(path(name)).frame_rate();
    EXPECT_NEAR(static_cast<double>(rate.numerator) / rate.denominator,
                static_cast<double>(kUneven.size()) / seconds, 1e-3)
        << name;
  }
  // Matroska does not say how many frames there are.
  write_timed_clip(path("a.mkv"), {.times = kUneven});
  EXPECT_LE(VideoReader(path("a.mkv")).frame_rate().numerator, 240);
}

TEST_F(PictureTimesTest, ALostPictureIsAGap) {
  MadeMov clip{.frames = 6, .empty = {2}};
  EXPECT_EQ(times_of(put("a.mov", mov_bytes(clip)), 1, 25),
            (std::vector<std::int64_t>{0, 1, 3, 4, 5}));
  clip.empty = {};
  clip.durations = {24, 48, 24};
  EXPECT_EQ(times_of(put("b.mov", mov_bytes(clip)), 1, 25),
            (std::vector<std::int64_t>{0, 1, 3, 4, 5, 6}));
}

TEST_F(PictureTimesTest, TheLastPictureHasADuration) {
  write_timed_clip(path("a.mp4"), {.times = {0, 40, 100}, .last_duration = 77});
  VideoReader reader(path("a.mp4"));
  Picture picture;
  while (reader.next(picture)) {
  }
  const TimeBase clock = reader.time_base().value();
  EXPECT_EQ(reader.time().duration * clock.numerator * 1000, 77 * std::int64_t{clock.denominator});
}

TEST_F(PictureTimesTest, ClipsOfARateHaveNone) {
  EXPECT_FALSE(VideoReader(put_y4m("a.y4m", {.width = 16, .height = 16}, 2)).time_base());
  EXPECT_FALSE(VideoReader(put("a_16x16.yuv", std::string(384, 'a'))).time_base());
  EXPECT_FALSE(VideoReader(put("a.264", h264_bytes({}))).time_base());
}

TEST_F(PictureTimesTest, AReaderThatKeepsThemHasNoNoteOfDurations) {
  VideoReader reader(put("a.mov", mov_bytes({.durations = {24, 300, 24}})));
  Picture picture;
  while (reader.next(picture)) {
  }
  EXPECT_EQ(reader.irregularities().size(), 1U);
  EXPECT_TRUE(reader.irregularities(/*keeps_times=*/true).empty());
}

}  // namespace
}  // namespace millrace::tools
