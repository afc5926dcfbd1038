// SPDX-License-Identifier: Apache-2.0

// Flat queues shared by groups of devices.
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/run_group_tasks.h>
#include <millrace/tests/conformance/groups.h>
#include <millrace/tests/conformance/tasks/conformance_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace millrace::conformance {
namespace {

// Squares and negations of numbers in host memory, a device's piece at a time in its own memory.
class NumbersInPieces {
 public:
  explicit NumbersInPieces(std::size_t count) : tags_(count), values_(count), expected_(count) {
    std::iota(values_.begin(), values_.end(), -100);
    for (std::size_t i = 0; i < count; ++i) {
      tags_[i] = static_cast<TaskTag>(i % 3 == 0 ? 1 : 0);
      expected_[i] = tags_[i] == 0 ? values_[i] * values_[i] : -values_[i];
    }
  }

  GroupTasks<IndexedSet> tasks() {
    return {
        .count = values_.size(),
        .prepare = [this](Queue& queue, const ItemRange& items) { return prepare(queue, items); },
        .finish = [this](Queue& queue, const ItemRange& items) { finish(queue, items); }};
  }

  const std::vector<std::int64_t>& values() const { return values_; }
  const std::vector<std::int64_t>& expected() const { return expected_; }
  void break_tag(std::size_t i) { tags_[i] = 9; }

 private:
  struct Piece {
    Buffer<TaskTag> tags;
    Buffer<std::int64_t> values;
    Buffer<std::uint64_t> spawned;
  };

  IndexedTasks<IndexedSet> prepare(Queue& queue, const ItemRange& items) {
    const auto pool = queue.device().pool(MemorySpace::kDevice);
    Piece piece = {Buffer<TaskTag>(pool, items.size()), Buffer<std::int64_t>(pool, items.size()),
                   Buffer<std::uint64_t>(pool, 1)};
    queue.copy(piece.tags.data(), tags_.data() + items.begin, items.size());
    queue.copy(piece.values.data(), values_.data() + items.begin, 8 * items.size());
    fill_bytes(queue, piece.spawned.span(), std::byte{0});
    const IndexedTasks<IndexedSet> tasks = {
        .tags = piece.tags.data(),
        .count = items.size(),
        .arguments = {piece.values.data(), piece.spawned.data()}};
    const std::lock_guard lock(mutex_);
    pieces_[items.begin] = std::move(piece);
    return tasks;
  }

  void finish(Queue& queue, const ItemRange& items) {
    const std::lock_guard lock(mutex_);
    queue.copy(values_.data() + items.begin, pieces_.at(items.begin).values.data(),
               8 * items.size());
  }

  std::vector<TaskTag> tags_;
  std::vector<std::int64_t> values_;
  std::vector<std::int64_t> expected_;
  std::mutex mutex_;
  std::map<std::uint64_t, Piece> pieces_;
};

class GroupTasksTest : public GroupTest {};

TEST_P(GroupTasksTest, RunEachItemOnce) {
  for (const std::size_t count : {0, 1, 2, 700}) {
    NumbersInPieces numbers(count);
    const auto portions = run_tasks(group, numbers.tasks());
    EXPECT_EQ(numbers.values(), numbers.expected());
    ASSERT_EQ(portions.size(), group.size());
    std::uint64_t items = 0;
    for (const DevicePortion& portion : portions) items += portion.items;
    EXPECT_EQ(items, count);
  }
}

TEST_P(GroupTasksTest, EndWithTheErrorOfADevice) {
  NumbersInPieces numbers(500);
  numbers.break_tag(499);
  try {
    run_tasks(group, numbers.tasks());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  }
  NumbersInPieces good(500);
  run_tasks(group, good.tasks());
  EXPECT_EQ(good.values(), good.expected());
}

TEST_P(GroupTasksTest, StopOnRequest) {
  NumbersInPieces numbers(500);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(run_tasks(group, numbers.tasks(), {.stop = stop.get_token()}), Error);
}

TEST_P(GroupTasksTest, RejectsKeepUnfinished) {
  NumbersInPieces numbers(500);
  auto tasks = numbers.tasks();
  tasks.prepare = [](Queue&, const ItemRange&) -> IndexedTasks<IndexedSet> {
    ADD_FAILURE() << "work has begun";
    return {};
  };
  try {
    run_tasks(group, tasks, {.keep_unfinished = true});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

// Enqueues a function, then throws. runtime/group/run_group_tasks_test.cc has one that runs only
// when the queue is waited for.
struct Torn {
  std::atomic<int>& in_flight;

  void operator()(Queue& queue) const {
    ++in_flight;
    queue.call([this] { --in_flight; });
    throw std::runtime_error("torn");
  }
};

TEST_P(GroupTasksTest, LeaveNothingInFlightWhereAFunctionThrows) {
  NumbersInPieces numbers(500);
  std::atomic<int> in_flight = 0;
  const Torn torn{in_flight};
  auto tasks = numbers.tasks();
  tasks.finish = [&](Queue& queue, const ItemRange&) { torn(queue); };
  EXPECT_THROW(run_tasks(group, tasks), std::runtime_error);
  EXPECT_EQ(in_flight, 0);
  tasks.prepare = [&](Queue& queue, const ItemRange&) -> IndexedTasks<IndexedSet> {
    torn(queue);
    return {};
  };
  EXPECT_THROW(run_tasks(group, tasks), std::runtime_error);
  EXPECT_EQ(in_flight, 0);
}

INSTANTIATE_TEST_SUITE_P(Groups, GroupTasksTest, testing::ValuesIn(group_names()), name_of_group);

}  // namespace
}  // namespace millrace::conformance
