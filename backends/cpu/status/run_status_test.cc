// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace millrace::cpu {
namespace {

constexpr char kFirst[] = "first";
constexpr char kSecond[] = "second";

TEST(RunStatus, TheFirstCancellationSaysWhyAndWhatIsKept) {
  for (const bool keeps : {false, true}) {
    RunStatus status;
    EXPECT_FALSE(status.stopped());
    status.cancel(kFirst, keeps);
    status.cancel(kSecond, !keeps);
    EXPECT_TRUE(status.stopped());
    EXPECT_EQ(status.keeps_unfinished(), keeps);
    EXPECT_EQ(status.cancelled(), kFirst);
  }
}

TEST(RunStatus, ACancellationThatIsTakenBackIsNone) {
  RunStatus status;
  status.cancel(kFirst, /*keeps=*/true);
  status.resume();
  EXPECT_FALSE(status.stopped());
  EXPECT_EQ(status.cancelled(), nullptr);
  status.cancel(kSecond, /*keeps=*/false);
  EXPECT_EQ(status.cancelled(), kSecond);
  EXPECT_FALSE(status.keeps_unfinished());
}

TEST(RunStatus, AFailureComesAfterACancellationToo) {
  RunStatus status;
  status.cancel(kFirst, /*keeps=*/true);
  EXPECT_FALSE(status.has_failed());
  status.fail(0, 7);
  EXPECT_TRUE(status.has_failed());
  EXPECT_THROW(status.rethrow(), Error);
}

TEST(RunStatus, AFailureKeepsItemsIfTheRunDoes) {
  for (const bool keeps : {false, true}) {
    RunStatus status(/*is_watched=*/false, keeps);
    status.fail(0, 7);
    EXPECT_TRUE(status.stopped());
    EXPECT_EQ(status.keeps_unfinished(), keeps);
  }
}

TEST(RunStatus, ItemsThatMayBeLostOrDamagedAreDropped) {
  const auto keeps_after = [](const auto& fail) {
    RunStatus status(/*is_watched=*/false, /*keeps_on_failure=*/true);
    fail(status);
    status.fail(0, 7);
    return status.keeps_unfinished();
  };
  const auto fail_by = [](const auto& exception, bool may_keep) {
    return [=](RunStatus& status) {
      try {
        throw exception;
      } catch (...) {
        status.fail_with_current_exception(0, may_keep);
      }
    };
  };
  EXPECT_TRUE(keeps_after(fail_by(std::runtime_error("dry"), true)));
  EXPECT_FALSE(keeps_after(fail_by(std::runtime_error("dry"), false)));
  EXPECT_FALSE(keeps_after(fail_by(Error(ErrorCode::kInvalidArgument, "wrong"), true)));
  EXPECT_FALSE(keeps_after([](RunStatus& status) {
    try {
      throw std::bad_alloc();
    } catch (...) {
      status.stop_with_current_exception();
    }
  }));
}

TEST(RunStatus, EveryStopIsReportedOnceItIsObserved) {
  RunStatus status;
  int stops = 0;
  status.set_on_stop([&] { stops += status.stopped() ? 1 : 100; });
  status.cancel(kFirst, /*keeps=*/true);
  EXPECT_EQ(stops, 1);
  status.resume();
  EXPECT_EQ(stops, 1);
  status.fail(0, 7);
  EXPECT_EQ(stops, 2);
  status.set_on_stop({});
  status.fail(0, 8);
  EXPECT_EQ(stops, 2);
}

}  // namespace
}  // namespace millrace::cpu
