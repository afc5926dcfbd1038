// SPDX-License-Identifier: Apache-2.0

// Connects the task exchanges (runtime/group/internal/task_exchange.h) of ranks that share a run.
//
// A rank without tasks sends a request to the rank with the largest surplus, and to the next one if
// the answer has no tasks. Ranks have no memory in common, so each publishes its surplus in all of
// its messages; ranks of which nothing is known are requested in random order. The receiver gives
// tasks that wait, or requests some of its device. Arrivals go to the rank that keeps the join.
//
// A stop reaches a rank by one message. The rank's thread polls for messages at least every
// kStopPoll, and then requests the stop of its device.
//
// The end: each rank counts the messages with tasks or arrivals that it has sent and received. Rank
// 0, when it has nothing to do, collects the counts of all. If twice in a row no rank has work, the
// counts have not changed, and as many have been received as sent, no task is left anywhere.
#ifndef MILLRACE_RUNTIME_RANKS_INTERNAL_TASK_RANKS_H_
#define MILLRACE_RUNTIME_RANKS_INTERNAL_TASK_RANKS_H_

#include <millrace/runtime/group/internal/giver_choice.h>
#include <millrace/runtime/group/internal/task_exchange.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/ranks/internal/home_owners.h>
#include <millrace/runtime/ranks/internal/rank_messages.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace millrace {

// The reason for which a run ends before all its tasks have run.
enum class RankStop : std::uint32_t { kNone, kDeadline, kRequest, kMemory, kFailure };

template <class Set>
class TaskRanks final : public OutsideWorld<Set> {
 public:
  // Time between two polls of messages, if nothing happens.
  static constexpr auto kStopPoll = std::chrono::microseconds(50);

  TaskRanks(Communicator& communicator, const HomeOwners& owners, std::size_t message_bytes)
      : communicator_(communicator),
        owners_(owners),
        messages_(communicator),
        most_bytes_(message_bytes),
        givers_(static_cast<std::size_t>(communicator.size()),
                static_cast<std::uint64_t>(communicator.rank())) {}

  // Exchanges tasks with other ranks until the run has ended on all. `on_stop` is called once if
  // another rank stops the run. Called by the thread that may use the communicator; the device's
  // segments run on another. Throws what the communicator throws.
  void serve(TaskExchange<Set>& exchange, const std::function<void(RankStop)>& on_stop) {
    exchange_ = &exchange;
    on_stop_ = on_stop;
    const RankMessages::Receive receive = [this](int source, const RankHeader& header,
                                                 const std::vector<std::byte>& bytes) {
      take(source, header, bytes);
    };
    while (!has_ended_) {
      const bool has_received = messages_.poll(receive);
      if (has_ended_) break;
      send_stop();
      send_arrivals();
      answer_requests();
      send_request();
      probe();
      if (!has_received && !has_ended_) wait();
    }
    messages_.end();
  }

  // Stops the run on all ranks. Any thread may call it.
  void stop(RankStop how) {
    RankStop none = RankStop::kNone;
    stop_.compare_exchange_strong(none, how);
    notify();
  }
  RankStop stopped() const { return stop_; }

  // The functions of OutsideWorld, which any thread may call.
  bool owns(std::uint32_t home) const override {
    return owners_.owner(home) != communicator_.rank();
  }
  void send(const JoinArrival<Set>& arrival) override {
    const std::lock_guard lock(mutex_);
    arrivals_.push_back(arrival);
  }
  void notify() override {
    {
      const std::lock_guard lock(mutex_);
      is_notified_ = true;
    }
    changed_.notify_one();
  }

 private:
  using Clock = std::chrono::steady_clock;

  // A rank that has nothing to give answers so after this time, so that the sender can try another.
  static constexpr auto kPatience = std::chrono::milliseconds(2);
  // Time between two rounds of requests that brought no tasks, and between two probes.
  static constexpr auto kPause = std::chrono::microseconds(200);

  struct Request {
    int rank;
    double speed;
    Clock::time_point at;
  };

  // Sends a message, which publishes this rank's surplus, too. Messages to all ranks publish 0:
  // this rank has none, or the run ends.
  void send(int rank, RankHeader header, std::vector<std::byte> bytes = {}) {
    header.surplus = exchange_->surplus();
    messages_.send(rank, header, std::move(bytes));
  }

  void take(int source, const RankHeader& header, const std::vector<std::byte>& bytes) {
    givers_.publish(static_cast<std::size_t>(source), header.surplus);
    switch (header.kind) {
      case RankMessage::kRequest: requests_.push_back({source, header.speed, Clock::now()}); break;
      case RankMessage::kTasks: take_tasks(header, bytes); break;
      case RankMessage::kArrivals: take_arrivals(source, header, bytes); break;
      case RankMessage::kConfirmed: --unconfirmed_; break;
      case RankMessage::kProbe: send(0, state()); break;
      case RankMessage::kState: add_state(header); break;
      case RankMessage::kStop: take_stop(static_cast<RankStop>(header.flag)); break;
      case RankMessage::kEnd: end(); break;
      case RankMessage::kBye: break;
    }
  }

