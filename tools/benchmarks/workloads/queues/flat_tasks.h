// SPDX-License-Identifier: Apache-2.0

// The tasks of flat queues: sums of items, and copies of pieces.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_FLAT_TASKS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_FLAT_TASKS_H_

#include <millrace/runtime/tasks/prefetch.h>
#include <millrace/runtime/tasks/task_set.h>
#include <millrace/tools/benchmarks/workloads/queues/quad.h>

#include <cstddef>
#include <cstdint>

namespace millrace::tools {

struct FlatArguments {
  const Quad* items;
  std::uint32_t* sum;
};

// Adds an item of 16 bytes to a sum modulo 2^32.
struct SumItem {
  static constexpr bool kSpawns = false;
  FlatArguments arguments;
  std::size_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    context.add(arguments.sum, sum_of(arguments.items[index]));
  }
};
struct FlatTasks : TaskSet<SumItem> {
  using Arguments = FlatArguments;
};

struct CopyArguments {
  const Quad* source;
  Quad* target;
};

inline constexpr int kPieceQuads = 32;  // 512 bytes.

// Copies a piece by a warp, as it is or with every bit turned over.
template <bool kInverts>
struct CopyPiece {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  CopyArguments arguments;
  std::size_t index;

  MILLRACE_FUNCTION void prefetch(int lane, int lanes) const {
    for (int i = lane; i < kPieceQuads; i += lanes) {
      prefetch_line(&arguments.source[kPieceQuads * index + i]);
    }
  }

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    for (int i = context.lane(); i < kPieceQuads; i += context.lanes()) {
      Quad quad = arguments.source[kPieceQuads * index + i];
      for (std::uint32_t& word : quad.words) word = kInverts ? ~word : word;
      arguments.target[kPieceQuads * index + i] = quad;
    }
  }
};
struct CopyTasks : TaskSet<CopyPiece<false>, CopyPiece<true>> {
  using Arguments = CopyArguments;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_QUEUES_FLAT_TASKS_H_
