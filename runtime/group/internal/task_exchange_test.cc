// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/runtime/tasks/travelling_tasks.h>
#include <millrace/runtime/testing/manual_clock.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace millrace {
namespace {

// The exchange runs no task, so these have no call operator.
struct Sum {
  static constexpr bool kTravels = true;
  std::uint64_t left, right;
};
struct Item {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t number;
};
using Tasks = TaskSet<Item, Sum>;
using Exchange = TaskExchange<Tasks>;

TaskList<Tasks> items(std::uint32_t count) {
  TaskList<Tasks> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push(Item{i});
  return list;
}

// A join of `home` that waits for two arrivals, and handles for them.
constexpr std::uint32_t kRecordIndex = 5;
WaitingJoin<Tasks> open_join(const JoinHome& home) {
  TaskSlot<Tasks> slot;
  slot.store(Sum{0, 0});
  return {home.index_of(kRecordIndex), 2, Tasks::tag_of<Sum>(), slot};
}
Join<std::uint64_t> left_of(const JoinHome& home) {
  return OpenedJoin<Sum>(home.index_of(kRecordIndex)).to(&Sum::left);
}
Join<std::uint64_t> right_of(const JoinHome& home) {
  return OpenedJoin<Sum>(home.index_of(kRecordIndex)).to(&Sum::right);
}
JoinArrival<Tasks> arrival(const Join<std::uint64_t>& join, std::uint64_t value) {
  return JoinArrival<Tasks>::at(join, value);
}

// Expects that the list is one continuation with these values.
void expect_sum(const std::optional<TaskList<Tasks>>& list, std::uint64_t left,
                std::uint64_t right) {
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->size(), 1u);
  ASSERT_EQ(list->view().tag(0), Tasks::tag_of<Sum>());
  EXPECT_EQ(list->view().get<Sum>(0).left, left);
  EXPECT_EQ(list->view().get<Sum>(0).right, right);
}

TEST(TaskExchange, SharesTheRootsBySpeed) {
  Exchange exchange({3, 2}, JoinHomes(), items(10000));
  EXPECT_EQ(exchange.next(0)->size(), 6000u);
  EXPECT_EQ(exchange.next(1)->size(), 4000u);
  EXPECT_FALSE(exchange.participant(0).spreads());
}

TEST(TaskExchange, LeavesTheRestToAMuchFasterDevice) {
  Exchange exchange({9, 1}, JoinHomes(), items(10000));
  EXPECT_EQ(exchange.next(0)->size(), 9000u);
  EXPECT_EQ(exchange.next(1)->size(), 100u);
}

TEST(TaskExchange, BeginsBelowTheThresholdOnTheFastestDeviceWhichSharesItsTasksOut) {
  Exchange exchange({1, 6, 2}, JoinHomes(), items(10));
  auto first = std::async(std::launch::async, [&] { return exchange.next(0); });
  ASSERT_EQ(exchange.next(1)->size(), 10u);
  Participant<Tasks>& fastest = exchange.participant(1);
  EXPECT_TRUE(fastest.spreads());
  EXPECT_FLOAT_EQ(fastest.wanted(), 3 / 9.f);
  fastest.share_out(items(90));
  EXPECT_EQ(fastest.wanted(), 0);
  // The devices that wait take all tasks.
  EXPECT_EQ(first.get()->size(), 30u);
  EXPECT_EQ(exchange.next(2)->size(), 60u);
  EXPECT_FALSE(exchange.participant(2).spreads());
  EXPECT_EQ(exchange.counts(1).tasks_given, 90u);
}

TEST(TaskExchange, GivesAMuchSlowerDeviceLessThanItsPortionOnce) {
  Exchange exchange({9, 1}, JoinHomes(), items(1));
  exchange.next(0);
  Participant<Tasks>& fast = exchange.participant(0);
  EXPECT_FLOAT_EQ(fast.wanted(), 0.7f / 9.7f);
  fast.share_out(items(10));
  EXPECT_EQ(exchange.next(1)->size(), 10u);
  exchange.end_failed_segment(1, /*has_lost_joins=*/false);  // Its segment has ended.
  EXPECT_EQ(fast.wanted(), 0);
}

TEST(TaskExchange, GivesAllContinuationsToOneDeviceWithTheirJoins) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  exchange.next(0);
  exchange.next(1);
  const JoinHome home = exchange.participant(0).home();
  WaitingJoin<Tasks> other = open_join(home);
  other.index = home.index_of(kRecordIndex + 1);
  exchange.participant(0).keep({open_join(home), other});
  exchange.participant(1).send(arrival(right_of(home), 7));
  exchange.participant(1).send(arrival(left_of(home), 4));
  exchange.end_failed_segment(1, /*has_lost_joins=*/false);  // Its segment has ended.
  const auto segment = exchange.next(0);
  expect_sum(segment, 4, 7);
  ASSERT_EQ(segment->joins().size(), 1u);
  EXPECT_EQ(segment->joins()[0].index, other.index);
  EXPECT_EQ(exchange.participant(0).home().bits, home.bits);
}

