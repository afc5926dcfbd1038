// SPDX-License-Identifier: Apache-2.0

// Clips that come by a pipe.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/made_clips.h>
#include <millrace/tools/video/video_reader.h>
#include <millrace/tools/video/video_reader_test.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace millrace::tools {
namespace {

class VideoPipeTest : public VideoReaderTest {
 protected:
  // Makes a named pipe and writes the bytes into it from another thread.
  std::string pipe_of(const std::string& name, const std::string& bytes) {
    const std::string pipe = path(name);
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    writers_.emplace_back([pipe, bytes] { std::ofstream(pipe, std::ios::binary) << bytes; });
    return pipe;
  }
  void SetUp() override {
    VideoReaderTest::SetUp();
    std::signal(SIGPIPE, SIG_IGN);  // Writers go on when a reader has given up.
  }
  void TearDown() override {
    for (std::thread& writer : writers_) writer.join();
    VideoReaderTest::TearDown();
  }

  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::vector<std::thread> writers_;
};

TEST_F(VideoPipeTest, ReadsEveryFormatThatNeedsNoIndex) {
  const std::string y4m = put_y4m("a.y4m", {.width = 64, .height = 48}, 4);
  EXPECT_EQ(read_through(pipe_of("y4m", bytes_of(y4m))), "4");
  EXPECT_EQ(read_through(pipe_of("avi", avi_bytes({}))), "4");
  EXPECT_EQ(read_through(pipe_of("h264", h264_bytes({}))), "16");
  EXPECT_EQ(read_through(pipe_of("raw", std::string(4 * 4608, 77)), {.width = 64, .height = 48}),
            "4");
  EXPECT_EQ(read_through(pipe_of("raw_64x48_422.yuv", std::string(3 * 6144, 77))), "3");
}

TEST_F(VideoPipeTest, SaysWhatCannotBeReadFromAPipe) {
  EXPECT_TRUE(error_of(pipe_of("mov", mov_bytes({.width = 256, .height = 128})))
                  .starts_with("cannot be read from a pipe, since its index is at the end or "
                               "missing; save it as a file"));
  EXPECT_EQ(error_of(pipe_of("empty", "")), "is empty; give a file that has a video");
  EXPECT_TRUE(error_of(pipe_of("text", std::string(5000, 'a'))).starts_with("not a video"));
}

TEST_F(VideoPipeTest, SaysWhereAPipeIsCut) {
  const std::string y4m = bytes_of(put_y4m("a.y4m", {.width = 64, .height = 48}, 4));
  EXPECT_EQ(error_of(pipe_of("y4m", y4m.substr(0, y4m.size() - 1000))),
            "truncated at frame 3: 1000 bytes are missing");
  EXPECT_EQ(
      error_of(pipe_of("raw", std::string(5000, 77)), ErrorCode::kIo, {.width = 64, .height = 48}),
      "truncated at frame 1: 4216 bytes are missing");
  const std::string avi = avi_bytes({});
  EXPECT_EQ(error_of(pipe_of("avi", avi.substr(0, avi.size() - 1500))),
            "truncated at frame 2: 1500 bytes are missing");
}

}  // namespace
}  // namespace millrace::tools
