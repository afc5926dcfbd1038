// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/test_folder.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

using PositionedFileTest = TestFolder;

std::string text_at(const PositionedFile& file, std::uint64_t position, std::size_t bytes) {
  std::string text(bytes, '\0');
  file.read(position, text.data(), bytes);
  return text;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    return error.what();
  }
  return "";
}

TEST_F(PositionedFileTest, IsReadAtPositions) {
  const PositionedFile file = PositionedFile::open(put("letters", "abcdefgh"));
  EXPECT_EQ(file.name(), path("letters"));
  EXPECT_EQ(file.bytes(), 8U);
  EXPECT_EQ(text_at(file, 5, 3), "fgh");
  EXPECT_EQ(text_at(file, 0, 2), "ab");
  EXPECT_EQ(text_at(file, 8, 0), "");
}

TEST_F(PositionedFileTest, EndsBeforeWhatIsRead) {
  const PositionedFile file = PositionedFile::open(put("letters", "abcdefgh"));
  EXPECT_EQ(message_of([&] { text_at(file, 5, 4); }),
            path("letters") + ": became shorter while it was read; read it again when it is whole");
}

TEST_F(PositionedFileTest, IsAFileOrAPipe) {
  EXPECT_EQ(message_of([&] { PositionedFile::open("/dev/zero"); }),
            "/dev/zero: is no regular file and no pipe; give one of these");
  EXPECT_EQ(message_of([&] { PositionedFile::open(folder_); }),
            folder_.string() + ": is a directory, not a file; give a file");
  EXPECT_EQ(message_of([&] { PositionedFile::open(path("none")); }),
            path("none") + ": cannot be read: No such file or directory");
}

TEST_F(PositionedFileTest, APipeIsReadOnceAndAtPositions) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(is_pipe(path("pipe")));
  EXPECT_FALSE(is_pipe(put("file", "text")));
  std::string text(3'000'000, 'x');
  text.replace(2'999'990, 3, "end");
  std::thread writer([&] { std::ofstream(path("pipe")) << text; });
  const PositionedFile file = PositionedFile::open(path("pipe"), folder_);
  writer.join();
  EXPECT_EQ(file.name(), path("pipe"));
  EXPECT_EQ(file.bytes(), text.size());
  EXPECT_EQ(text_at(file, 2'999'988, 5), "xxend");
  const PositionedFile again = PositionedFile::open(path("pipe"));
  EXPECT_EQ(text_at(again, 0, 3), "xxx");
  std::ifstream stream(again.stream_path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
  EXPECT_EQ(entries(), 2);
}

TEST_F(PositionedFileTest, ADescriptorIsReadFromWhereItStands) {
  const int descriptor = open(put("letters", "abcdefgh").c_str(), O_RDONLY);
  lseek(descriptor, 3, SEEK_SET);
  const PositionedFile file = PositionedFile::open("/dev/fd/" + std::to_string(descriptor));
  close(descriptor);
  EXPECT_EQ(file.bytes(), 5U);
  EXPECT_EQ(text_at(file, 0, 2), "de");
}

TEST_F(PositionedFileTest, ADescriptorThatIsClosedIsAnError) {
  EXPECT_EQ(message_of([&] { PositionedFile::open("/dev/fd/1000"); }),
            "/dev/fd/1000: cannot be read: Bad file descriptor");
}

TEST_F(PositionedFileTest, ASignalEndsTheWaitForAWriter) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const InterruptGuard interrupt;
  std::raise(SIGTERM);
  EXPECT_THROW(PositionedFile::open(path("pipe")), Error);
}

// File systems give the number of a removed file to a new one.
TEST_F(PositionedFileTest, APipeThatTakesTheNameOfAnotherIsRead) {
  for (int i = 0; i < 50; ++i) {
    const std::string text = std::to_string(1000 + i);
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path("pipe")) << text; });
    const PositionedFile file = PositionedFile::open(path("pipe"), folder_);
    writer.join();
    ASSERT_EQ(text_at(file, 0, file.bytes()), text);
    fs::remove(path("pipe"));
  }
}

TEST_F(PositionedFileTest, WithoutANameIsWrittenAndReadBack) {
  PositionedFile file = PositionedFile::make_nameless(folder_, "for notes");
  EXPECT_TRUE(fs::is_empty(folder_));
  file.write(4, "efgh", 4);
  file.write(0, "abcd", 4);
  const PositionedFile moved = std::move(file);
  EXPECT_EQ(text_at(moved, 2, 4), "cdef");
  EXPECT_EQ(moved.name(), folder_.string() + " (for notes)");
}

TEST_F(PositionedFileTest, WithoutANameNeedsAFolder) {
  EXPECT_EQ(message_of([&] { PositionedFile::make_nameless(path("none"), "for notes"); }),
            path("none") + " (for notes): cannot be written: No such file or directory");
}

}  // namespace
}  // namespace millrace::tools
