// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/decoder/clip_input.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class ClipInputTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/clip_input_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  fs::path folder_;
};

std::string read_all(ClipInput& input) {
  std::string bytes(100'000, '\0');
  bytes.resize(input.read(bytes.data(), bytes.size()));
  return bytes;
}

std::string error_of(const std::string& path) {
  try {
    const ClipInput input(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    return error.what();
  }
  return "no error";
}

TEST_F(ClipInputTest, ShowsTheStartAndStillReadsIt) {
  const std::string bytes = "clip" + std::string(9000, 'x') + "end";
  ClipInput input(put("a", bytes));
  EXPECT_FALSE(input.is_pipe());
  EXPECT_EQ(input.size(), 9007);
  EXPECT_EQ(input.start(), bytes.substr(0, ClipInput::kStart));
  EXPECT_EQ(read_all(input), bytes);
  EXPECT_EQ(read_all(input), "");
}

TEST_F(ClipInputTest, ReadsANamedPipeThatIsWrittenInPieces) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(pipe, std::ios::binary);
    for (int i = 0; i < 3000; ++i) out << "piece" << std::flush;
  });
  ClipInput input(pipe);
  EXPECT_TRUE(input.is_pipe());
  EXPECT_EQ(input.size(), 0);
  EXPECT_EQ(input.start().size(), ClipInput::kStart);
  const std::string bytes = read_all(input);
  writer.join();
  EXPECT_EQ(bytes.size(), 15'000U);
  EXPECT_TRUE(bytes.ends_with("piecepiece"));
}

// The shell's <(...) gives such a name.
TEST_F(ClipInputTest, ReadsAnOpenDescriptorByItsName) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "bytes", 5), 5);
  close(ends[1]);
  for (const char* const folder : {"/dev/fd/", "/proc/self/fd/"}) {
    EXPECT_TRUE(is_clip_pipe(folder + std::to_string(ends[0])));
  }
  ClipInput input("/dev/fd/" + std::to_string(ends[0]));
  EXPECT_EQ(read_all(input), "bytes");
  close(ends[0]);
}

TEST_F(ClipInputTest, ReadsStandardInput) {
  const int before = dup(STDIN_FILENO);
  for (const char* const name : {"-", "/dev/stdin"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "bytes", 5), 5);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    ClipInput input(name);
    EXPECT_TRUE(input.is_pipe());
    EXPECT_EQ(read_all(input), "bytes") << name;
  }
  dup2(before, STDIN_FILENO);
  close(before);
}

// As inetd gives one. It cannot be opened by a name.
TEST_F(ClipInputTest, ReadsASocketAsAPipe) {
  const int before = dup(STDIN_FILENO);
  fs::create_symlink("/dev/stdin", path("link"));
  for (const std::string& name : {std::string("-"), std::string("/dev/stdin"), path("link")}) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ASSERT_EQ(write(ends[1], "bytes", 5), 5);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    EXPECT_TRUE(is_clip_pipe(name)) << name;
    ClipInput input(name);
    EXPECT_TRUE(input.is_pipe());
    EXPECT_EQ(read_all(input), "bytes") << name;
  }
  dup2(before, STDIN_FILENO);
  close(before);
}

TEST_F(ClipInputTest, KnowsStandardInput) {
  fs::create_symlink("/dev/stdin", path("link"));
  for (const std::string& name :
       {std::string("-"), std::string("/dev/stdin"), std::string("/dev//stdin"),
        std::string("/dev/fd/0"), std::string("/proc/self/fd/0"), path("link")}) {
    EXPECT_TRUE(is_standard_input(name)) << name;
  }
  for (const char* const name : {"", "--", "/dev/fd/", "/dev/fd/1", "/dev/fd/x", "stdin"}) {
    EXPECT_FALSE(is_standard_input(name)) << name;
  }
  EXPECT_FALSE(is_clip_pipe(put("file", "x")));
  EXPECT_FALSE(is_clip_pipe(folder_.string()));
  EXPECT_FALSE(is_clip_pipe(path("none")));
}

TEST_F(ClipInputTest, SaysWhatCannotBeRead) {
  EXPECT_EQ(error_of(path("none")), path("none") + ": cannot be read: No such file or directory");
  for (const char* const name : {"shot%03d.png", "shot*.png", "shot?.png"}) {
    EXPECT_EQ(error_of(path(name)),
              path(name) +
                  ": there is no such file; if this is a pattern of picture files, give --pattern");
  }
  EXPECT_EQ(error_of(folder_.string()),
            folder_.string() + ": is a directory, not a video; give a file");
  EXPECT_EQ(error_of(put("empty", "")), path("empty") + ": is empty; give a file that has a video");
  EXPECT_EQ(error_of("/dev/null"), "/dev/null: is empty; give a file that has a video");
}

}  // namespace
}  // namespace millrace::tools