  void take_tasks(const RankHeader& header, const std::vector<std::byte>& bytes) {
    awaits_answer_ = false;
    if (header.count == 0) {
      answered_at_ = Clock::now();
      return;
    }
    givers_.end_round();
    ++received_;
    TaskList<Set> tasks;
    const std::byte* const tags = bytes.data() + header.count * sizeof(TaskSlot<Set>);
    for (std::size_t i = 0; i < header.count; ++i) {
      TaskSlot<Set> slot;
      std::memcpy(static_cast<void*>(&slot), bytes.data() + i * sizeof(slot), sizeof(slot));
      tasks.push(Set::kTypes > 1 ? static_cast<TaskTag>(tags[i]) : TaskTag{0}, slot);
    }
    exchange_->add(tasks);
  }

  void take_arrivals(int source, const RankHeader& header, const std::vector<std::byte>& bytes) {
    ++received_;
    for (std::size_t i = 0; i < header.count; ++i) {
      JoinArrival<Set> arrival;
      std::memcpy(static_cast<void*>(&arrival), bytes.data() + i * sizeof(arrival),
                  sizeof(arrival));
      exchange_->arrive(arrival);
    }
    if (header.flag != 0) send(source, {.kind = RankMessage::kConfirmed});
  }

  void take_stop(RankStop how) {
    RankStop none = RankStop::kNone;
    stop_.compare_exchange_strong(none, how);
    has_sent_stop_ = true;
    on_stop_(how);
  }

  void send_stop() {
    if (has_sent_stop_ || stop_ == RankStop::kNone) return;
    has_sent_stop_ = true;
    messages_.send_all(
        {.kind = RankMessage::kStop, .flag = static_cast<std::uint32_t>(stop_.load())});
  }

  // Sends the arrivals that have come since the last call, to each rank at most a message at a
  // time.
  void send_arrivals() {
    std::vector<JoinArrival<Set>> arrivals;
    {
      const std::lock_guard lock(mutex_);
      arrivals = std::exchange(arrivals_, {});
    }
    if (arrivals.empty()) return;
    const std::size_t most = std::max<std::size_t>(most_bytes_ / sizeof(JoinArrival<Set>), 1);
    std::vector<std::vector<JoinArrival<Set>>> by_rank(
        static_cast<std::size_t>(communicator_.size()));
    for (const JoinArrival<Set>& arrival : arrivals) {
      const int rank = owners_.owner(arrival.index >> JoinHome::kRecordBits);
      auto& mine = by_rank[static_cast<std::size_t>(rank)];
      mine.push_back(arrival);
      if (mine.size() == most) send_arrivals(rank, std::exchange(mine, {}));
    }
    for (int rank = 0; rank < communicator_.size(); ++rank) {
      send_arrivals(rank, by_rank[static_cast<std::size_t>(rank)]);
    }
  }
  void send_arrivals(int rank, const std::vector<JoinArrival<Set>>& arrivals) {
    if (arrivals.empty()) return;
    std::uint32_t expects = 0;
    for (const JoinArrival<Set>& arrival : arrivals) expects |= arrival.expected > 0 ? 1 : 0;
    std::vector<std::byte> bytes(arrivals.size() * sizeof(arrivals[0]));
    std::memcpy(bytes.data(), arrivals.data(), bytes.size());
    ++sent_;
    unconfirmed_ += expects;
    send(rank, {.kind = RankMessage::kArrivals, .flag = expects, .count = arrivals.size()},
         std::move(bytes));
  }

  void answer_requests() {
    if (requests_.empty()) return;
    // A child must not arrive through another rank before its join expects it.
    while (!requests_.empty() && unconfirmed_ == 0 && !exchange_->is_stopped()) {
      const TaskList<Set> tasks = exchange_->take_for_others(requests_.front().speed, most_tasks());
      if (tasks.empty()) break;
      send_arrivals();
      if (unconfirmed_ > 0) {
        exchange_->add(tasks);
        break;
      }
      send_tasks(requests_.front().rank, tasks);
      requests_.pop_front();
    }
    const bool has_none = exchange_->is_quiet() || exchange_->is_stopped();
    while (!requests_.empty() && (has_none || Clock::now() - requests_.front().at > kPatience)) {
      send(requests_.front().rank, {.kind = RankMessage::kTasks});
      requests_.pop_front();
    }
    if (requests_.empty()) exchange_->forget_others();
  }

