#include <millrace/tools/files/placed_file.h>

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class PlacedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/placed_file_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  fs::path folder_;
};

std::string text_at(const PlacedFile& file, std::uint64_t place, std::size_t bytes) {
  std::string text(bytes, '\0');
  file.read(place, text.data(), bytes);
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

TEST_F(PlacedFileTest, IsReadAtPlaces) {
  const PlacedFile file = PlacedFile::open(put("letters", "abcdefgh"));
  EXPECT_EQ(file.name(), path("letters"));
  EXPECT_EQ(file.bytes(), 8U);
  EXPECT_EQ(text_at(file, 5, 3), "fgh");
  EXPECT_EQ(text_at(file, 0, 2), "ab");
  EXPECT_EQ(text_at(file, 8, 0), "");
}

TEST_F(PlacedFileTest, EndsBeforeWhatIsRead) {
  const PlacedFile file = PlacedFile::open(put("letters", "abcdefgh"));
  EXPECT_EQ(message_of([&] { text_at(file, 5, 4); }),
            path("letters") + ": became shorter while it was read");
}

TEST_F(PlacedFileTest, IsARegularFile) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(message_of([&] { PlacedFile::open(path("pipe")); }),
            path("pipe") + ": is no regular file; its size has to be known");
  EXPECT_EQ(message_of([&] { PlacedFile::open(folder_); }),
            folder_.string() + ": is a directory, not a file");
  EXPECT_EQ(message_of([&] { PlacedFile::open(path("none")); }),
            path("none") + ": cannot be read: No such file or directory");
}

TEST_F(PlacedFileTest, WithoutANameIsWrittenAndReadBack) {
  PlacedFile file = PlacedFile::make_nameless(folder_, "for notes");
  EXPECT_TRUE(fs::is_empty(folder_));
  file.write(4, "efgh", 4);
  file.write(0, "abcd", 4);
  const PlacedFile moved = std::move(file);
  EXPECT_EQ(text_at(moved, 2, 4), "cdef");
  EXPECT_EQ(moved.name(), folder_.string() + " (for notes)");
}

TEST_F(PlacedFileTest, WithoutANameNeedsAFolder) {
  EXPECT_EQ(message_of([&] { PlacedFile::make_nameless(path("none"), "for notes"); }),
            path("none") + " (for notes): cannot be written: No such file or directory");
}

}  // namespace
}  // namespace millrace::tools
