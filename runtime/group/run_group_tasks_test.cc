// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/run_group_tasks.h>
#include <millrace/runtime/testing/fake_backend.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

namespace millrace {
namespace {

// Calls functions as late as a queue may: when it is waited for.
class LateQueue final : public Queue {
 public:
  explicit LateQueue(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  Device& device() const override { return *device_; }
  void copy(void*, const void*, std::size_t, MemoryOwner, MemoryOwner) override {}
  void fill(void*, std::byte, std::size_t, MemoryOwner) override {}
  void call(std::function<void()> function) override { functions_.push_back(std::move(function)); }
  Event record() override { return {}; }
  void wait_for(const Event&) override {}
  void wait() override {
    for (; !functions_.empty(); functions_.pop_front()) functions_.front()();
  }
  bool has_failed() const override { return false; }

 private:
  const std::shared_ptr<Device> device_;
  std::deque<std::function<void()>> functions_;
};

struct NoArguments {};

struct Nothing {
  static constexpr bool kSpawns = false;
  NoArguments arguments;
  std::size_t index;

  template <class Context>
  void operator()(Context&) const {}
};
struct Tasks : TaskSet<Nothing> {
  using Arguments = NoArguments;
};

// Runs nothing, because the tasks do nothing.
void run_none(Queue&, TaskRun<IndexedTasks<Tasks>> run) {
  run.report->policy = Policy::kKernelPerType;
}

const struct Registered {
  Registered() { OpTable<RunTasksOp<IndexedTasks<Tasks>>>::add("late", &run_none); }
} registered;

class RunPieceTest : public testing::Test {
 protected:
  LateQueue queue{std::make_shared<FakeDevice>(
      DeviceInfo{.backend = "late", .name = "late:0", .target = "late", .description = ""})};
  int in_flight = 0;
  GroupTasks<Tasks> tasks = {.count = 8, .prepare = [](Queue&, const ItemRange& items) {
                               return IndexedTasks<Tasks>{.count = items.size()};
                             }};

  // Enqueues a function, then throws.
  void tear(Queue& torn) {
    ++in_flight;
    torn.call([this] { --in_flight; });
    throw std::runtime_error("torn");
  }
};

TEST_F(RunPieceTest, LeavesNothingInFlight) {
  tasks.finish = [this](Queue& late, const ItemRange&) {
    ++in_flight;
    late.call([this] { --in_flight; });
  };
  internal::run_piece(queue, {0, 8}, tasks, {});
  EXPECT_EQ(in_flight, 0);
}

TEST_F(RunPieceTest, LeavesNothingInFlightWhereFinishThrows) {
  tasks.finish = [this](Queue& late, const ItemRange&) { tear(late); };
  EXPECT_THROW(internal::run_piece(queue, {0, 8}, tasks, {}), std::runtime_error);
  EXPECT_EQ(in_flight, 0);
}

TEST_F(RunPieceTest, LeavesNothingInFlightWherePrepareThrows) {
  tasks.prepare = [this](Queue& late, const ItemRange&) -> IndexedTasks<Tasks> {
    tear(late);
    return {};
  };
  EXPECT_THROW(internal::run_piece(queue, {0, 8}, tasks, {}), std::runtime_error);
  EXPECT_EQ(in_flight, 0);
}

TEST_F(RunPieceTest, ThrowsTheFirstError) {
  tasks.finish = [](Queue& late, const ItemRange&) {
    late.call([] { throw std::logic_error("later"); });
    throw std::runtime_error("first");
  };
  EXPECT_THROW(internal::run_piece(queue, {0, 8}, tasks, {}), std::runtime_error);
}

}  // namespace
}  // namespace millrace
