// SPDX-License-Identifier: Apache-2.0

// Helpers for tests of clips: a folder for them, and readers to their end.
#ifndef MILLRACE_TOOLS_VIDEO_VIDEO_READER_TEST_H_
#define MILLRACE_TOOLS_VIDEO_VIDEO_READER_TEST_H_

#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace millrace::tools {

inline std::uint8_t sample(int frame, int plane, int x, int y) {
  return static_cast<std::uint8_t>(16 + (frame * 31 + plane * 17 + x * 3 + y * 5) % 200);
}

inline Picture make_picture(int width, int height, int frame) {
  Picture picture(width, height);
  for (int i = 0; i < Picture::kPlanes; ++i) {
    const PicturePlane plane = picture.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      for (int x = 0; x < plane.width; ++x) plane.row(y)[x] = sample(frame, i, x, y);
    }
  }
  picture.pad();
  return picture;
}

// Compares the padding as well.
inline bool same(const Picture& a, const Picture& b) {
  for (int i = 0; i < Picture::kPlanes; ++i) {
    for (int y = 0; y < a.plane(i).padded_height; ++y) {
      const std::uint8_t* row = a.plane(i).row(y);
      if (!std::equal(row, row + a.plane(i).padded_width, b.plane(i).row(y))) return false;
    }
  }
  return a.width() == b.width() && a.height() == b.height();
}

class VideoReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/video_reader_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string put_y4m(const std::string& name, Y4mFormat format, int frames) const {
    std::ofstream file(path(name), std::ios::binary);
    Y4mWriter writer(file, format);
    for (int i = 0; i < frames; ++i) writer.write(make_picture(format.width, format.height, i));
    return path(name);
  }

  std::filesystem::path folder_;
};

// Returns the message of the error of opening and reading to the end, without the path.
inline std::string error_of(const std::string& path, ErrorCode code = ErrorCode::kIo,
                            VideoReaderOptions options = {}) {
  try {
    VideoReader reader(path, options);
    Picture picture;
    while (reader.next(picture)) {
    }
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(message.find('\n'), message.npos);
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    return message.substr(path.size() + 2);
  }
  return "no error";
}

// Returns the number of frames and the notes about irregularities.
inline std::string read_through(const std::string& clip, const VideoReaderOptions& options = {}) {
  VideoReader reader(clip, options);
  Picture picture;
  int frames = 0;
  while (reader.next(picture)) ++frames;
  std::string text = std::to_string(frames);
  for (const std::string& sentence : reader.irregularities()) text += "; " + sentence;
  return text;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_VIDEO_READER_TEST_H_
