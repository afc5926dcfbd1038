#include <millrace/tools/files/output_file.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/output_file_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }

  std::string text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }

  int entries() const {
    return static_cast<int>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string message_of(const std::string& path, bool force) {
  try {
    OutputFile file(path, force);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    return error.what();
  }
  return "";
}

// In another container a process has the same number, and may have been killed.
TEST_F(OutputFileTest, FilesThatAnotherHasLeftAreNotInTheWay) {
  constexpr int kOthers = 1000;
  for (int i = 0; i < kOthers; ++i) {
    put(".millrace-" + std::to_string(getpid()) + "-" + std::to_string(i) + ".part", "other");
  }
  put("result", "old");
  OutputFile file(path("result"), true);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(text("result"), "new");
  EXPECT_EQ(entries(), kOthers + 1);
}

TEST_F(OutputFileTest, AppearsAtCommitOnly) {
  OutputFile file(path("a.txt"), false);
  file.stream() << "whole" << std::flush;
  EXPECT_FALSE(fs::exists(path("a.txt")));
  file.commit();
  EXPECT_EQ(text("a.txt"), "whole");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, LeavesNothingWithoutCommit) {
  { OutputFile(path("a.txt"), false).stream() << "half"; }
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFileTest, KeepsAnExistingFileUnlessForced) {
  put("a.txt", "old");
  EXPECT_EQ(message_of(path("a.txt"), false),
            path("a.txt") + ": exists already (--force replaces it)");
  EXPECT_EQ(text("a.txt"), "old");
}

TEST_F(OutputFileTest, ReplacesAnExistingFileAtCommitWhenForced) {
  put("a.txt", "old");
  OutputFile file(path("a.txt"), true);
  file.stream() << "new";
  EXPECT_EQ(text("a.txt"), "old");
  file.commit();
  EXPECT_EQ(text("a.txt"), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, KeepsAFileThatAppearedMeanwhile) {
  {
    OutputFile file(path("a.txt"), false);
    file.stream() << "ours";
    put("a.txt", "theirs");
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_EQ(text("a.txt"), "theirs");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, ReplacesTheTargetOfASymbolicLink) {
  put("target.txt", "old");
  fs::create_symlink("target.txt", path("link.txt"));
  OutputFile file(path("link.txt"), true);
  file.stream() << "new";
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  EXPECT_EQ(text("target.txt"), "new");
}

TEST_F(OutputFileTest, CarriesMoreThanItsBufferInOrder) {
  const std::string block(100'000, 'x');
  OutputFile file(path("a.txt"), false);
  std::string expected;
  for (int i = 0; i < 10; ++i) {
    file.stream() << i << block;
    expected += std::to_string(i) + block;
  }
  file.stream().write(expected.data(), static_cast<std::streamsize>(expected.size()));
  file.commit();
  EXPECT_EQ(text("a.txt"), expected + expected);
}

TEST_F(OutputFileTest, TwoForOneNameDoNotMix) {
  OutputFile first(path("a.txt"), true);
  OutputFile second(path("a.txt"), true);
  first.stream() << "first";
  second.stream() << "second";
  first.commit();
  second.commit();
  EXPECT_EQ(text("a.txt"), "second");
}

TEST_F(OutputFileTest, SaysWhenTheFolderIsMissing) {
  EXPECT_EQ(message_of(path("none/a.txt"), true),
            path("none/a.txt") + ": cannot be written: No such file or directory");
}

TEST_F(OutputFileTest, SaysWhenTheFolderIsUnwritable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const std::string message = message_of(path("a.txt"), false);
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(message, path("a.txt") + ": cannot be written: Permission denied");
}

TEST_F(OutputFileTest, SaysWhenThePathIsADirectory) {
  EXPECT_EQ(message_of(folder_.string(), true), folder_.string() + ": is a directory");
}

TEST_F(OutputFileTest, AFullDiskThrowsFromTheStreamOrTheCommit) {
  OutputFile small("/dev/full", false);
  small.stream() << "few bytes";
  EXPECT_THROW(small.commit(), Error);
  OutputFile large("/dev/full", false);
  EXPECT_THROW(large.stream() << std::string(1 << 20, 'x'), Error);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFileTest, WritingAfterCommitThrows) {
  OutputFile file(path("a.txt"), false);
  file.commit();
  EXPECT_THROW(file.stream() << "late", Error);
}

TEST_F(OutputFileTest, ClosingCompletesWithoutAppearing) {
  OutputFile file(path("a.txt"), false);
  file.stream() << "whole";
  file.close();
  EXPECT_FALSE(fs::exists(path("a.txt")));
  file.commit();
  EXPECT_EQ(text("a.txt"), "whole");
}

TEST_F(OutputFileTest, ClosingReportsAFullDisk) {
  OutputFile file("/dev/full", false);
  file.stream() << "few bytes";
  EXPECT_THROW(file.close(), Error);
}

// Three files, of which a test spoils the third.
class CommitAllTest : public OutputFileTest {
 protected:
  void commit_three(bool force, const std::string& third, const std::function<void()>& spoil) {
    OutputFile a(path("a.txt"), force);
    OutputFile b(path("b.txt"), force);
    OutputFile c(third, force);
    for (OutputFile* file : {&a, &b, &c}) file->stream() << "new";
    spoil();
    commit_all({&a, &b, &c});
  }
};

TEST_F(CommitAllTest, AllAppear) {
  put("b.txt", "old");
  commit_three(true, path("c.txt"), [] {});
  for (const char* name : {"a.txt", "b.txt", "c.txt"}) EXPECT_EQ(text(name), "new");
  EXPECT_EQ(entries(), 3);
}

TEST_F(CommitAllTest, NoneAppearsWhenTheThirdCannotBeWritten) {
  EXPECT_THROW(commit_three(false, "/dev/full", [] {}), Error);
  EXPECT_EQ(entries(), 0);
}

TEST_F(CommitAllTest, NoneAppearsWhenTheThirdCannotBeRenamed) {
  const auto take_its_name = [this] { put("c.txt", "theirs"); };
  EXPECT_THROW(commit_three(false, path("c.txt"), take_its_name), Error);
  EXPECT_EQ(text("c.txt"), "theirs");
  EXPECT_EQ(entries(), 1);
}

TEST_F(CommitAllTest, ReplacedFilesComeBackWhenTheThirdCannotBeRenamed) {
  put("b.txt", "old");
  const auto take_its_name = [this] { fs::create_directory(path("c.txt")); };
  EXPECT_THROW(commit_three(true, path("c.txt"), take_its_name), Error);
  EXPECT_FALSE(fs::exists(path("a.txt")));
  EXPECT_EQ(text("b.txt"), "old");
  EXPECT_EQ(entries(), 2);
}

}  // namespace
}  // namespace millrace::tools
