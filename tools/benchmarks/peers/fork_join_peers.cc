// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/n_queens_tasks.h>
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>

#include <tbb/task_group.h>

#include <algorithm>
#include <numeric>

namespace millrace::tools {
namespace {

using examples::Board;
using examples::QueenPlacement;

// The Context of the leaves of N queens.
struct SolutionCount {
  std::uint64_t value = 0;

  void add(std::uint64_t*, std::uint64_t solutions) { value += solutions; }
};

std::uint64_t count_placements(const Board& board, const QueenPlacement& placement, int row) {
  SolutionCount count;
  examples::CountPlacements{board, placement, row}(count);
  return count.value;
}

// Counts the solutions that begin with a placement; `Group` runs and joins work as
// tbb::task_group.
template <class Group>
std::uint64_t place_queens(const Board& board, const QueenPlacement& placement, int row) {
  if (row >= board.cut_off) return count_placements(board, placement, row);
  std::uint64_t solutions[examples::kMaxQueens] = {};
  std::uint64_t* end = solutions;
  Group group;
  for (std::uint32_t untried = placement.free_squares(board.size); untried != 0;) {
    const std::uint32_t square = examples::lowest_bit(untried);
    untried ^= square;
    group.run([=, &board, next = placement.with(square)] {
      *end = place_queens<Group>(board, next, row + 1);
    });
    ++end;
  }
  group.wait();
  return std::accumulate(solutions, end, std::uint64_t{0});
}

Board board_of(int queens, int cut_off) { return {nullptr, queens, std::min(cut_off, queens - 1)}; }

std::uint64_t queens_by_task_group(int queens, int cut_off) {
  return place_queens<tbb::task_group>(board_of(queens, cut_off), {}, 0);
}

std::uint64_t by_task_group(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t left = 0;
  tbb::task_group group;
  group.run([&left, n] { left = by_task_group(n - 1); });
  const std::uint64_t right = by_task_group(n - 2);
  group.wait();
  return left + right;
}

#ifdef _OPENMP
std::uint64_t by_openmp_task(int n) {
  if (n < 2) return static_cast<std::uint64_t>(n);
  std::uint64_t left = 0;
#pragma omp task shared(left) firstprivate(n)
  left = by_openmp_task(n - 1);
  const std::uint64_t right = by_openmp_task(n - 2);
#pragma omp taskwait
  return left + right;
}

std::uint64_t by_openmp(int n) {
  std::uint64_t result = 0;
#pragma omp parallel
#pragma omp single
  result = by_openmp_task(n);
  return result;
}

struct OpenMpGroup {
  template <class Work>
  static void run(const Work& work) {
#pragma omp task firstprivate(work)
    work();
  }
  static void wait() {
#pragma omp taskwait
  }
};

std::uint64_t queens_by_openmp(int queens, int cut_off) {
  std::uint64_t result = 0;
#pragma omp parallel
#pragma omp single
  result = place_queens<OpenMpGroup>(board_of(queens, cut_off), {}, 0);
  return result;
}
#endif

constexpr ForkJoinPeer kPeers[] = {
    {"tbb::task_group", &by_task_group, &queens_by_task_group},
#ifdef _OPENMP
    {"OpenMP tasks", &by_openmp, &queens_by_openmp},
#endif
};

}  // namespace

std::span<const ForkJoinPeer> fork_join_peers() { return kPeers; }

std::uint64_t n_queens_on_one_thread(int queens) {
  return count_placements(board_of(queens, 0), {}, 0);
}

}  // namespace millrace::tools
