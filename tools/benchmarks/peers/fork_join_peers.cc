// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/fork_join_peers.h>

#include <tbb/task_group.h>

namespace millrace::tools {
namespace {

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
#endif

constexpr ForkJoinPeer kPeers[] = {
    {"tbb::task_group", &by_task_group},
#ifdef _OPENMP
    {"OpenMP tasks", &by_openmp},
#endif
};

}  // namespace

std::span<const ForkJoinPeer> fork_join_peers() { return kPeers; }

}  // namespace millrace::tools
