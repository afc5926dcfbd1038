// SPDX-License-Identifier: Apache-2.0

// Task sets that wait: for counters known beforehand, and by joins.
#ifndef MILLRACE_TESTS_CONFORMANCE_TASKS_JOIN_TASKS_H_
#define MILLRACE_TESTS_CONFORMANCE_TASKS_JOIN_TASKS_H_

#include <millrace/runtime/host/splitmix64.h>
#include <millrace/runtime/tasks/join.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::conformance {

// The cells of a grid, of which each waits for the one above and the one to the left.
struct Grid {
  std::uint32_t side;
  std::uint32_t* missing;  // Predecessors of each cell.
  std::uint64_t* values;

  // The value of a cell, of its neighbours' values; 0 stands for one outside.
  MILLRACE_FUNCTION static std::uint64_t value(std::uint64_t above, std::uint64_t left) {
    return splitmix64(above ^ (3 * left + 1));
  }
};

struct GridCell {
  Grid grid;
  std::uint32_t row;
  std::uint32_t column;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const std::uint32_t cell = row * grid.side + column;
    const std::uint64_t above = row == 0 ? 0 : grid.values[cell - grid.side];
    const std::uint64_t left = column == 0 ? 0 : grid.values[cell - 1];
    grid.values[cell] = Grid::value(above, left);
    if (column + 1 < grid.side) {
      context.arrive(&grid.missing[cell + 1], GridCell{grid, row, column + 1});
    }
    if (row + 1 < grid.side) {
      context.arrive(&grid.missing[cell + grid.side], GridCell{grid, row + 1, column});
    }
  }
};
using GridTasks = TaskSet<GridCell>;

// A fan-in of tasks: the continuation of all predecessors sums what they have written.
struct FanInSum {
  const std::uint64_t* values;
  std::uint32_t count;
  std::uint64_t* result;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += values[i];
    *result += sum;
  }
};

// Writes its value and arrives at the counter of the fan-in.
struct FanInPredecessor {
  std::uint64_t* values;
  std::uint32_t* missing;
  std::uint64_t* result;
  std::uint32_t index;
  std::uint32_t count;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    values[index] = splitmix64(index);
    context.arrive(missing, FanInSum{values, count, result});
  }
};
using FanInTasks = TaskSet<FanInPredecessor, FanInSum>;

// A fan-in whose predecessors are continuations: each arrives at the counter once the two addends
// of its value have arrived at its join. The fan-in is in memory that the device reads.
struct JoinedFanIn {
  std::uint64_t* values;
  std::uint32_t* missing;
  std::uint64_t* result;
  std::uint32_t count;
};

// Sums the values.
struct JoinedFanInSum {
  const JoinedFanIn* all;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context&) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < all->count; ++i) sum += all->values[i];
    *all->result += sum;
  }
};

// Adds the addends, and arrives at the counter of the fan-in.
struct JoinedPredecessor {
  const JoinedFanIn* all;
  std::uint32_t index;
  std::uint32_t addends[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    all->values[index] = std::uint64_t{addends[0]} + addends[1];
    context.arrive(all->missing, JoinedFanInSum{all});
  }
};

// Arrives with one addend.
struct Addend {
  Join<std::uint32_t> sum;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(sum, value);
  }
};

// Opens the join of a predecessor, and spawns its addends.
struct OpenPredecessor {
  static constexpr std::uint32_t kJoins = 1;
  const JoinedFanIn* all;
  std::uint32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(2, JoinedPredecessor{all, index, {}});
    context.spawn(Addend{join.to(&JoinedPredecessor::addends, 0), index});
    context.spawn(Addend{join.to(&JoinedPredecessor::addends, 1), 1});
  }
};
using JoinedFanInTasks = TaskSet<OpenPredecessor, Addend, JoinedPredecessor, JoinedFanInSum>;

// The n-th number of Fibonacci, by a task for each call.
struct FibonacciAnswer {
  std::uint64_t* result;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(result, value);
  }
};

struct FibonacciAddition {
  Join<std::uint64_t> parent;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(parent, values[0] + values[1]);
  }
};

struct Fibonacci {
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (n < 2) return context.arrive(parent, n);
    const auto join = context.open_join(2, FibonacciAddition{parent, {}});
    context.spawn(Fibonacci{join.to(&FibonacciAddition::values, 0), n - 1});
    context.spawn(Fibonacci{join.to(&FibonacciAddition::values, 1), n - 2});
  }
};

