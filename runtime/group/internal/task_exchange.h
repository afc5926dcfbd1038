// SPDX-License-Identifier: Apache-2.0

// The tasks of a run that several devices share (run_shared_tasks.h), as the host sees them.
//
// Each device runs the tasks that it has as a run of its own, a segment, until none is left. Then
// it takes tasks that others have given, or requests some of the devices that run. Tasks that a
// segment spawns stay on its device, and so do the joins that it opens, until the segment ends;
// joins that are open then are kept here. A segment's joins carry its home in their indices: an
// arrival on another device comes here, and is counted here or waits until the join's segment has
// ended.
//
// A run whose roots are fewer than kSharingThreshold begins on one device, which shares out the
// tasks that these have spawned as soon as there are enough for all. Later a device without tasks
// requests some only if the others' are likely to take longer than it takes to move them. It
// requests them of the device with the largest surplus (giver_choice.h), and of the next one if
// that has none or does not answer soon.
//
// The run ends when all devices wait and nothing is left to take: waiting devices and lists are
// counted under one lock, and no device is polled.
#ifndef MILLRACE_RUNTIME_GROUP_INTERNAL_TASK_EXCHANGE_H_
#define MILLRACE_RUNTIME_GROUP_INTERNAL_TASK_EXCHANGE_H_

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/group/internal/giver_choice.h>
#include <millrace/runtime/group/internal/join_homes.h>
#include <millrace/runtime/host/clock/run_clock.h>
#include <millrace/runtime/tasks/internal/participant.h>
#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/task_list.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace millrace {

// The tasks and arrivals that a device has exchanged with others.
struct ExchangeCounts {
  std::uint64_t segments = 0;       // Segments that it has run.
  std::uint64_t tasks_given = 0;    // Tasks that it has given to others.
  std::uint64_t tasks_taken = 0;    // Tasks with which its segments began.
  std::uint64_t arrivals_sent = 0;  // Arrivals at joins of other segments.
};

// Fewer tasks than these are spread by one device better than they are shared.
inline constexpr std::size_t kSharingThreshold = 4096;

// Takes arrivals at joins of other processes, and is notified of changes in the exchange. It is
// called with the exchange locked, so it must not call the exchange.
template <class Set>
class OutsideWorld {
 public:
  virtual ~OutsideWorld() = default;
  // Returns true if joins with this home are kept by another process.
  virtual bool owns(std::uint32_t home) const = 0;
  virtual void send(const JoinArrival<Set>& arrival) = 0;
  // Called when the tasks, the arrivals or the waiting devices here have changed.
  virtual void notify() = 0;
};

// Thread-safe.
template <class Set>
class TaskExchange {
 public:
  using Joins = std::vector<WaitingJoin<Set>>;

