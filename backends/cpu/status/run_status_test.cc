// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/cpu/status/run_status.h>
#include <millrace/runtime/core/error.h>

#include <gtest/gtest.h>

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
