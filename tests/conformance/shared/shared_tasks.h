// SPDX-License-Identifier: Apache-2.0

// Task sets that travel between the devices of a group.
#ifndef MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::conformance {

// The work of the leaves of a run, its tasks that spawn no others, on a device.
enum class LeafRole : std::uint32_t {
  kRuns,          // Their work.
  kNeedsAnother,  // Their work, once a leaf has begun on another device, too. Before that they run
                  // again later, so the run ends only if tasks travel.
  kWaits,         // They run again later: the run cannot end.
  kFails,         // Their work, and then they fail.
};

// The sums of one device, and what its leaves do.
struct DeviceSums {
  std::uint64_t* sums;        // kSums of them.
  std::uint32_t detours = 0;  // Steps of useless work of each node there.
  LeafRole role = LeafRole::kRuns;

  // A word for each of `devices` devices, which all of them reach: 0 once a leaf has begun there,
  // and 1 before. Null if none are kept.
  std::uint32_t* absent = nullptr;
  std::uint32_t devices = 0;
  std::uint32_t own = 0;  // Index of this device's word.

  // Notes that a leaf has begun, and returns true if it is to run again later.
  template <class Context>
  MILLRACE_FUNCTION bool must_wait(Context& context) const {
    if (absent != nullptr) context.fetch_min(absent + own, 0u);
    if (role == LeafRole::kWaits) return true;
    if (role != LeafRole::kNeedsAnother) return false;
    for (std::uint32_t i = 0; i < devices; ++i) {
      if (i != own && context.fetch_min(absent + i, 1u) == 0) return false;
    }
    return true;
  }
};
inline constexpr std::uint32_t kSums = 4;
inline constexpr int kLeafFailure = 9;  // Code of LeafRole::kFails.

// A node of a random tree. Its sums are the number of nodes and a hash of them; those of nodes that
// fail, which have no children, follow.
struct SharedNode {
  static constexpr bool kTravels = true;
  static constexpr int kFailure = 7;
  static constexpr std::uint32_t kMostChildren = 4;
  std::uint64_t state;
  std::uint32_t depth;  // Levels below it, at most.
  std::uint32_t fails;  // Nonzero if a node whose state has these trailing bits fails.

  MILLRACE_FUNCTION bool is_failing() const { return fails != 0 && (state & fails) == fails; }
  MILLRACE_FUNCTION std::uint32_t children() const {
    return depth == 0 ? 0 : static_cast<std::uint32_t>(state >> 40) % (kMostChildren + 1);
  }
  MILLRACE_FUNCTION SharedNode child(std::uint32_t i) const {
    return {splitmix64(state + i), depth - 1, fails};
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    std::uint64_t* const sums = context.arguments().sums;
    const bool is_leaf = !is_failing() && children() == 0;
    if (is_leaf && context.arguments().must_wait(context)) return context.spawn(*this);
    if (is_failing()) {
      context.add(sums + 2, std::uint64_t{1});
      context.add(sums + 3, state);
      return context.fail(kFailure);
    }
    context.add(sums, std::uint64_t{1});
    context.add(sums + 1, state);
    if (const std::uint32_t detours = context.arguments().detours; detours > 0) {
      std::uint64_t end = state;
      for (std::uint32_t i = 0; i < detours; ++i) end = splitmix64(end);
      context.add(sums + 3, end);
    }
    if (is_leaf && context.arguments().role == LeafRole::kFails) context.fail(kLeafFailure);
    context.spawn_many(children(), [this](std::uint32_t i) { return child(i); });
  }
};
struct SharedTreeTasks : TaskSet<SharedNode> {
  using Arguments = DeviceSums;
};

// A chain: each link spawns the next one, and counts itself.
struct SharedLink {
  static constexpr bool kTravels = true;
  std::uint32_t left;  // Links after it.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().sums, std::uint64_t{1});
    if (left > 0) context.spawn(SharedLink{left - 1});
  }
};
struct SharedChainTasks : TaskSet<SharedLink> {
  using Arguments = DeviceSums;
};

// The n-th number of Fibonacci, by a task for each call. A call of n below 2 may fail once it has
// arrived.
struct SharedAnswer {
  static constexpr bool kTravels = true;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().sums, value);
    context.add(context.arguments().sums + 1, std::uint64_t{1});
  }
};

struct SharedSum {
  static constexpr bool kTravels = true;
  Join<std::uint64_t> caller;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(caller, values[0] + values[1]);
  }
};

struct SharedCall {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  static constexpr int kFailure = 8;
  Join<std::uint64_t> caller;
  std::uint16_t n;
  std::uint16_t path;  // A hash of the calls above it; 0 if none fails.

