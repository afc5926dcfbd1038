// SPDX-License-Identifier: Apache-2.0

// The homes (JoinHome) of a run that several devices share: each segment of it that opens joins
// has one of its own, until these have ended.
#ifndef MILLRACE_RUNTIME_GROUP_INTERNAL_JOIN_HOMES_H_
#define MILLRACE_RUNTIME_GROUP_INTERNAL_JOIN_HOMES_H_

#include <millrace/runtime/tasks/join.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace millrace {

// Not thread-safe.
class JoinHomes {
 public:
  // The homes `first`, `first` + `step` and so on, below JoinHome::kHomes. `step` is positive.
  explicit JoinHomes(std::uint32_t first = 0, std::uint32_t step = 1) {
    for (std::uint32_t home = first; home < JoinHome::kHomes; home += step) {
      homes_[home].is_ours = true;
    }
  }

  // Excludes a home, which another process has.
  void exclude(std::uint32_t home) { homes_[home].is_ours = false; }

  // Returns the number of homes that segments may take.
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(homes_.begin(), homes_.end(), [](const Home& home) { return home.is_ours; }));
  }

  // Takes a home without joins for a segment, or returns none.
  std::optional<std::uint32_t> take() {
    return take_if([](const Home& home) { return home.joins == 0; });
  }

  // Takes a home whose joins wait, which the segment goes on with, or returns none.
  std::optional<std::uint32_t> take_used() {
    return take_if([](const Home&) { return true; });
  }

  // Returns the home with the most joins that wait of those that no segment has and for which
  // suits(home) is true, or none if no such joins wait.
  template <class Suits>
  std::optional<std::uint32_t> most_used(const Suits& suits) const {
    std::optional<std::uint32_t> most;
    for (std::uint32_t home = 0; home < JoinHome::kHomes; ++home) {
      if (!homes_[home].is_ours || homes_[home].has_segment || joins(home) == 0) continue;
      if (suits(home) && (!most.has_value() || joins(home) > joins(*most))) most = home;
    }
    return most;
  }

  // Takes a home that most_used() has returned.
  void take(std::uint32_t home) { homes_[home].has_segment = true; }

  // Notes that the segment of a home has ended.
  void release(std::uint32_t home) { homes_[home].has_segment = false; }

  // Count a join of this home that waits while no segment has it, and one that has ended or goes
  // on.
  void begin_join(std::uint32_t home) { ++homes_[home].joins; }
  void end_join(std::uint32_t home) { --homes_[home].joins; }

  std::size_t joins(std::uint32_t home) const { return homes_[home].joins; }

 private:
  struct Home {
    bool is_ours = false;
    bool has_segment = false;
    std::size_t joins = 0;
  };

  // Starts behind the home taken last, so that a handle of a join that has ended is not soon taken
  // for one of a new join.
  template <class Suits>
  std::optional<std::uint32_t> take_if(const Suits& suits) {
    for (std::uint32_t i = 0; i < JoinHome::kHomes; ++i) {
      const std::uint32_t home = (next_ + i) % JoinHome::kHomes;
      if (!homes_[home].is_ours || homes_[home].has_segment || !suits(homes_[home])) continue;
      homes_[home].has_segment = true;
      next_ = home + 1;
      return home;
    }
    return std::nullopt;
  }

  // Indexed by home, and one more: indices of resumed lists may have kHomes.
  std::array<Home, JoinHome::kHomes + 1> homes_{};
  std::uint32_t next_ = 0;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_GROUP_INTERNAL_JOIN_HOMES_H_
