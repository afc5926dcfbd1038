// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/temporary_name.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

TEST(InterruptGuardTest, StartsClear) {
  InterruptGuard guard;
  EXPECT_FALSE(guard.interrupted());
}

TEST(InterruptGuardTest, RemembersEachSignal) {
  for (const int number : kEndingSignals) {
    InterruptGuard guard;
    std::raise(number);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(guard.signal(), number);
    EXPECT_EQ(interrupting_signal(), number);
    EXPECT_THROW(throw_if_interrupted(), Error);
  }
}

TEST(InterruptGuardTest, CausesWhatIsCancelledAndNoOtherError) {
  const Error cancelled(ErrorCode::kCancelled, "interrupted");
  const Error full(ErrorCode::kIo, "no space left on device");
  InterruptGuard guard;
  EXPECT_FALSE(guard.caused(cancelled));
  std::raise(SIGINT);
  EXPECT_TRUE(guard.caused(cancelled));
  EXPECT_FALSE(guard.caused(full));
}

// With a temporary file in the folder `folder`.
void end_by(const std::vector<int>& signals, const std::string& folder, bool is_guarded) {
  prepare_signals();
  const TemporaryName name(temporary_path_beside(folder + "/result"));
  std::ofstream(name.path()) << "half";
  std::optional<InterruptGuard> guard;
  if (is_guarded) guard.emplace();
  for (const int signal : signals) std::raise(signal);
  std::exit(0);
}

using InterruptEndTest = TestFolder;

TEST_F(InterruptEndTest, ASecondSignalEndsTheProcessAndLeavesNothing) {
  EXPECT_EXIT(end_by({SIGINT, SIGTERM}, folder_, true), testing::ExitedWithCode(128 + SIGTERM),
              "^millrace: ended by SIGTERM\n$");
  EXPECT_EQ(entries(), 0);
}

TEST_F(InterruptEndTest, WithoutAGuardTheFirstSignalEndsTheProcessAndLeavesNothing) {
  for (const int signal : kEndingSignals) {
    EXPECT_EXIT(end_by({signal}, folder_, false), testing::ExitedWithCode(128 + signal),
                "^millrace: ended by SIG[A-Z0-9]+\n$");
    EXPECT_EQ(entries(), 0);
  }
}

TEST_F(InterruptEndTest, WritesFailInPlaceOfTheirSignals) {
  EXPECT_EXIT(end_by({SIGPIPE, SIGXFSZ}, folder_, false), testing::ExitedWithCode(0), "^$");
}

TEST_F(InterruptEndTest, AnIgnoredSignalStaysIgnored) {
  const auto end = [&] {
    std::signal(SIGHUP, SIG_IGN);
    end_by({SIGHUP, SIGHUP}, folder_, true);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "^$");
}

TEST(InterruptionTest, SaysWhichSignal) {
  EXPECT_EQ(interruption(SIGINT), "interrupted");
  EXPECT_EQ(interruption(SIGHUP), "interrupted by SIGHUP");
}

volatile std::sig_atomic_t handled = 0;

TEST(InterruptGuardTest, GivesTheOldHandlerBack) {
  std::signal(SIGINT, [](int) { handled = handled + 1; });
  {
    InterruptGuard guard;
    std::raise(SIGINT);
    EXPECT_EQ(handled, 0);
  }
  std::raise(SIGINT);
  EXPECT_EQ(handled, 1);
  std::signal(SIGINT, SIG_DFL);
}

TEST(InterruptGuardTest, LeavesAnIgnoredSignalIgnored) {
  std::signal(SIGINT, SIG_IGN);
  {
    InterruptGuard guard;
    std::raise(SIGINT);
    EXPECT_FALSE(guard.interrupted());
  }
  std::signal(SIGINT, SIG_DFL);
}

TEST(InterruptGuardTest, RejectsASecondGuard) {
  InterruptGuard guard;
  EXPECT_THROW(InterruptGuard(), Error);
}

}  // namespace
}  // namespace millrace::tools
