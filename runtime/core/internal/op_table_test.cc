// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/testing/fake_backend.h>

#include <gtest/gtest.h>

#include <utility>

namespace millrace {
namespace {

// An operation that returns one letter for each backend.
struct NameOp {
  using Function = char(Queue&);
};
const RegisterOp<NameOp> registered_steam("steam", [](Queue&) { return 's'; });
const RegisterOp<NameOp> registered_wind("wind", [](Queue&) { return 'w'; });

struct NobodysOp {
  using Function = void();
};

std::unique_ptr<Queue> queue_of(const std::string& backend) {
  return FakeBackend(backend, 1).open_device(0)->make_queue();
}

TEST(OpTable, FindsTheImplementationForTheQueuesBackend) {
  const auto steam = queue_of("steam");
  const auto wind = queue_of("wind");
  EXPECT_EQ(OpTable<NameOp>::at(*steam)(*steam), 's');
  EXPECT_EQ(OpTable<NameOp>::at(*wind)(*wind), 'w');
}

TEST(OpTable, FindsNothingForOtherBackends) {
  EXPECT_EQ(OpTable<NameOp>::find(*queue_of("water")), nullptr);
  EXPECT_NE(OpTable<NameOp>::find(*queue_of("wind")), nullptr);
}

// The fake backend has no operation that copies between two devices.
TEST(OpTable, DevicesWithoutPeerAccessHaveNone) {
  const auto wind = queue_of("wind");
  const auto other = FakeBackend("wind", 2).open_device(1);
  EXPECT_FALSE(can_copy_from(*wind, *other));
}

TEST(OpTable, SaysWhichBackendsThereAre) {
  const auto water = queue_of("water");
  try {
    OpTable<NameOp>::at(*water);
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_STREQ(error.what(),
                 "this operation is not linked for 'water'; it is linked for steam, wind; link its "
                 "source for that target or open another device");
  }
}

TEST(OpTable, SaysThatThereAreNone) {
  const auto water = queue_of("water");
  try {
    OpTable<NobodysOp>::at(*water);
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no backend of this program"), std::string::npos);
  }
}

struct Nothing {
  template <class Context>
  void operator()(Context&) const {}
};
using NothingTasks = TaskSet<Nothing>;

// Drops the run, as a backend does whose queue has failed.
const RegisterOp<RunTasksOp<TaskList<NothingTasks>>> registered_run(
    "wind",
    [](Queue&, TaskRun<TaskList<NothingTasks>> run) { const auto dropped = std::move(run); });

TEST(RunTasks, ARunThatNeverEndedIsCancelled) {
  const auto wind = queue_of("wind");
  try {
    run_tasks(*wind, TaskList<NothingTasks>(Nothing{}));
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
  }
}

}  // namespace
}  // namespace millrace
