// SPDX-License-Identifier: Apache-2.0

// The open joins (runtime/tasks/join.h) of a run on one thread.
#ifndef MILLRACE_BACKENDS_NULL_NULL_JOINS_H_
#define MILLRACE_BACKENDS_NULL_NULL_JOINS_H_

#include <cstdint>
#include <vector>

#include <millrace/runtime/core/check.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/waiting_join.h>

namespace millrace::null_backend {

template <class Set>
class NullJoins {
 public:
  template <class T>
  std::uint32_t open(std::uint32_t arrivals, TaskTag tag, const T& continuation) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(joins_.size()));
      joins_.emplace_back();
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    joins_[index] = {index, arrivals, tag, {}};
    joins_[index].continuation.store(continuation);
    return index;
  }

  void expect(const Join<>& join, std::uint32_t arrivals) {
    if (join.index != Join<>::kNone) joins_[join.index].missing += arrivals;
  }

  template <class V>
  void store(const Join<V>& join, const V& value) {
    if (join.index == Join<>::kNone) return;
    joins_[join.index].continuation.store_at(join.offset, value);
  }

  // Calls start(continuation) if this is the last arrival.
  template <class Start>
  void arrive(const Join<>& join, const Start& start) {
    if (join.index == Join<>::kNone) return;
    WaitingJoin<Set>& waiting = joins_[join.index];
    if (waiting.missing == 0) reject("an arrival at a join that has ended; open it with more");
    if (--waiting.missing > 0) return;
    visit_type<Set>(waiting.tag, [&]<class T>() { start(waiting.continuation.template get<T>()); });
    free_.push_back(join.index);
  }

  // Throws kTaskFailed if a join is open.
  void check_ended() {
    std::erase_if(joins_, [](const auto& join) { return join.missing == 0; });
    if (!joins_.empty()) throw_waiting<Set>(joins_);
  }

 private:
  std::vector<WaitingJoin<Set>> joins_;
  std::vector<std::uint32_t> free_;
};

}  // namespace millrace::null_backend

#endif  // MILLRACE_BACKENDS_NULL_NULL_JOINS_H_
