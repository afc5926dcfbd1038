// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/output/output_file.h>
#include <millrace/tools/files/test_folder.h>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

using OutputFileTest = TestFolder;

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

TEST_F(OutputFileTest, BytesAreReplacedInPlace) {
  OutputFile file(path("a.txt"), false);
  file.stream() << "size ?, content";
  file.stream().seekp(5);
  file.stream() << "7";
  file.stream().seekp(15);
  file.stream() << "s";
  file.commit();
  EXPECT_EQ(text("a.txt"), "size 7, contents");
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
  EXPECT_EQ(entries(), 2);  // Includes the result.
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

TEST_F(OutputFileTest, WritesThroughALinkToAFileThatIsNotThere) {
  for (const bool force : {false, true}) {
    fs::create_symlink("target.txt", path("link.txt"));
    OutputFile file(path("link.txt"), force);
    file.stream() << "new";
    file.commit();
    EXPECT_TRUE(fs::is_symlink(path("link.txt")));
    EXPECT_EQ(text("target.txt"), "new");
    fs::remove(path("link.txt"));
    fs::remove(path("target.txt"));
  }
}

TEST_F(OutputFileTest, KeepsALinkToItself) {
  fs::create_symlink("link.txt", path("link.txt"));
  for (const bool force : {false, true}) {
    EXPECT_THROW(OutputFile(path("link.txt"), force), Error);
    EXPECT_TRUE(fs::is_symlink(path("link.txt")));
  }
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, KeepsTheModeOfTheFileItReplaces) {
  for (const mode_t mode : {0600U, 0640U, 0444U, 0755U}) {
    chmod(put("a.txt", "old").c_str(), mode);
    OutputFile file(path("a.txt"), true);
    file.stream() << "new";
    struct stat status = {};
    ASSERT_EQ(stat(file.written_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0077, 0U) << "while it is written";
    file.commit();
    ASSERT_EQ(stat(path("a.txt").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode);
    fs::remove(path("a.txt"));
  }
}

TEST_F(OutputFileTest, OtherHardLinksKeepTheOldContent) {
  put("a.txt", "old");
  fs::create_hard_link(path("a.txt"), path("b.txt"));
  OutputFile file(path("a.txt"), true);
  file.stream() << "new";
  file.commit();
  EXPECT_EQ(text("a.txt"), "new");
  EXPECT_EQ(text("b.txt"), "old");
}

TEST_F(OutputFileTest, AnOpenDescriptorIsWrittenWhereItStands) {
  const int descriptor = open(put("a.txt", "old").c_str(), O_WRONLY | O_APPEND);
  OutputFile file("/dev/fd/" + std::to_string(descriptor), false);
  EXPECT_TRUE(file.is_direct());
  file.stream() << "new";
  file.commit();
  close(descriptor);
  EXPECT_EQ(text("a.txt"), "oldnew");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFileTest, ADescriptorThatCannotBeWrittenIsAnError) {
  const int descriptor = open(put("a.txt", "old").c_str(), O_RDONLY);
  const std::string name = "/dev/fd/" + std::to_string(descriptor);
  EXPECT_EQ(message_of(name, true), name + ": cannot be written: Bad file descriptor");
  close(descriptor);
  EXPECT_EQ(message_of(name, true), name + ": cannot be written: Bad file descriptor");
}

// The reader leaves; SIGPIPE is ignored, as by prepare_signals().
TEST_F(OutputFileTest, AReaderThatLeavesIsAnError) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  OutputFile file("/dev/fd/" + std::to_string(ends[1]), false);
  close(ends[0]);
  EXPECT_THROW(file.stream() << std::string(1 << 20, 'x'), Error);
  EXPECT_TRUE(has_lost_reader());
  close(ends[1]);
  std::signal(SIGPIPE, before);
}

TEST_F(OutputFileTest, ASignalEndsTheWaitForAReader) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const InterruptGuard interrupt;
  std::raise(SIGHUP);
  EXPECT_THROW(OutputFile(path("pipe"), false), Error);
}

TEST_F(OutputFileTest, CheckingOpensNoPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  OutputFile::check(path("pipe"), false);
  put("a.txt", "old");
  EXPECT_THROW(OutputFile::check(path("a.txt"), false), Error);
  OutputFile::check(path("a.txt"), true);
  EXPECT_EQ(entries(), 2);
}

int fail_to_rename(const char*, const char*) {
  errno = EBUSY;
  return -1;
}

TEST_F(OutputFileTest, AResultThatCannotBePutInPlaceIsKept) {
  put("a.txt", "old");
  PlacementCalls calls = kSystemPlacement;
  calls.rename = fail_to_rename;
  std::string kept;
  {
    OutputFile file(path("a.txt"), true, calls);
    file.stream() << "new";
    kept = file.written_path();
    try {
      file.commit();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), path("a.txt") +
                                  ": cannot be written: Device or resource busy; the "
                                  "result is kept in " +
                                  kept);
    }
  }
  EXPECT_EQ(text("a.txt"), "old");
  EXPECT_EQ(text(fs::path(kept).filename()), "new");
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

// Some of its bytes are on their way to the disk while the rest is written.
TEST_F(OutputFileTest, ALargeFileHasTheBytesThatWereWrittenLast) {
  std::string bytes(std::size_t{20} << 20, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 + i / 4096);
  OutputFile file(path("large"), false);
  file.stream() << bytes;
  file.stream().seekp(5) << "later";
  file.commit();
  bytes.replace(5, 5, "later");
  EXPECT_TRUE(text("large") == bytes);
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
  EXPECT_EQ(message_of(folder_.string(), true), folder_.string() + ": is a directory; give a file");
}

TEST_F(OutputFileTest, AFullDiskThrowsFromTheStreamOrTheCommit) {
  OutputFile small("/dev/full", false);
  small.stream() << "some bytes";
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
  file.stream() << "some bytes";
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
  EXPECT_FALSE(fs::exists(path("a.txt")));
  EXPECT_EQ(entries(), 4);  // Includes the three results.
}

TEST_F(CommitAllTest, ReplacedFilesComeBackWhenTheThirdCannotBeRenamed) {
  put("b.txt", "old");
  const auto take_its_name = [this] { fs::create_directory(path("c.txt")); };
  EXPECT_THROW(commit_three(true, path("c.txt"), take_its_name), Error);
  EXPECT_FALSE(fs::exists(path("a.txt")));
  EXPECT_EQ(text("b.txt"), "old");
  EXPECT_EQ(entries(), 5);  // Includes the three results.
}

}  // namespace
}  // namespace millrace::tools