TEST(TaskExchange, EndsWhenAllDevicesWait) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  ASSERT_TRUE(exchange.next(0).has_value());
  ASSERT_TRUE(exchange.next(1).has_value());
  auto last = std::async(std::launch::async, [&] { return exchange.next(0); });
  EXPECT_FALSE(exchange.next(1).has_value());
  EXPECT_FALSE(last.get().has_value());
  EXPECT_TRUE(exchange.take_rest().empty());
}

TEST(TaskExchange, RequestsTasksOfTheDeviceThatRunsAndHandsOverWhatItGives) {
  Exchange exchange({3, 2}, JoinHomes(), items(1));
  ASSERT_EQ(exchange.next(0)->size(), 1u);
  Participant<Tasks>& runs = exchange.participant(0);
  std::promise<void> requested;
  runs.set_on_wanted([&] { requested.set_value(); });
  auto segment = std::async(std::launch::async, [&] { return exchange.next(1); });
  requested.get_future().wait();
  EXPECT_FLOAT_EQ(runs.wanted(), 0.4f);
  runs.set_on_wanted({});
  runs.give({});
  EXPECT_GT(runs.wanted(), 0);
  runs.give(items(4));
  EXPECT_EQ(segment.get()->size(), 4u);
  EXPECT_EQ(runs.wanted(), 0);
  EXPECT_EQ(exchange.counts(0).tasks_given, 4u);
  EXPECT_EQ(exchange.counts(1).tasks_taken, 4u);
}

// Three devices have begun with 3000, 1500 and 1500 tasks. The last has run its own, and requests
// some of the others.
class RequestTest : public testing::Test {
 protected:
  RequestTest() {
    for (std::size_t i = 0; i < 3; ++i) exchange.next(i);
    for (std::size_t i = 0; i < 2; ++i) {
      exchange.participant(i).set_on_wanted([this, i] {
        order.push_back(i);
        requested[i].set_value();
      });
    }
    segment = std::async(std::launch::async, [this] { return exchange.next(2); });
    requested[0].get_future().wait();
  }
  ~RequestTest() override {
    for (std::size_t i = 0; i < 2; ++i) exchange.participant(i).set_on_wanted({});
    exchange.end();
  }

  const ManualClock clock;
  Exchange exchange{{2, 1, 1}, JoinHomes(), items(6000)};
  std::vector<std::size_t> order;  // Devices in the order of their requests.
  std::promise<void> requested[2];
  std::future<std::optional<TaskList<Tasks>>> segment;
};

TEST_F(RequestTest, GoesToTheLargestSurplusAndLaterToAnother) {
  EXPECT_FLOAT_EQ(exchange.participant(0).wanted(), 1 / 3.f);
  ManualClock::advance(std::chrono::milliseconds(1));  // The first has not answered.
  requested[1].get_future().wait();
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1}));
  EXPECT_FLOAT_EQ(exchange.participant(0).wanted(), 1 / 3.f);
  EXPECT_FLOAT_EQ(exchange.participant(1).wanted(), 1 / 2.f);
  exchange.participant(1).give(items(100));
  EXPECT_EQ(exchange.participant(0).wanted(), 0);
  EXPECT_EQ(exchange.participant(1).wanted(), 0);
  EXPECT_EQ(segment.get()->size(), 100u);
}

TEST_F(RequestTest, GoesToAnotherIfOneHasNothingToGive) {
  exchange.participant(0).give({});
  EXPECT_FLOAT_EQ(exchange.participant(1).wanted(), 1 / 2.f);
  EXPECT_EQ(exchange.surplus(), 1500u);
  exchange.participant(0).give(items(1));  // It has some now.
  EXPECT_EQ(segment.get()->size(), 1u);
}

TEST_F(RequestTest, LeavesTheRestOfWhatADeviceHasAsItsSurplus) {
  EXPECT_EQ(exchange.surplus(), 3000u + 1500u);
  exchange.participant(0).give(items(100));  // A third of its tasks.
  EXPECT_EQ(exchange.surplus(), 200u + 1500u + 100u);
  EXPECT_EQ(segment.get()->size(), 100u);
  EXPECT_EQ(exchange.surplus(), 200u + 1500u + 100u);
}

TEST(TaskExchange, StartsTheContinuationOfAJoinWhoseSegmentHasEnded) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  exchange.next(0);
  exchange.next(1);
  const JoinHome home = exchange.participant(0).home();
  EXPECT_NE(home.bits, exchange.participant(1).home().bits);
  exchange.participant(0).keep({open_join(home)});
  auto segment = std::async(std::launch::async, [&] { return exchange.next(0); });
  exchange.participant(1).send(arrival(right_of(home), 7));
  exchange.participant(1).send(arrival(left_of(home), 4));
  expect_sum(segment.get(), 4, 7);
  EXPECT_NE(exchange.participant(0).home().bits, home.bits);
}