struct FibonacciRoot {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* result;
  std::uint32_t n;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(1, FibonacciAnswer{result, 0});
    context.spawn(Fibonacci{join.to(&FibonacciAnswer::value), n});
  }
};
using FibonacciTasks = TaskSet<FibonacciRoot, Fibonacci, FibonacciAddition, FibonacciAnswer>;

// Arrives, after it has spawned `depth` levels of two children each for the same join.
struct GrowingChild {
  Join<> join;
  std::uint64_t* arrivals;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (depth > 0) {
      context.expect(join, 2);
      for (int i = 0; i < 2; ++i) context.spawn(GrowingChild{join, arrivals, depth - 1});
    }
    context.add(arrivals, std::uint64_t{1});
    context.arrive(join);
  }
};

struct GrowingEnd {
  std::uint64_t* ends;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(ends, std::uint64_t{1});
  }
};

struct GrowingRoot {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* arrivals;
  std::uint64_t* ends;
  std::uint32_t width;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const Join<> join = context.open_join(width, GrowingEnd{ends});
    context.spawn_many(width, [&](std::uint32_t) { return GrowingChild{join, arrivals, depth}; });
  }
};
using GrowingTasks = TaskSet<GrowingRoot, GrowingChild, GrowingEnd>;

// A join inside of a join, `depth` times; each counts how many are inside of it.
struct NestEnd {
  Join<std::uint64_t> parent;
  std::uint64_t inside;
  std::uint64_t* result;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (parent.index() == Join<>::kNone) context.add(result, inside + 1);
    context.arrive(parent, inside + 1);
  }
};

struct Nest {
  static constexpr std::uint32_t kJoins = 1;
  Join<std::uint64_t> parent;
  std::uint64_t* result;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (depth == 0) return context.arrive(parent, 0);
    const auto join = context.open_join(1, NestEnd{parent, 0, result});
    context.spawn(Nest{join.to(&NestEnd::inside), result, depth - 1});
  }
};
using NestTasks = TaskSet<Nest, NestEnd>;

// Joins one after another: the continuation of each opens the next.
struct JoinLinkChild {
  Join<> join;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(join);
  }
};

struct JoinLink {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* ends;
  std::uint32_t left;  // Links after this one.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (left == 0) return context.add(ends, std::uint64_t{1});
    context.spawn(JoinLinkChild{context.open_join(1, JoinLink{ends, left - 1})});
  }
};
using JoinLinkTasks = TaskSet<JoinLink, JoinLinkChild>;

// Tasks that open many joins each, which other lanes end: records of joins move from lanes that end
// them to those that open them. The last join of each may wait for the next task's last one.
struct ManyEnd {
  std::uint64_t* ends;
  Join<> above;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(ends, std::uint64_t{1});
    context.arrive(above);
  }
};

template <std::uint32_t joins>
struct OpenMany {
  static constexpr std::uint32_t kJoins = joins;
  std::uint64_t* ends;
  Join<> above;
  std::uint32_t left;  // Tasks after this one.
  bool is_nested;      // True if the next task is the child of this one's last join.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 1; i < kJoins; ++i) {
      context.spawn(JoinLinkChild{context.open_join(1, ManyEnd{ends, {}})});
    }
    const Join<> last = context.open_join(1, ManyEnd{ends, above});
    const bool has_nested = is_nested && left > 0;
    if (!has_nested) context.spawn(JoinLinkChild{last});
    if (left > 0) {
      context.spawn(OpenMany{ends, has_nested ? last : Join<>(), left - 1, is_nested});
    }
  }
};
template <std::uint32_t joins>
using OpenManyTasks = TaskSet<OpenMany<joins>, JoinLinkChild, ManyEnd>;

// A child lends a join that it has opened: it arrives at its parent's with the handle as the value,
// and the parent's continuation arrives there, as the child does. Another child may be the last to
// arrive at the parent's join, on another worker.
struct LentEnd {
  std::uint64_t* sum;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, values[0] + values[1]);
  }
};

// The values that hold the handle; lanes of a GPU keep the small one until their task has ended.
struct SmallLoan {
  Join<std::uint64_t> lent;
};
struct LargeLoan {
  Join<std::uint64_t> lent;
  std::uint64_t unused[2];
};

template <class Loan>
struct UseLent {
  Loan loan;
  std::uint64_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(loan.lent, value);
  }
};

template <class Loan>
struct Lend;

template <class Loan>
struct Borrow {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* sum;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const;
};

