// SPDX-License-Identifier: Apache-2.0

// Clips that several threads decode: pictures, errors and notes are those of one thread.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/clip_decoder.h>
#include <millrace/tools/video/decoder/clip_input.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::tools {
namespace {

constexpr int kThreads[] = {2, 3, 16};

class DecodingThreadsTest : public VideoReaderTest {
 protected:
  // Returns all that a reader says: hashes of the pictures and their times, losses, notes and the
  // error.
  static std::string read_by(int threads, const std::string& clip, int most_frames = 1000) {
    std::string text;
    try {
      VideoReader reader(clip, {.threads = threads});
      Picture picture;
      for (int i = 0; i < most_frames && reader.next(picture); ++i) {
        text += hash_of(picture) + ", " + std::to_string(reader.time().begin) + '\n';
      }
      text += "lost " + std::to_string(reader.losses().lost) + ", concealed " +
              std::to_string(reader.losses().concealed) + '\n';
      for (const std::string& sentence : reader.irregularities()) text += sentence + '\n';
    } catch (const Error& error) {
      text += error.what();
    }
    return text;
  }

  static std::string hash_of(const Picture& picture) {
    std::size_t hash = 0;
    for (int i = 0; i < Picture::kPlanes; ++i) {
      const ConstPicturePlane plane = picture.plane(i);
      for (int y = 0; y < plane.height; ++y) {
        const auto* const row = reinterpret_cast<const char*>(plane.row(y));
        hash = 31 * hash + std::hash<std::string_view>{}({row, std::size_t(plane.width)});
      }
    }
    return std::to_string(hash);
  }

  static void expect_equal(const std::string& clip) {
    for (const int most_frames : {5, 1000}) {
      const std::string expected = read_by(1, clip, most_frames);
      for (const int threads : kThreads) {
        EXPECT_EQ(read_by(threads, clip, most_frames), expected) << threads << " threads";
      }
    }
  }
};

// Returns the NAL units of a byte stream with their start codes.
std::vector<std::string> units_of(const std::string& stream) {
  const std::string code("\0\0\0\1", 4);
  std::vector<std::string> units;
  for (std::size_t begin = 0; begin < stream.size();) {
    const std::size_t end = std::min(stream.find(code, begin + 1), stream.size());
    units.push_back(stream.substr(begin, end - begin));
    begin = end;
  }
  return units;
}

// Returns the stream whose picture `damaged` is changed.
std::string with_damage(int damaged, const std::function<void(std::string&)>& damage) {
  std::vector<std::string> units = units_of(h264_bytes({.frames = 40}));
  damage(units.at(2 + static_cast<std::size_t>(damaged)));  // Parameter sets are the first two.
  std::string stream;
  for (const std::string& unit : units) stream += unit;
  return stream;
}

TEST_F(DecodingThreadsTest, SoundClipsAreReadByAllThreads) {
  const std::string clip = put("a.h264", h264_bytes({.frames = 40}));
  for (const int threads : kThreads) {
    ClipDecoder decoder(std::make_unique<ClipInput>(clip), threads);
    int frames = 0;
    while (decoder.next() != nullptr) ++frames;
    EXPECT_EQ(frames, 40);
    EXPECT_FALSE(decoder.is_in_doubt());
  }
  expect_equal(clip);
}

TEST_F(DecodingThreadsTest, ThreadsDoubtADamagedPicture) {
  const std::string clip =
      put("a.h264", with_damage(16, [](std::string& unit) { unit.resize(unit.size() / 2); }));
  for (const int threads : kThreads) {
    ClipDecoder decoder(std::make_unique<ClipInput>(clip), threads);
    int frames = 0;
    while (decoder.next() != nullptr) ++frames;
    EXPECT_LE(frames, 16);
    EXPECT_TRUE(decoder.is_in_doubt());
  }
}

TEST_F(DecodingThreadsTest, DamageIsNamedAtItsFrame) {
  for (const int frame : {8, 16, 32}) {
    const std::string clip =
        put("a.h264", with_damage(frame, [](std::string& unit) { unit.resize(unit.size() / 2); }));
    const std::string expected = "damaged at frame " + std::to_string(frame) + ' ';
    for (const int threads : kThreads) {
      const std::string error = error_of(clip, ErrorCode::kIo, {.threads = threads});
      EXPECT_TRUE(error.starts_with(expected)) << error << ", " << threads << " threads";
    }
    expect_equal(clip);
  }
}

TEST_F(DecodingThreadsTest, AnyPictureMayBeDamaged) {
  const std::function<void(std::string&)> kDamages[] = {
      [](std::string& unit) { unit.resize(5); },
      [](std::string& unit) { unit.pop_back(); },
      [](std::string& unit) { unit[5] = static_cast<char>(~unit[5]); },
      [](std::string& unit) { unit.back() = '\xff'; },
      [](std::string& unit) { unit += unit; },
      [](std::string& unit) { unit.clear(); },
  };
  for (const int frame : {0, 1, 7, 8, 9, 23, 24, 39}) {
    for (const auto& damage : kDamages) {
      SCOPED_TRACE(frame);
      expect_equal(put("a.h264", with_damage(frame, damage)));
    }
  }
}

// A frame comes with another one's packet if pictures are shown in another order.
TEST_F(DecodingThreadsTest, PicturesOfAnotherOrderMayBeDamaged) {
  std::ifstream file("tests/test_data/streams/testsrc2_64x64.264", std::ios::binary);
  const std::string clip{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(clip.empty());
  const std::string whole = clip + clip + clip;
  expect_equal(put("a.h264", whole));
  for (std::size_t position = 0; position < clip.size(); position += 61) {
    SCOPED_TRACE(position);
    std::string stream = whole;
    stream.replace(clip.size() + position, 4, "ZZZZ");
    expect_equal(put("a.h264", stream));
  }
}

TEST_F(DecodingThreadsTest, LossesAreCountedUpToTheFrameThatIsTaken) {
  for (const MadeH264& clip :
       std::vector<MadeH264>{{.frames = 40, .lost = {3, 20, 21}},
                             {.frames = 40, .lost = {8}},
                             {.frames = 40, .lost = {3}, .allows_gaps = true},
                             {.frames = 40, .begin = 3}}) {
    expect_equal(put("a.h264", h264_bytes(clip)));
  }
}

TEST_F(DecodingThreadsTest, SoAreEmptySamplesAndDurations) {
  expect_equal(put("a.mov", mov_bytes({.frames = 40, .empty = {2, 6, 30}})));
  expect_equal(put("a.mov", mov_bytes({.frames = 40, .durations = {24, 24, 24, 24, 24, 24, 300}})));
  expect_equal(put("a.avi", avi_bytes({.frames = 40, .empty = {7}})));
}

TEST_F(DecodingThreadsTest, ACutClipEndsAtTheSameFrame) {
  const std::string y4m = put_y4m("a.y4m", {.width = 64, .height = 48}, 12);
  std::filesystem::resize_file(y4m, std::filesystem::file_size(y4m) - 10'000);
  expect_equal(y4m);
  const std::string avi = avi_bytes({.frames = 40});
  expect_equal(put("a.avi", avi.substr(0, avi.size() / 2)));
}

}  // namespace
}  // namespace millrace::tools