  std::size_t most_tasks() const {
    return std::max<std::size_t>(most_bytes_ / (sizeof(TaskSlot<Set>) + sizeof(TaskTag)), 1);
  }
  void send_tasks(int rank, const TaskList<Set>& tasks) {
    const std::size_t slots = tasks.size() * sizeof(TaskSlot<Set>);
    std::vector<std::byte> bytes(slots + (Set::kTypes > 1 ? tasks.size() : 0));
    std::memcpy(bytes.data(), static_cast<const void*>(tasks.slot_data()), slots);
    if (Set::kTypes > 1) std::memcpy(bytes.data() + slots, tasks.tag_data(), tasks.size());
    ++sent_;
    send(rank, {.kind = RankMessage::kTasks, .count = tasks.size()}, std::move(bytes));
  }

  // Sends a request for tasks if there are none here. Once all ranks have answered without tasks,
  // the next round begins after a pause.
  void send_request() {
    if (communicator_.size() == 1 || awaits_answer_ || exchange_->is_stopped()) return;
    if (!exchange_->is_quiet()) return givers_.end_round();
    const auto is_other = [this](std::size_t rank) {
      return static_cast<int>(rank) != communicator_.rank();
    };
    std::optional<std::size_t> giver = givers_.request(is_other);
    if (!giver.has_value()) {
      if (Clock::now() - answered_at_ < kPause) return;
      givers_.end_round();
      giver = givers_.request(is_other);
    }
    awaits_answer_ = true;
    send(static_cast<int>(*giver), {.kind = RankMessage::kRequest, .speed = exchange_->speed()});
  }

  // Returns true if nothing is left to do here, and nothing is about to be sent.
  bool is_idle() {
    const bool is_done =
        exchange_->is_stopped() ? exchange_->have_segments_ended() : exchange_->is_quiet();
    const std::lock_guard lock(mutex_);
    return is_done && arrivals_.empty() && unconfirmed_ == 0;
  }
  RankHeader state() {
    const bool is_done = is_idle();
    return {.kind = RankMessage::kState,
            .flag = is_done ? 1u : 0u,
            .sent = sent_,
            .received = received_};
  }

  // Requests the states of all ranks, if this is rank 0.
  void probe() {
    if (communicator_.rank() != 0 || states_ > 0 || Clock::now() - probed_at_ < kPause) return;
    const RankHeader own = state();
    if (own.flag == 0) {
      last_sum_ = kNoSum;
      return;
    }
    probed_at_ = Clock::now();
    sum_ = {own.sent, own.received};
    are_all_idle_ = true;
    states_ = communicator_.size() - 1;
    messages_.send_all({.kind = RankMessage::kProbe});
    if (states_ == 0) end_probe();
  }
  void add_state(const RankHeader& state) {
    sum_.first += state.sent;
    sum_.second += state.received;
    are_all_idle_ = are_all_idle_ && state.flag != 0;
    if (--states_ == 0) end_probe();
  }
  void end_probe() {
    const bool is_still = are_all_idle_ && sum_.first == sum_.second && state().flag != 0;
    if (is_still && sum_ == last_sum_) {
      messages_.send_all({.kind = RankMessage::kEnd});
      end();
    }
    last_sum_ = is_still ? sum_ : kNoSum;
  }

  void end() {
    has_ended_ = true;
    exchange_->end();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kStopPoll, [this] { return is_notified_; });
    is_notified_ = false;
  }

  Communicator& communicator_;
  const HomeOwners& owners_;
  RankMessages messages_;
  const std::size_t most_bytes_;
  TaskExchange<Set>* exchange_ = nullptr;
  std::function<void(RankStop)> on_stop_;
  std::atomic<RankStop> stop_ = RankStop::kNone;
  bool has_sent_stop_ = false;
  bool has_ended_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_notified_ = false;
  std::vector<JoinArrival<Set>> arrivals_;  // Arrivals to send.

  std::deque<Request> requests_;     // Other ranks' requests, not answered.
  GiverChoice givers_;               // Its participants are the ranks.
  bool awaits_answer_ = false;       // The last request has not been answered.
  Clock::time_point answered_at_{};  // Time of the last answer without tasks.
  std::uint64_t unconfirmed_ = 0;    // Messages whose arrivals a join may not expect yet.

  std::uint64_t sent_ = 0;  // Messages with tasks or arrivals.
  std::uint64_t received_ = 0;
  using Sum = std::pair<std::uint64_t, std::uint64_t>;
  static constexpr Sum kNoSum = {0, ~std::uint64_t{0}};
  int states_ = 0;  // Answers to the probe that are missing.
  bool are_all_idle_ = false;
  Sum sum_{};
  Sum last_sum_ = kNoSum;
  Clock::time_point probed_at_{};
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_RANKS_INTERNAL_TASK_RANKS_H_
