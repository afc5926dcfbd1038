#include <millrace/tools/tables/whole_file.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/whole_file_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(WholeFileTest, ReadsAFileToItsEnd) {
  const std::string bytes(3'000'001, 'x');
  std::ofstream(folder_ / "file") << bytes;
  EXPECT_TRUE(read_whole_file(folder_ / "file", [] {}) == bytes);
  std::ofstream(folder_ / "empty").flush();
  EXPECT_EQ(read_whole_file(folder_ / "empty", [] {}), "");
}

TEST_F(WholeFileTest, ReadsAPipeWhoseWriterComesLater) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int polls = 0;
  std::thread writer;
  const std::string bytes = read_whole_file(path, [&] {
    if (++polls == 2) writer = std::thread([&] { std::ofstream(path) << "1,2\n"; });
  });
  writer.join();
  EXPECT_EQ(bytes, "1,2\n");
}

TEST_F(WholeFileTest, WaitingForAPipeIsStopped) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int polls = 0;
  EXPECT_THROW(read_whole_file(path,
                               [&] {
                                 if (++polls == 3) throw Error(ErrorCode::kCancelled, "stopped");
                               }),
               Error);
}

TEST_F(WholeFileTest, MissingFilesAndFoldersAreRejected) {
  EXPECT_THROW(read_whole_file(folder_ / "none", [] {}), Error);
  EXPECT_THROW(read_whole_file(folder_, [] {}), Error);
}

}  // namespace
}  // namespace millrace::tools