  // The last digits of the paths of calls that fail.
  static constexpr std::uint32_t kFails = 0x3f;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n < 2) {
      if (context.arguments().must_wait(context)) return context.spawn(*this);
      context.arrive(caller, n);
      if ((path & kFails) == kFails) context.fail(kFailure);
      if (context.arguments().role == LeafRole::kFails) context.fail(kLeafFailure);
      return;
    }
    const auto join = context.open_join(2, SharedSum{caller, {}});
    for (int i = 0; i < 2; ++i) {
      const auto hash = static_cast<std::uint16_t>(splitmix64(path + i) | 1);
      context.spawn(SharedCall{join.to(&SharedSum::values, i),
                               static_cast<std::uint16_t>(n - 1 - i),
                               path == 0 ? std::uint16_t{0} : hash});
    }
  }
};

struct SharedStart {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t n;
  std::uint32_t missing;   // Arrivals that are stated and never come.
  std::uint32_t path = 0;  // SharedCall::path of its call.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(1 + missing, SharedAnswer{0});
    context.spawn(SharedCall{join.to(&SharedAnswer::value), static_cast<std::uint16_t>(n),
                             static_cast<std::uint16_t>(path)});
  }
};
struct SharedCallTasks : TaskSet<SharedStart, SharedCall, SharedSum, SharedAnswer> {
  using Arguments = DeviceSums;
};

// A join of which all leaves are children, so that a leaf on another device sends its arrival.
struct SharedGathered {
  static constexpr bool kTravels = true;
  std::uint32_t leaves;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().sums, std::uint64_t{leaves});
  }
};

struct SharedLeaf {
  static constexpr bool kTravels = true;
  Join<> end;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.arguments().must_wait(context)) return context.spawn(*this);
    context.add(context.arguments().sums + 1, std::uint64_t{1});
    context.arrive(end);
  }
};

struct SharedGather {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t leaves;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const Join<> end = context.open_join(leaves, SharedGathered{leaves});
    context.spawn_many(leaves, [&end](std::uint32_t) { return SharedLeaf{end}; });
  }
};
struct SharedGatherTasks : TaskSet<SharedGather, SharedLeaf, SharedGathered> {
  using Arguments = DeviceSums;
};

// Tasks of several widths whose join grows while its children run, and whose values are handles:
// a leaf opens a join and lends it to its parent, whose continuation arrives there.
struct SharedReturned {
  static constexpr bool kTravels = true;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().sums + 2, value);
  }
};

struct SharedBranchEnd {
  static constexpr bool kTravels = true;
  Join<std::uint64_t> lent;
  std::uint64_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(context.arguments().sums, std::uint64_t{1});
    context.arrive(lent, depth);
  }
};

struct SharedBranchChild {
  static constexpr bool kTravels = true;
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::uint32_t kJoins = 1;
  Join<Join<std::uint64_t>> lends;  // Join of one child.
  Join<> arrives;                   // Join of the others.
  std::uint32_t grows;              // Levels of children that it adds.
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

struct SharedBranch {
  static constexpr bool kTravels = true;
  static constexpr std::uint32_t kJoins = 1;
  std::uint32_t depth;
  std::uint32_t width;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(width, SharedBranchEnd{{}, depth});
    for (std::uint32_t i = 0; i < width; ++i) {
      const bool lends = i == 0;
      context.spawn(SharedBranchChild{
          lends ? join.to(&SharedBranchEnd::lent) : Join<Join<std::uint64_t>>(Join<>::kNone, 0),
          lends ? Join<>(Join<>::kNone, 0) : Join<>(join), lends ? 0u : 2u, depth});
    }
  }
};

template <class Context>
MILLRACE_FUNCTION void SharedBranchChild::operator()(Context& context) const {
  context.sync();
  if (context.lane() != 0) return;
  for (int i = 0; i < 2 && grows > 0; ++i) {
    context.expect(arrives, 1);
    context.spawn(SharedBranchChild{lends, arrives, grows - 1, depth});
  }
  context.add(context.arguments().sums + 1, std::uint64_t{1});
  if (lends.index() == Join<>::kNone) return context.arrive(arrives);
  if (depth > 0) context.spawn(SharedBranch{depth - 1, 3});
  const auto join = context.open_join(1, SharedReturned{0});
  context.arrive(lends, join.to(&SharedReturned::value));
}
struct SharedBranchTasks
    : TaskSet<SharedBranch, SharedBranchChild, SharedBranchEnd, SharedReturned> {
  using Arguments = DeviceSums;
};

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_SHARED_SHARED_TASKS_H_