template <class Loan>
struct Lend {
  static constexpr std::uint32_t kJoins = 1;
  Join<Loan> borrower;
  std::uint64_t* sum;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(2, LentEnd{sum, {}});
    Loan loan = {};
    loan.lent = join.to(&LentEnd::values, 0);
    context.arrive(borrower, loan);
    for (int i = 0; i < 2 && depth > 0; ++i) context.spawn(Borrow<Loan>{sum, depth - 1});
    context.arrive(join.to(&LentEnd::values, 1), 1000);
  }
};

template <class Loan>
template <class Context>
MILLRACE_FUNCTION void Borrow<Loan>::operator()(Context& context) const {
  const auto join = context.open_join(2, UseLent<Loan>{{}, depth + 1});
  context.spawn(JoinLinkChild{join});
  context.spawn(Lend<Loan>{join.to(&UseLent<Loan>::loan), sum, depth});
}
template <class Loan>
using LendTasks = TaskSet<Borrow<Loan>, JoinLinkChild, Lend<Loan>, UseLent<Loan>, LentEnd>;

// Items of each width that open two joins at once, one without values.
struct WideForkLeaf {
  Join<std::uint32_t> values;
  Join<> both;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(values, value);
    context.arrive(both);
  }
};

struct WideForkSum {
  std::uint64_t* sum;
  std::uint32_t first, second;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, std::uint64_t{first} * 1000 + second);
  }
};

struct WideForkCount {
  std::uint64_t* sum;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(sum, std::uint64_t{1} << 40);
  }
};

template <TaskWidth width>
struct WideFork {
  static constexpr TaskWidth kWidth = width;
  static constexpr std::uint32_t kJoins = 2;
  std::uint64_t* sum;
  std::uint32_t value;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.sync();
    if (context.lane() != 0) return;
    const auto values = context.open_join(2, WideForkSum{sum, 0, 0});
    const auto both = context.open_join(2, WideForkCount{sum});
    context.spawn(WideForkLeaf{values.to(&WideForkSum::first), both, value});
    context.spawn(WideForkLeaf{values.to(&WideForkSum::second), both, value + 1});
  }
};
using WideForkTasks =
    TaskSet<WideFork<TaskWidth::kLane>, WideFork<TaskWidth::kWarp>, WideFork<TaskWidth::kBlock>,
            WideForkLeaf, WideForkSum, WideForkCount>;

// Opens a join of `stated` arrivals, at which `children` arrive.
struct BadJoinEnd {
  std::uint64_t* ends;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(ends, std::uint64_t{1});
  }
};

struct BadJoinChild {
  Join<> join;
  std::uint32_t more;  // Arrivals after the first.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i <= more; ++i) context.arrive(join);
  }
};

struct BadJoin {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* ends;
  std::uint32_t stated;
  std::uint32_t children;
  std::uint32_t joins;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    Join<> join;
    for (std::uint32_t i = 0; i < joins; ++i) join = context.open_join(stated, BadJoinEnd{ends});
    if (children > 0) context.spawn(BadJoinChild{join, children - 1});
  }
};

// Opens a join of one arrival, at which `children` arrive with values. There is space for two, so
// that lanes of GPUs keep an arrival until its task has ended.
struct BadValueEnd {
  std::uint64_t* ends;
  std::uint64_t values[2];

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(ends, std::uint64_t{1});
  }
};

struct BadValueChild {
  Join<std::uint64_t> join;
  std::uint32_t more;  // Arrivals after the first.

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (std::uint32_t i = 0; i <= more; ++i) context.arrive(join, i);
  }
};

struct BadValue {
  static constexpr std::uint32_t kJoins = 1;
  std::uint64_t* ends;
  std::uint32_t children;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const auto join = context.open_join(1, BadValueEnd{ends, {}});
    context.spawn(BadValueChild{join.to(&BadValueEnd::values, 0), children - 1});
  }
};
using BadValueTasks = TaskSet<BadValue, BadValueChild, BadValueEnd>;

// A join inside of a join, `depth` times. The innermost task does not arrive.
struct UnfinishedNestEnd {
  Join<> parent;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.arrive(parent);
  }
};

struct UnfinishedNest {
  static constexpr std::uint32_t kJoins = 1;
  Join<> parent;
  std::uint32_t depth;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (depth == 0) return;
    const Join<> join = context.open_join(1, UnfinishedNestEnd{parent});
    context.spawn(UnfinishedNest{join, depth - 1});
  }
};
using BadJoinTasks = TaskSet<BadJoin, BadJoinChild, BadJoinEnd, UnfinishedNest, UnfinishedNestEnd>;

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_TASKS_JOIN_TASKS_H_
