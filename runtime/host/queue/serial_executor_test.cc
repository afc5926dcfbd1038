// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/queue/serial_executor.h>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace millrace {
namespace {

using Start = SerialExecutor::Start;

class SerialExecutorTest : public testing::Test {
 protected:
  ~SerialExecutorTest() override {
    executor->finish();
    executor->close();
  }

  void push(std::function<void()> work, Start start) {
    executor->push({.work = std::move(work), .after_failure = false, .gate = {}}, start);
  }

  const std::shared_ptr<SerialExecutor> executor = std::make_shared<SerialExecutor>(
      [](const std::function<void()>& operations) { operations(); });
};

void wait_until(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

TEST_F(SerialExecutorTest, RunsInlineWhatNothingIsBefore) {
  std::thread::id ran_on;
  push([&] { ran_on = std::this_thread::get_id(); }, Start::kInline);
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST_F(SerialExecutorTest, RunsInlineAgainOnceEverythingHasEnded) {
  push([] {}, Start::kNow);
  executor->finish();
  bool ran = false;
  push([&] { ran = true; }, Start::kInline);
  EXPECT_TRUE(ran);
}

TEST_F(SerialExecutorTest, RunsLaterWhatWouldOvertakeInline) {
  std::atomic<bool> open = false;
  std::vector<int> order;
  push(
      [&] {
        wait_until(open);
        order.push_back(1);
      },
      Start::kNow);
  push([&] { order.push_back(2); }, Start::kInline);
  open = true;
  executor->finish();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(SerialExecutorTest, RunsLaterWhatIsPushedInsideAnInlineOperation) {
  std::atomic<bool> inner_ran = false;
  bool ran_inside = false;
  push(
      [&] {
        push([&] { inner_ran = true; }, Start::kInline);
        ran_inside = inner_ran;
      },
      Start::kInline);
  wait_until(inner_ran);
  EXPECT_FALSE(ran_inside);
}

TEST_F(SerialExecutorTest, RunsWithoutAnyoneWaitingWhatCameDuringAnInlineOperation) {
  std::atomic<bool> ran = false;
  push([&] { std::thread([&] { push([&] { ran = true; }, Start::kNow); }).join(); },
       Start::kInline);
  wait_until(ran);
}

TEST_F(SerialExecutorTest, WaitsForAnInlineOperationOfAnotherThread) {
  std::atomic<bool> started = false;
  std::atomic<bool> open = false;
  std::atomic<bool> ended = false;
  std::thread other([&] {
    push(
        [&] {
          started = true;
          wait_until(open);
          ended = true;
        },
        Start::kInline);
  });
  wait_until(started);
  const Event event = executor->record();
  EXPECT_FALSE(event.ready());
  open = true;
  event.wait();
  EXPECT_TRUE(ended);
  other.join();
}

TEST_F(SerialExecutorTest, SkipsAnInlineOperationAfterAFailure) {
  push([] { throw std::runtime_error("first"); }, Start::kInline);
  bool ran = false;
  push([&] { ran = true; }, Start::kInline);
  EXPECT_FALSE(ran);
  EXPECT_THROW(std::rethrow_exception(executor->take_error()), std::runtime_error);
  push([&] { ran = true; }, Start::kInline);
  EXPECT_TRUE(ran);
}

TEST_F(SerialExecutorTest, AnEventIsReachedThoughWhatItCallsFails) {
  const Event event = executor->record([] { throw std::runtime_error("lost"); }, Start::kInline);
  EXPECT_TRUE(event.ready());
  EXPECT_THROW(std::rethrow_exception(executor->take_error()), std::runtime_error);
}

TEST_F(SerialExecutorTest, AnEventCallsItsFunctionAfterAFailureToo) {
  push([] { throw std::runtime_error("lost"); }, Start::kNow);
  bool called = false;
  executor->record([&] { called = true; }).wait();
  EXPECT_TRUE(called);
  EXPECT_NE(executor->take_error(), nullptr);
}

TEST_F(SerialExecutorTest, WhoWaitsForAnEventDoesNotWaitForWhatAnotherRunsBehindIt) {
  std::atomic<bool> started = false;
  std::atomic<bool> open = false;
  std::atomic<bool> passed = false;
  push(
      [&] {
        started = true;
        wait_until(open);
      },
      Start::kAtWait);
  const Event event = executor->record({}, Start::kAtWait);
  push([&] { wait_until(passed); }, Start::kAtWait);
  std::thread all([&] { executor->finish(); });
  wait_until(started);
  std::thread one([&] {
    event.wait();  // Would not return if it waited for the last operation, too.
    passed = true;
  });
  open = true;
  one.join();
  all.join();
}

// Counts calls of when_ready().
class Gate final : public EventState {
 public:
  bool ready() const override { return open_; }
  void when_ready(std::function<void()> action) override {
    ++calls_;
    const std::lock_guard lock(mutex_);
    if (open_) {
      action();
    } else {
      actions_.push_back(std::move(action));
    }
  }
  void wait() override { wait_until(open_); }
  std::chrono::steady_clock::time_point reached_at() const override { return {}; }

  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    for (const auto& action : actions_) action();
  }
  int calls() const { return calls_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> open_ = false;
  std::atomic<int> calls_ = 0;
  std::vector<std::function<void()>> actions_;
};

TEST_F(SerialExecutorTest, QueriesAClosedGateOnceHoweverMuchIsBehindIt) {
  const auto gate = std::make_shared<Gate>();
  std::atomic<int> calls = 0;
  executor->push({.work = {}, .after_failure = false, .gate = Event(gate)}, Start::kNow);
  while (gate->calls() == 0) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) push([&calls] { ++calls; }, Start::kNow);
  gate->open();
  while (calls != 100) std::this_thread::yield();
  EXPECT_EQ(gate->calls(), 1);
}

TEST_F(SerialExecutorTest, GoesOnBehindAGateThatOpensWhileOthersCome) {
  for (int round = 0; round < 300; ++round) {
    const auto first = std::make_shared<Gate>();
    const auto second = std::make_shared<Gate>();
    std::atomic<bool> ran = false;
    executor->push({.work = {}, .after_failure = false, .gate = Event(first)}, Start::kNow);
    const Event between = executor->record();
    executor->push({.work = {}, .after_failure = false, .gate = Event(second)}, Start::kNow);
    push([&ran] { ran = true; }, Start::kNow);
    std::thread opens([&] {
      first->open();
      second->open();
    });
    between.wait();  // The executor's thread runs the rest.
    wait_until(ran);
    opens.join();
  }
}

TEST_F(SerialExecutorTest, OrdersWhatManyThreadsPushInline) {
  int sum = 0;  // Not atomic: one operation runs at a time.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) push([&sum] { ++sum; }, Start::kInline);
    });
  }
  for (std::thread& thread : threads) thread.join();
  executor->finish();
  EXPECT_EQ(sum, 8000);
}

TEST_F(SerialExecutorTest, EntersWhereItsOwnerSaysForEveryOperation) {
  static thread_local bool inside = false;
  const auto entering =
      std::make_shared<SerialExecutor>([](const std::function<void()>& operations) {
        inside = true;
        operations();
        inside = false;
      });
  std::atomic<int> inside_count = 0;
  for (const Start start : {Start::kInline, Start::kNow, Start::kAtWait}) {
    entering->push({.work = [&] { inside_count += inside; }, .after_failure = false, .gate = {}},
                   start);
  }
  entering->finish();
  entering->close();
  EXPECT_EQ(inside_count, 3);
}

}  // namespace
}  // namespace millrace
