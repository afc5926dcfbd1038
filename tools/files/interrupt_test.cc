#include <millrace/tools/files/interrupt.h>

#include <csignal>

#include <gtest/gtest.h>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

TEST(InterruptGuardTest, StartsClear) {
  InterruptGuard guard;
  EXPECT_FALSE(guard.interrupted());
}

TEST(InterruptGuardTest, RemembersEitherSignal) {
  for (int number : {SIGINT, SIGTERM}) {
    InterruptGuard guard;
    std::raise(number);
    EXPECT_TRUE(guard.interrupted());
    EXPECT_EQ(guard.signal(), number);
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

TEST(InterruptGuardTest, ASecondInterruptEndsTheProcess) {
  EXPECT_EXIT(
      {
        InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
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

TEST(InterruptGuardTest, RefusesASecondGuard) {
  InterruptGuard guard;
  EXPECT_THROW(InterruptGuard(), Error);
}

}  // namespace
}  // namespace millrace::tools
