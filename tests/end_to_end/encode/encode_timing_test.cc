// SPDX-License-Identifier: Apache-2.0

// Times of pictures, from clips to containers.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tools/video/libav_clips.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/timed_clip.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using tools::begins_of;
using tools::packet_times;
using tools::PictureTime;
using tools::TimeBase;

constexpr TimeBase kMilliseconds = {1, 1000};

class EncodeTimingTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    // Steps of 1 to 900 ms.
    for (std::int64_t i = 0, time = 0; i < 40; ++i) {
      times_.push_back(time);
      time += 1 + (i * i * 7919 + 13 * i) % 900;
    }
  }

  // Encodes by a quick search; returns what the command wrote to standard error.
  std::string encode(const std::string& clip, const std::string& out,
                     const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"encode",  clip, "-o",    out, "--search", "hexagon",
                                          "--range", "8",  "--gop", "5", "--force"};
    if (std::ranges::find(options, "--device") == options.end()) {
      arguments.insert(arguments.end(), {"--device", "tbb"});
    }
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    return finished.err;
  }

  std::vector<std::int64_t> begins(const std::string& name) const {
    return begins_of(packet_times(path(name), kMilliseconds));
  }

  std::vector<std::int64_t> times_;
};

const std::vector<std::string> kContainers = {"out.mp4", "out.mkv"};

TEST_F(EncodeTimingTest, UnevenTimesAreKept) {
  for (const std::string clip : {"clip.mp4", "clip.mkv"}) {
    tools::write_timed_clip(path(clip), {.times = times_});
    ASSERT_EQ(begins(clip), times_);
    for (const std::string& out : kContainers) {
      EXPECT_EQ(encode(clip, out), "") << clip;
      EXPECT_EQ(begins(out), times_) << clip << " to " << out;
    }
  }
}

// B pictures are stored in another order than they are shown.
TEST_F(EncodeTimingTest, PicturesOfAnotherOrderKeepTheirTimes) {
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < 50; ++i) expected.push_back(40 * i + i * i % 7 * 5);
  write_y4m(path("clip.y4m"), {.frames = 50});
  tools::write_encoded_clip(path("clip.mp4"), {.width = 64,
                                               .height = 48,
                                               .frames = read_y4m(path("clip.y4m")).frames,
                                               .clock = kMilliseconds,
                                               .times = expected,
                                               .options = {{"bf", "2"}}});
  const std::vector<std::int64_t> stored = begins("clip.mp4");
  ASSERT_FALSE(std::ranges::is_sorted(stored));
  for (const std::string& out : kContainers) {
    encode("clip.mp4", out);
    EXPECT_EQ(begins(out), expected) << out;
  }
}

// Groups end at cuts, and several are encoded at once.
TEST_F(EncodeTimingTest, TimesAreKeptAcrossSceneCuts) {
  tools::write_timed_clip(path("clip.mkv"), {.times = times_, .cuts = {3, 9, 17, 38}});
  for (const std::string& out : kContainers) {
    encode("clip.mkv", out, {"--json", "out.json"});
    const auto json = nlohmann::json::parse(bytes("out.json"));
    for (const int cut : {3, 9, 17, 38}) EXPECT_TRUE(json.at("pictures")[cut].at("is_idr")) << cut;
    EXPECT_EQ(begins(out), times_) << out;
  }
}

