// SPDX-License-Identifier: Apache-2.0

// A device's side of a run that several devices share (runtime/group/internal/task_exchange.h):
// what its backend requests and reports while a segment of the run is on the device.
#ifndef MILLRACE_RUNTIME_TASKS_INTERNAL_PARTICIPANT_H_
#define MILLRACE_RUNTIME_TASKS_INTERNAL_PARTICIPANT_H_

#include <millrace/runtime/tasks/internal/waiting_join.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_list.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

namespace millrace {

// An arrival at a join of another device, or arrivals that are added to it.
template <class Set>
struct JoinArrival {
  std::uint32_t index;         // See the handle (join.h).
  std::uint32_t expected = 0;  // Arrivals to add, as by Context::expect; 0 if this is an arrival.
  std::uint16_t offset = 0;    // The value's byte in the continuation.
  std::uint16_t bytes = 0;     // The value's size; 0 if there is none.
  std::array<std::byte, Set::kSlotBytes> value;

  template <class V>
  static JoinArrival at(const Join<V>& join) {
    return {.index = join.index(), .value = {}};
  }
  template <class V>
  static JoinArrival at(const Join<V>& join, const V& value) {
    static_assert(sizeof(V) <= Set::kSlotBytes, "a value is a member of a continuation");
    JoinArrival arrival{.index = join.index(),
                        .offset = static_cast<std::uint16_t>(join.offset()),
                        .bytes = sizeof(V),
                        .value = {}};
    std::memcpy(arrival.value.data(), &value, sizeof(V));
    return arrival;
  }
};

// A backend calls the functions from any thread while the segment runs. They throw std::bad_alloc.
template <class Set>
class Participant {
 public:
  Participant() = default;
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;
  virtual ~Participant() = default;

  // The home of the joins that this segment opens.
  JoinHome home() const { return home_; }

  // Returns true if the segment has all roots of the run, and their number is below the sharing
  // threshold: if wanted() is positive, it is to spread them by waves and to share out what these
  // spawn.
  bool spreads() const { return spreads_; }

  // Returns the fraction of its waiting tasks that the device is to give to others, or 0 if none
  // are requested of it. It stays positive until some device has given.
  float wanted() const { return wanted_.load(std::memory_order_relaxed); }

  // Sets a function, or none, that is called once wanted() becomes positive, at once if it is. It
  // must return soon, and must not throw or call this object.
  virtual void set_on_wanted(std::function<void()> on_wanted) = 0;

  // Gives tasks of this run to whichever device takes them first. An empty list says that there are
  // none to give, so that they are requested of another device.
  virtual void give(const TaskList<Set>& tasks) = 0;

  // Gives those that wait all the tasks that wanted() requests: they take them by their speeds.
  virtual void share_out(TaskList<Set> tasks) = 0;

  // Sends an arrival to the join's home.
  virtual void send(const JoinArrival<Set>& arrival) = 0;

  // Keeps the joins that are open when the segment has run all its tasks. Their indices have the
  // home.
  virtual void keep(const std::vector<WaitingJoin<Set>>& joins) = 0;

 protected:
  JoinHome home_;
  bool spreads_ = false;
  std::atomic<float> wanted_ = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_TASKS_INTERNAL_PARTICIPANT_H_
