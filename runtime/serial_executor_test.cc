#include <millrace/runtime/serial_executor.h>

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
    event.wait();  // Would never return if it waited for the last operation as well.
    passed = true;
  });
  open = true;
  one.join();
  all.join();
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