TEST(TaskExchange, KeepsArrivalsUntilTheirSegmentHasEnded) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  exchange.next(0);
  exchange.next(1);
  const JoinHome home = exchange.participant(0).home();
  JoinArrival<Tasks> expected = JoinArrival<Tasks>::at(Join<>(home.index_of(kRecordIndex), 0));
  expected.expected = 1;
  exchange.participant(1).send(expected);
  for (int i = 0; i < 2; ++i) exchange.participant(1).send(arrival(right_of(home), 7));
  exchange.participant(1).send(arrival(left_of(home), 4));
  exchange.participant(0).keep({open_join(home)});
  expect_sum(exchange.next(0), 4, 7);
}

TEST(TaskExchange, RejectsAnArrivalAtAJoinThatHasEnded) {
  Exchange exchange({1}, JoinHomes(), items(1));
  exchange.next(0);
  exchange.participant(0).send(arrival(left_of(JoinHome::of(9)), 1));
  EXPECT_FALSE(exchange.next(0).has_value());
  exchange.take_rest();
  EXPECT_THROW(exchange.check_arrivals(), Error);
}

TEST(TaskExchange, KeepsWhatADeviceThatFailsHandsBack) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  exchange.next(0);
  exchange.next(1);
  const JoinHome home = exchange.participant(0).home();
  exchange.participant(1).send(arrival(right_of(home), 7));
  TaskList<Tasks> rest = items(3);
  rest.push(open_join(home));
  exchange.stop();
  exchange.leave(rest);
  exchange.end_failed_segment(0, /*has_lost_joins=*/false);
  exchange.participant(1).send(arrival(left_of(home), 4));
  EXPECT_FALSE(exchange.next(1).has_value());
  // Both arrivals have come: the continuation is one of the tasks.
  const TaskList<Tasks> left = exchange.take_rest();
  exchange.check_arrivals();
  EXPECT_EQ(left.size(), 4u);
  EXPECT_TRUE(left.joins().empty());
}

TEST(TaskExchange, DropsArrivalsAtJoinsThatAreLostWithTheirDevice) {
  Exchange exchange({1, 1}, JoinHomes(), items(6000));
  exchange.next(0);
  exchange.next(1);
  const JoinHome home = exchange.participant(0).home();
  exchange.participant(1).send(arrival(right_of(home), 7));
  exchange.stop();
  exchange.end_failed_segment(0, /*has_lost_joins=*/true);
  exchange.participant(1).send(arrival(left_of(home), 4));
  exchange.leave(items(2));
  EXPECT_FALSE(exchange.next(1).has_value());
  EXPECT_EQ(exchange.take_rest().size(), 2u);
  EXPECT_NO_THROW(exchange.check_arrivals());
}

TEST(TaskExchange, LeavesTasksAndJoinsWhenStopped) {
  Exchange exchange({1, 1}, JoinHomes(), items(4));
  exchange.next(0);
  const JoinHome home = exchange.participant(0).home();
  TaskList<Tasks> rest = items(3);
  rest.push(open_join(home));
  exchange.leave(rest);
  exchange.stop();
  EXPECT_FALSE(exchange.next(0).has_value());
  const TaskList<Tasks> left = exchange.take_rest();
  EXPECT_EQ(left.size(), 3u);
  ASSERT_EQ(left.joins().size(), 1u);

  // Another exchange goes on with them, under the same handles.
  Exchange again({1}, JoinHomes(), left);
  EXPECT_EQ(again.next(0)->size(), 3u);
  EXPECT_NE(again.participant(0).home().bits, home.bits);
  again.participant(0).send(arrival(left_of(home), 1));
  again.participant(0).send(arrival(right_of(home), 2));
  expect_sum(again.next(0), 1, 2);
}

TEST(JoinHomes, GoRoundAndSkipThoseWhoseJoinsWait) {
  JoinHomes homes(0, 100);
  EXPECT_EQ(homes.count(), 3u);
  EXPECT_EQ(homes.take(), 0u);
  homes.release(0);
  homes.begin_join(100);
  EXPECT_EQ(homes.take(), 200u);
  EXPECT_EQ(homes.take(), 0u);
  EXPECT_EQ(homes.take(), std::nullopt);
  EXPECT_EQ(homes.take_used(), 100u);
  EXPECT_EQ(homes.take_used(), std::nullopt);
}

TEST(TaskExchange, GoesOnWithTheJoinsOfAHomeIfAllAreInUse) {
  Exchange exchange({1}, JoinHomes(7, 1000), items(1));
  exchange.next(0);
  const JoinHome home = exchange.participant(0).home();
  EXPECT_EQ(home.bits, JoinHome::of(7).bits);
  exchange.participant(0).keep({open_join(home)});
  exchange.participant(0).give(items(1));
  const auto segment = exchange.next(0);
  ASSERT_EQ(segment->joins().size(), 1u);
  EXPECT_EQ(segment->joins()[0].index, home.index_of(kRecordIndex));
  EXPECT_EQ(exchange.participant(0).home().bits, home.bits);
}

struct WithPointer {
  std::uint32_t number;
  const int* data;
};
struct WithHandles {
  Join<std::uint64_t> caller;
  double values[3];
  std::uint32_t number;
};
static_assert(kHoldsPointer<WithPointer>);
static_assert(!kHoldsPointer<WithHandles>);
static_assert(kTasksTravel<Tasks>);

}  // namespace
}  // namespace millrace