  // Makes the exchange of devices of these speeds, in any unit. If `outside` is null, the run ends
  // when all devices wait and no task is left; otherwise it ends by end().
  TaskExchange(const std::vector<double>& speeds, const JoinHomes& homes,
               const TaskList<Set>& tasks, OutsideWorld<Set>* outside = nullptr)
      : givers_(speeds.size()), homes_(homes), outside_(outside) {
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      members_.push_back(std::make_unique<Member>(*this, i, speeds[i]));
    }
    waiting_ = members_.size();
    const auto fastest = std::max_element(speeds.begin(), speeds.end());
    first_ = static_cast<std::size_t>(fastest - speeds.begin());
    pool_.append(tasks);
    for (const WaitingJoin<Set>& join : pool_.joins()) add_join(join);
    pool_.clear_joins();
  }

  // Waits until there are tasks for this device, and returns its next segment: tasks, and joins
  // that its home has already. Returns nothing once the run has ended or is stopped. The segment
  // of the last call has ended.
  std::optional<TaskList<Set>> next(std::size_t device) {
    std::unique_lock lock(mutex_);
    Member& self = *members_[device];
    end_segment(self);
    for (;;) {
      if (has_ended_ || is_stopped_) return std::nullopt;
      const auto now = Clock::now();
      self.requests = now >= self.requests_at;
      if (!pool_.empty() && may_take(device, now)) return begin_segment(self);
      if (pool_.empty() && waiting_ == members_.size() && outside_ == nullptr) {
        has_ended_ = true;
        changed_.notify_all();
        return std::nullopt;
      }
      update_wanted();
      if (is_spreading_) {
        await_portion(lock);
      } else if (const auto until = wake_time(self, now); until < kNever) {
        Clock::wait_until(changed_, lock, until);
      } else {
        changed_.wait(lock);
      }
    }
  }

  Participant<Set>& participant(std::size_t device) { return *members_[device]; }

  // Keeps what a device has not run when its segment was stopped or has failed.
  void leave(const TaskList<Set>& rest) {
    const std::lock_guard lock(mutex_);
    add_joins(rest.joins());
    pool_.append(rest);
    pool_.clear_joins();
  }

  // Notes that the segment of a device has ended by a failure. If its open joins are lost, arrivals
  // at them are dropped.
  void end_failed_segment(std::size_t device, bool has_lost_joins) {
    const std::lock_guard lock(mutex_);
    has_lost_joins_ = has_lost_joins_ || has_lost_joins;
    end_segment(*members_[device]);
  }

  // Ends the run early: no further segment begins.
  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    changed_.notify_all();
  }
  bool is_stopped() const {
    const std::lock_guard lock(mutex_);
    return is_stopped_;
  }

  // Called when all devices have left next() for the last time. Returns the tasks and open joins
  // that are left.
  TaskList<Set> take_rest() {
    const std::lock_guard lock(mutex_);
    for (const auto& member : members_) end_segment(*member);
    TaskList<Set> rest = std::exchange(pool_, {});
    for (const auto& [index, join] : joins_) rest.push(join);
    return rest;
  }

  // Called after take_rest(). Throws kInvalidArgument if there was an arrival at a join that had
  // ended.
  void check_arrivals() const {
    const std::lock_guard lock(mutex_);
    if (!lost_arrival_) return;
    reject(
        "a task has arrived at a join that has ended; there are more arrivals than were "
        "stated");
  }

  ExchangeCounts counts(std::size_t device) const {
    const std::lock_guard lock(mutex_);
    return members_[device]->counts;
  }

  // The functions below are for an OutsideWorld's thread.

  // Adds tasks that have come from another process.
  void add(const TaskList<Set>& tasks) {
    const std::lock_guard lock(mutex_);
    pool_.append(tasks);
    note_change();
  }
  // Counts an arrival that has come from another process.
  void arrive(const JoinArrival<Set>& arrival) {
    const std::lock_guard lock(mutex_);
    route(arrival);
    note_change();
  }
  // Returns tasks that wait here, at most `most`, for another process whose devices have this
  // speed. If none wait, the devices receive a request for some, until
  // forget_others().
  TaskList<Set> take_for_others(double speed, std::size_t most) {
    const std::lock_guard lock(mutex_);
    outside_speed_ = speed;
    if (!pool_.empty()) return pool_.take_last(std::min(portion_of(speed), most));
    update_wanted();
    return {};
  }
  void forget_others() {
    const std::lock_guard lock(mutex_);
    if (outside_speed_ == 0) return;
    outside_speed_ = 0;
    update_wanted();
  }
  // Returns the number of tasks that this process could give to another, as far as it is known.
  std::uint64_t surplus() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t sum = pool_.size();
    for (const auto& member : members_) sum += givers_.surplus(member->index);
    return sum;
  }
  // Returns true if nothing is left to do here: all devices wait, and no tasks do.
  bool is_quiet() const {
    const std::lock_guard lock(mutex_);
    return waiting_ == members_.size() && pool_.empty();
  }
  // Returns true if no segment runs.
  bool have_segments_ended() const {
    const std::lock_guard lock(mutex_);
    return waiting_ == members_.size();
  }
  double speed() const {
    double sum = 0;
    for (const auto& member : members_) sum += member->speed;
    return sum;
  }
  // Ends the run, after which next() returns nothing.
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }

 private:
  using Clock = RunClock;

  struct Member final : Participant<Set> {
    Member(TaskExchange& the_exchange, std::size_t its_index, double its_speed)
        : exchange(the_exchange), index(its_index), speed(its_speed) {}

    void set_on_wanted(std::function<void()> function) override {
      const std::lock_guard lock(exchange.mutex_);
      on_wanted = std::move(function);
      if (this->wanted() > 0 && on_wanted) on_wanted();
    }
    void give(const TaskList<Set>& tasks) override { exchange.take_from(*this, tasks); }
    void share_out(TaskList<Set> tasks) override { exchange.share_out(*this, std::move(tasks)); }
    void send(const JoinArrival<Set>& arrival) override {
      const std::lock_guard lock(exchange.mutex_);
      ++counts.arrivals_sent;
      const std::size_t ready = exchange.ready_;
      exchange.route(arrival);
      const bool is_change = exchange.ready_ != ready || exchange.lost_arrival_;
      if (is_change || exchange.outside_ != nullptr) exchange.note_change();
    }
    void keep(const Joins& joins) override {
      const std::lock_guard lock(exchange.mutex_);
      exchange.add_joins(joins);
    }

    void set_home(JoinHome home) { this->home_ = home; }
    void set_spreads(bool spreads) { this->spreads_ = spreads; }
    void want(float fraction) {
      const bool is_new = fraction > 0 && this->wanted() == 0;
      this->wanted_.store(fraction, std::memory_order_relaxed);
      if (is_new && on_wanted) on_wanted();
    }

    TaskExchange& exchange;
    const std::size_t index;
    const double speed;
    std::function<void()> on_wanted;
    std::optional<std::uint32_t> home;  // Home of the segment that runs.
    bool runs = false;
    bool has_portion = false;         // It has begun with its portion of tasks that another spread.
    bool requests = true;             // While it waits, others are to give it tasks.
    Clock::time_point began_at{};     // Start of its last segment.
    Clock::time_point requests_at{};  // Before that it takes only tasks that wait.
    Clock::time_point takes_ready_at{};      // Before that it leaves continuations to others.
    std::chrono::microseconds patience{0};   // The time from a segment's end to requests_at.
    std::vector<JoinArrival<Set>> arrivals;  // Arrivals at joins of the segment that runs.
    ExchangeCounts counts;
  };

  // All functions below are called with the lock.

  // A device that is this many times slower than a running one requests nothing of it once it has
  // had its portion, because all would wait for the slow one's last tasks.
  static constexpr double kMuchSlower = 8;
  // A device that has not answered a request in this time may be in a long wave, so another one is
  // requested, too. Workers of a CPU answer in some ten microseconds, those of a GPU in some
  // hundred.
  static constexpr auto kAnswerTime = std::chrono::milliseconds(1);
  static constexpr auto kNever = Clock::time_point::max();

  // Returns true if fewer than kSharingThreshold tasks wait, not counting continuations, which end
  // soon in great numbers. Returns false for a set that does not spawn: its tasks become no more.
  bool is_below_threshold() const {
    return Set::kSpawns && pool_.size() - std::min(ready_, pool_.size()) < kSharingThreshold;
  }

  // Returns true if this device takes tasks that wait. Below the threshold, the first segment of a
  // run is for the fastest device. Later, tasks below the threshold are kept until the device
  // requests some, and continuations longer: other segments may have ended by then, and one device
  // that has all continuations has their joins, too.
  bool may_take(std::size_t device, Clock::time_point now) const {
    if (!is_below_threshold()) return true;
    if (!has_begun_) return device == first_;
    if (is_shared_out_) return true;
    const Member& self = *members_[device];
    if (waiting_ == members_.size()) return ready_ < pool_.size() || !is_home_of_another(self);
    return ready_ < pool_.size() ? self.requests : now >= self.takes_ready_at;
  }

  // Returns the home whose joins a segment of this device is to go on with when no other
  // segment runs: the one with most joins among the device's own homes and those of devices of its
  // model, which have the same speed. Joins of other models have indices that need much memory
  // here.
  std::optional<std::uint32_t> home_to_go_on_with(const Member& self) const {
    return homes_.most_used([&](std::uint32_t home) {
      return owners_[home] != nullptr && owners_[home]->speed == self.speed;
    });
  }
  bool is_home_of_another(const Member& self) const {
    if (home_to_go_on_with(self).has_value()) return false;
    return std::any_of(members_.begin(), members_.end(), [this](const auto& member) {
      return home_to_go_on_with(*member).has_value();
    });
  }

  // Returns how many of the tasks that wait a device of this speed takes: its portion among
  // devices without tasks. A much faster device that runs gets a portion, too, because it later
  // takes back some of what it has given, unless it has shared that out.
  std::size_t portion_of(double speed) const {
    double takers = speed;
    double waiting = 0;
    for (const auto& member : members_) {
      if (!member->runs) {
        waiting += member->speed;
      } else if (member->speed > 2 * speed && !is_shared_out_) {
        takers = std::max(takers, speed + member->speed);
      }
    }
    const double fraction = speed / std::max(takers, waiting);
    const auto count =
        static_cast<std::size_t>(std::llround(fraction * static_cast<double>(pool_.size())));
    return std::clamp<std::size_t>(count, 1, pool_.size());
  }

  // Waits for a change without sleeping, for as long as a device usually takes to spread the roots.
  // Waking a thread up would take much of that time.
  void await_portion(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t known = changes_.load(std::memory_order_relaxed);
    lock.unlock();
    const auto end = Clock::now() + std::chrono::microseconds(500);
    while (changes_.load(std::memory_order_acquire) == known && Clock::now() < end) {
      std::this_thread::yield();
    }
    lock.lock();
    if (changes_.load(std::memory_order_relaxed) == known) is_spreading_ = false;
  }

  TaskList<Set> begin_segment(Member& self) {
    const bool takes_all = waiting_ == members_.size() && is_below_threshold() && !is_shared_out_;
    TaskList<Set> segment = pool_.take_last(takes_all ? pool_.size() : portion_of(self.speed));
    ready_ = std::min(ready_, pool_.size());
    self.set_spreads(takes_all && !has_begun_);
    is_spreading_ = is_spreading_ || self.spreads();
    self.has_portion = self.has_portion || is_shared_out_;
    is_shared_out_ = is_shared_out_ && !pool_.empty();
    self.runs = true;
    self.began_at = Clock::now();
    --waiting_;
    take_home(self, segment);
    has_begun_ = true;
    givers_.publish(self.index, segment.size());
    ++self.counts.segments;
    self.counts.tasks_taken += segment.size();
    update_wanted();
    if (outside_ != nullptr) outside_->notify();
    return segment;
  }

  // Gives the segment a home. If no other segment runs, it goes on with the joins of one, and then
  // runs chains of their continuations to the end. It also does so if all homes are in use.
  void take_home(Member& self, TaskList<Set>& segment) {
    if constexpr (!Set::kOpensJoins) return;
    std::optional<std::uint32_t> home;
    const bool is_alone = has_begun_ && waiting_ + 1 == members_.size();
    if (is_alone) home = home_to_go_on_with(self);
    if (home.has_value()) homes_.take(*home);
    if (!home.has_value()) home = homes_.take();
    if (!home.has_value()) home = homes_.take_used();
    if (!home.has_value()) {
      reject("no number is left for the joins of this run (" + std::to_string(homes_.count()) +
             " are in use); run on fewer devices");
    }
    if (homes_.joins(*home) > 0) take_joins(*home, segment);
    owners_[*home] = &self;
    self.home = home;
    self.set_home(JoinHome::of(*home));
  }

  void take_joins(std::uint32_t home, TaskList<Set>& segment) {
    for (auto join = joins_.begin(); join != joins_.end();) {
      if (join->first >> JoinHome::kRecordBits != home) {
        ++join;
        continue;
      }
      segment.push(join->second);
      join = joins_.erase(join);
      homes_.end_join(home);
    }
  }

  void end_segment(Member& self) {
    if (!self.runs) return;
    self.runs = false;
    ++waiting_;
    self.want(0);
    givers_.publish(self.index, 0);
    set_patience(self);
    if (self.home.has_value()) {
      homes_.release(*self.home);
      self.home.reset();
    }
    for (const auto& arrival : std::exchange(self.arrivals, {})) route(arrival);
    note_change();
  }

  // Sets the time that a device waits before its next request. After a segment that was its
  // portion it waits a sixteenth of that segment's time, because the others are likely to end as
  // soon as it. If its segments are short, it gains nothing by them and disturbs those that give:
  // it waits twice as long each time.
  static void set_patience(Member& self) {
    using std::chrono::microseconds;
    constexpr microseconds kShort(300);
    constexpr microseconds kFirst(100);
    constexpr microseconds kMost(10'000);
    const auto now = Clock::now();
    const auto passed = std::chrono::duration_cast<microseconds>(now - self.began_at);
    const bool is_short = self.counts.segments > 1 && passed < kShort;
    const microseconds longest = self.has_portion ? passed / 16 : microseconds(0);
    self.patience =
        is_short ? std::clamp(2 * self.patience, kFirst, kMost) : std::min(longest, kMost);
    self.requests_at = now + self.patience;
    self.takes_ready_at = std::max(self.requests_at, now + std::min(passed / 4, kMost));
  }

  void add_joins(const Joins& joins) {
    joins_.reserve(joins_.size() + joins.size());
    for (const WaitingJoin<Set>& join : joins) add_join(join);
  }
  void add_join(const WaitingJoin<Set>& join) {
    if (!joins_.emplace(join.index, join).second) {
      reject("two open joins have the index " + std::to_string(join.index) +
             "; continue each stopped run's list in a run of its own");
    }
    homes_.begin_join(join.index >> JoinHome::kRecordBits);
  }

  void take_from(Member& self, const TaskList<Set>& tasks) {
    const std::lock_guard lock(mutex_);
    publish_rest(self, tasks.size());
    if (tasks.empty()) return request_of_another();
    self.counts.tasks_given += tasks.size();
    pool_.append(tasks);
    note_change();
  }

  void share_out(Member& self, TaskList<Set> tasks) {
    if (tasks.empty()) return;
    const std::lock_guard lock(mutex_);
    publish_rest(self, tasks.size());
    self.counts.tasks_given += tasks.size();
    self.has_portion = true;
    is_shared_out_ = pool_.empty();
    is_spreading_ = false;
    if (pool_.empty()) {
      pool_ = std::move(tasks);
    } else {
      pool_.append(tasks);
    }
    note_change();
  }

  void route(const JoinArrival<Set>& arrival) {
    const std::uint32_t home = arrival.index >> JoinHome::kRecordBits;
    for (const auto& member : members_) {
      if (member->runs && member->home == home) return member->arrivals.push_back(arrival);
    }
    if (outside_ != nullptr && outside_->owns(home)) return outside_->send(arrival);
    const auto found = joins_.find(arrival.index);
    if (found == joins_.end()) {
      if (has_lost_joins_) return;
      lost_arrival_ = true;
      is_stopped_ = true;
      return;
    }
    WaitingJoin<Set>& join = found->second;
    if (arrival.expected > 0) {
      join.missing += arrival.expected;
      return;
    }
    std::memcpy(reinterpret_cast<std::byte*>(&join.continuation) + arrival.offset,
                arrival.value.data(), arrival.bytes);
    if (--join.missing > 0) return;
    pool_.push(join.tag, join.continuation);
    ++ready_;
    joins_.erase(found);
    homes_.end_join(home);
  }

  void note_change() {
    update_wanted();
    changes_.fetch_add(1, std::memory_order_release);
    changed_.notify_all();
    if (outside_ != nullptr) outside_->notify();
  }

  // Publishes what a device has left that gives `given` tasks, which are the fraction of its tasks
  // that it was requested to give. Tasks that come when none are requested say nothing of the rest.
  void publish_rest(Member& self, std::size_t given) {
    const double fraction = self.wanted();
    if (fraction <= 0) return;
    const double rest = static_cast<double>(given) * (1 - fraction) / fraction;
    givers_.publish(self.index, static_cast<std::uint64_t>(std::llround(rest)));
  }

  // Requests tasks of a device that runs if others wait and there are none to take, and of one more
  // each time that those requested have not answered soon. Otherwise it withdraws all requests.
  void update_wanted() {
    const auto may_give = [this](std::size_t i) {
      return members_[i]->runs && idle_speed(members_[i]->speed) > 0;
    };
    const bool are_wanted = pool_.empty() && !is_stopped_ &&
                            std::any_of(members_.begin(), members_.end(), [&](const auto& member) {
                              return may_give(member->index);
                            });
    if (!are_wanted) {
      givers_.end_round();
      answer_by_ = {};
    } else if (const auto now = Clock::now();
               now >= answer_by_ && givers_.request(may_give).has_value()) {
      answer_by_ = now + kAnswerTime;
    }
    for (const auto& member : members_) {
      if (!member->runs) continue;
      const double idle = givers_.is_requested(member->index) ? idle_speed(member->speed) : 0;
      member->want(idle > 0 ? static_cast<float>(idle / (idle + member->speed)) : 0);
    }
  }

  // Requests tasks of another device at once, because one has none to give.
  void request_of_another() {
    answer_by_ = {};
    update_wanted();
  }

  // Returns the time at which a device that waits is to try again, although nothing has changed.
  Clock::time_point wake_time(const Member& self, Clock::time_point now) const {
    Clock::time_point first = kNever;
    for (const auto time : {self.requests_at, self.takes_ready_at, answer_by_}) {
      if (time > now) first = std::min(first, time);
    }
    return first;
  }

  // Returns the total speed of the devices that request tasks of one with the speed `giver`. A much
  // slower one gets less than its portion, once, so that not all wait for it at the end.
  double idle_speed(double giver) const {
    constexpr double kPortionFraction = 0.7;
    double idle = outside_speed_;
    for (const auto& member : members_) {
      if (member->runs || !member->requests) continue;
      if (kMuchSlower * member->speed > giver) {
        idle += member->speed;
      } else if (!member->has_portion) {
        idle += kPortionFraction * member->speed;
      }
    }
    return idle;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Member>> members_;
  GiverChoice givers_;             // Its participants are the members.
  Clock::time_point answer_by_{};  // Time from which another device is requested, too.
  JoinHomes homes_;
  std::array<const Member*, JoinHome::kHomes> owners_{};  // The last device that had each home.
  OutsideWorld<Set>* const outside_;
  double outside_speed_ = 0;
  std::size_t first_ = 0;                                      // The fastest device.
  std::size_t waiting_ = 0;                                    // Devices that run no segment.
  TaskList<Set> pool_;                                         // Tasks to take, without joins.
  std::size_t ready_ = 0;                                      // Continuations among them.
  std::unordered_map<std::uint32_t, WaitingJoin<Set>> joins_;  // Open joins of ended segments.
  std::atomic<std::uint64_t> changes_ = 0;                     // Number of calls of note_change().
  bool has_begun_ = false;                                     // A segment has begun.
  bool is_spreading_ = false;   // The first segment may soon share its tasks out.
  bool is_shared_out_ = false;  // The tasks to take are portions of the devices that wait.
  bool has_ended_ = false;
  bool is_stopped_ = false;
  bool lost_arrival_ = false;
  bool has_lost_joins_ = false;  // A device has failed whose open joins could not be read.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_INTERNAL_TASK_EXCHANGE_H_