TEST_F(EncodeTimingTest, AClockFinerThanMillisecondsIsExactInMp4) {
  constexpr TimeBase kClock = {1, 90'000};
  std::vector<std::int64_t> ticks;
  for (const std::int64_t time : times_) ticks.push_back(91 * time + time % 7);
  tools::write_timed_clip(path("clip.mp4"), {.clock = kClock, .times = ticks, .last_duration = 77});
  encode("clip.mp4", "out.mp4");
  const std::vector<PictureTime> kept = packet_times(path("out.mp4"), kClock);
  EXPECT_EQ(begins_of(kept), ticks);
  EXPECT_EQ(kept.back().duration, 77);
}

TEST_F(EncodeTimingTest, FramesThatAreLeftOutChangeNoTimes) {
  constexpr std::size_t kFrames = 13;
  tools::write_timed_clip(path("clip.mp4"), {.times = times_});
  const std::vector<std::int64_t> expected(times_.begin(), times_.begin() + kFrames);
  for (const std::string& out : kContainers) {
    encode("clip.mp4", out, {"--frames", std::to_string(kFrames)});
    EXPECT_EQ(begins(out), expected) << out;
  }
  const std::vector<PictureTime> kept = packet_times(path("out.mp4"), kMilliseconds);
  EXPECT_EQ(kept.back().duration, times_[kFrames] - times_[kFrames - 1]);
}

TEST_F(EncodeTimingTest, ADeviceThatDoesThePicturesKeepsThem) {
  times_.resize(12);
  tools::write_timed_clip(path("clip.mp4"), {.times = times_});
  encode("clip.mp4", "out.mp4", {"--device", "simt:0", "--on-device", "pictures"});
  EXPECT_EQ(begins("out.mp4"), times_);
}

TEST_F(EncodeTimingTest, AnEmptySampleIsAGap) {
  put("clip.mov", tools::mov_bytes({.frames = 12, .empty = {6, 7}}));
  const std::vector<std::int64_t> expected = {0, 40, 80, 120, 160, 200, 320, 360, 400, 440};
  for (const std::string& out : kContainers) {
    encode("clip.mov", out);
    EXPECT_EQ(begins(out), expected) << out;
  }
}

TEST_F(EncodeTimingTest, APictureThatBeginsBehindTheSoundStillDoes) {
  for (std::int64_t& time : times_) time += 730;
  tools::write_timed_clip(path("clip.mkv"), {.times = times_, .has_sound = true});
  for (const std::string& out : kContainers) {
    encode("clip.mkv", out);
    EXPECT_EQ(begins(out), times_) << out;
  }
}

TEST_F(EncodeTimingTest, APipeGetsTheTimes) {
  for (const std::int64_t late : {0, 730}) {
    for (std::int64_t& time : times_) time += late;
    tools::write_timed_clip(path("clip.mkv"), {.times = times_, .has_sound = true});
    const Finished finished =
        run_shell(folder_,
                  "rm -f p.mp4; mkfifo p.mp4; cat p.mp4 >out.mp4 & "
                  "$M encode clip.mkv --search hexagon --device tbb -o p.mp4 && wait");
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    EXPECT_EQ(begins("out.mp4"), times_);
  }
}

TEST_F(EncodeTimingTest, ClipsThatAreEncodedAtOnceKeepTheirOwn) {
  std::vector<std::int64_t> other = times_;
  for (std::int64_t& time : other) time *= 2;
  tools::write_timed_clip(path("first.mkv"), {.times = times_});
  tools::write_timed_clip(path("second.mkv"), {.times = other});
  const Finished finished = run({"encode", "first.mkv", "second.mkv", "--search", "hexagon",
                                 "--device", "tbb", "-o", "out/"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_EQ(begins("out/first.mp4"), times_);
  EXPECT_EQ(begins("out/second.mp4"), other);
}

// A byte stream and a reconstruction have one rate.
TEST_F(EncodeTimingTest, AByteStreamHasOneRateAndSaysSo) {
  tools::write_timed_clip(path("clip.mkv"), {.times = times_});
  const std::string said = encode("clip.mkv", "out.264");
  EXPECT_NE(said.find("ms (variable frame rate); they are taken as of one rate, "),
            std::string::npos)
      << said;
}

TEST_F(EncodeTimingTest, ClipsWithoutTimesHaveTheirRateExactly) {
  constexpr TimeBase kFrame = {1001, 30'000};
  constexpr int kFrames = 33;
  write_raw(path("clip_64x48.yuv"), {.frames = kFrames});
  write_y4m(path("clip.y4m"), {.frames = kFrames});
  std::string y4m = bytes("clip.y4m");
  const std::size_t rate = y4m.find("F25:1 ");
  ASSERT_NE(rate, std::string::npos);
  put("clip.y4m", y4m.replace(rate, 6, "F30000:1001 "));
  std::vector<std::int64_t> expected;
  for (int i = 0; i < kFrames; ++i) expected.push_back(i);

  encode("clip.y4m", "out.mp4");
  EXPECT_EQ(begins_of(packet_times(path("out.mp4"), kFrame)), expected);
  encode("clip_64x48.yuv", "out.mp4");
  EXPECT_EQ(begins_of(packet_times(path("out.mp4"), {1, 25})), expected);
  encode("clip.y4m", "out.264");
  encode("out.264", "again.mp4");
  EXPECT_EQ(begins_of(packet_times(path("again.mp4"), kFrame)), expected);
  // Matroska has milliseconds.
  encode("clip.y4m", "out.mkv");
  for (std::int64_t& time : expected) time = (time * 1001 + 15) / 30;
  EXPECT_EQ(begins("out.mkv"), expected);
}

}  // namespace
}  // namespace millrace::end_to_end
