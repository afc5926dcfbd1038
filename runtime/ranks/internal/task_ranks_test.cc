// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/ranks/internal/home_owners.h>
#include <millrace/runtime/ranks/internal/rank_messages.h>
#include <millrace/runtime/ranks/internal/task_ranks.h>
#include <millrace/runtime/tasks/task_list.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/runtime/testing/run_ranks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace millrace {
namespace {

// The ranks run no task, so it has no call operator.
struct Item {
  static constexpr bool kTravels = true;
  std::uint32_t number;
};
using Tasks = TaskSet<Item>;

TaskList<Tasks> items(std::uint32_t count) {
  TaskList<Tasks> list;
  for (std::uint32_t i = 0; i < count; ++i) list.push(Item{i});
  return list;
}

// A message with tasks.
std::vector<std::byte> bytes_of(const TaskList<Tasks>& list) {
  std::vector<std::byte> bytes(list.size() * sizeof(TaskSlot<Tasks>));
  std::memcpy(bytes.data(), static_cast<const void*>(list.slot_data()), bytes.size());
  return bytes;
}

constexpr int kRanks = 4;

// Rank 0 has one device, which takes tasks as soon as there are some and ends at once. The other
// ranks answer its requests as a test says. The run ends after kRequests requests.
class RankZero {
 public:
  static constexpr std::size_t kRequests = 12;

  struct Answer {
    std::uint64_t surplus;    // As the rank publishes it.
    std::uint32_t tasks = 0;  // Number of tasks in the answer.
  };
  using Answers = std::vector<Answer>;  // The answers of a rank; the last one is repeated.

  // Runs with the answers of ranks 1, 2 and 3. Returns the ranks in the order of their requests.
  std::vector<int> requests(const std::vector<Answers>& answers) {
    run_ranks(kRanks, [&](Communicator& communicator) {
      const HomeOwners owners(communicator, {});
      const int rank = communicator.rank();
      if (rank == 0) return serve(communicator, owners);
      answer(communicator, answers[static_cast<std::size_t>(rank - 1)]);
    });
    return order_;
  }

  std::size_t tasks_taken() const { return tasks_taken_; }

 private:
  void serve(Communicator& communicator, const HomeOwners& owners) {
    TaskRanks<Tasks> others(communicator, owners, /*message_bytes=*/4096);
    TaskExchange<Tasks> exchange({1}, owners.homes(), {}, &others);
    const std::jthread device([&] {
      while (const auto segment = exchange.next(0)) tasks_taken_ += segment->size();
    });
    others.serve(exchange, [](RankStop) {});
  }

  void answer(Communicator& communicator, const Answers& answers) {
    RankMessages messages(communicator);
    std::size_t requests = 0;
    std::uint64_t surplus = 0;
    bool has_ended = false;
    const auto receive = [&](int source, const RankHeader& header, const std::vector<std::byte>&) {
      if (header.kind == RankMessage::kEnd) has_ended = true;
      if (header.kind == RankMessage::kProbe) {  // This rank has work, so the run does not end.
        messages.send(source, {.kind = RankMessage::kState, .surplus = surplus});
      }
      if (header.kind != RankMessage::kRequest) return;
      const Answer& given = answers[std::min(requests++, answers.size() - 1)];
      surplus = given.surplus;
      const bool is_last = note_request(communicator.rank());
      messages.send(source, {.kind = RankMessage::kTasks, .count = given.tasks, .surplus = surplus},
                    bytes_of(items(given.tasks)));
      if (!is_last) return;
      has_ended = true;
      messages.send_all({.kind = RankMessage::kEnd});
    };
    while (!has_ended) {
      if (!messages.poll(receive)) std::this_thread::yield();
    }
    messages.end();
  }

  // Returns true for the last request that counts.
  bool note_request(int rank) {
    const std::lock_guard lock(mutex_);
    if (order_.size() == kRequests) return false;
    order_.push_back(rank);
    return order_.size() == kRequests;
  }

  std::mutex mutex_;
  std::vector<int> order_;
  std::size_t tasks_taken_ = 0;
};

using Order = std::vector<int>;

// Returns the order of a round, the `round`-th of three requests each, sorted.
Order sorted_round(const Order& order, std::ptrdiff_t round) {
  Order ranks(order.begin() + 3 * round, order.begin() + 3 * round + 3);
  std::ranges::sort(ranks);
  return ranks;
}

TEST(TaskRanks, RequestTasksOfEachRankOnceARoundWhereNothingIsKnown) {
  const RankZero::Answers none = {{.surplus = 0}};
  const Order order = RankZero().requests({none, none, none});
  ASSERT_EQ(order.size(), RankZero::kRequests);
  for (std::ptrdiff_t round = 0; round < 4; ++round) {
    EXPECT_EQ(sorted_round(order, round), (Order{1, 2, 3})) << "round " << round;
  }
}

// From the second round on the surplus of all is known.
TEST(TaskRanks, RequestTasksOfTheLargestSurplusFirst) {
  const Order order = RankZero().requests({{{.surplus = 5}}, {{.surplus = 7}}, {{.surplus = 900}}});
  ASSERT_EQ(order.size(), RankZero::kRequests);
  EXPECT_EQ(sorted_round(order, 0), (Order{1, 2, 3}));
  EXPECT_EQ(Order(order.begin() + 3, order.end()), (Order{3, 2, 1, 3, 2, 1, 3, 2, 1}));
}

// In the second round rank 2 gives ten tasks each time, until it has less left than rank 3.
TEST(TaskRanks, RequestTasksOfOneRankAsLongAsItHasMost) {
  const RankZero::Answers some = {{60, 0}, {50, 10}, {40, 10}, {10, 10}, {10, 0}};
  RankZero rank;
  const Order order = rank.requests({{{.surplus = 1}}, some, {{.surplus = 30}}});
  ASSERT_EQ(order.size(), RankZero::kRequests);
  EXPECT_EQ(sorted_round(order, 0), (Order{1, 2, 3}));
  EXPECT_EQ(Order(order.begin() + 3, order.end()), (Order{2, 2, 2, 3, 2, 1, 3, 2, 1}));
  EXPECT_EQ(rank.tasks_taken(), 30u);
}

}  // namespace
}  // namespace millrace
