// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/peers/sum_peer.h>

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <functional>

namespace millrace::tools {
namespace {

using Values = std::span<const std::int64_t>;

std::int64_t sum_by_parallel_for(Values values) {
  std::atomic<std::int64_t> total = 0;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, values.size()), [&](const auto& range) {
    std::int64_t sum = 0;
    for (std::size_t i = range.begin(); i < range.end(); ++i) sum += values[i];
    total.fetch_add(sum, std::memory_order_relaxed);
  });
  return total;
}

std::int64_t sum_by_task_group(Values values) {
  tbb::combinable<std::int64_t> sums([] { return 0; });
  tbb::task_group group;
  for (const std::int64_t& value : values) {
    group.run([&sums, &value] { sums.local() += value; });
  }
  group.wait();
  return sums.combine(std::plus<>());
}

std::int64_t sum_by_halves(Values values) {
  tbb::combinable<std::int64_t> sums([] { return 0; });
  tbb::task_group group;
  const auto halve = [&](const auto& self, std::size_t begin, std::size_t end) -> void {
    if (end - begin == 1) {
      sums.local() += values[begin];
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    group.run([&self, begin, middle] { self(self, begin, middle); });
    group.run([&self, middle, end] { self(self, middle, end); });
  };
  halve(halve, 0, values.size());
  group.wait();
  return sums.combine(std::plus<>());
}

}  // namespace

const SumPeer kParallelForSum = {"tbb::parallel_for", &sum_by_parallel_for};
const SumPeer kTaskGroupSum = {"tbb::task_group", &sum_by_task_group};
const SumPeer kHalvedTaskGroupSum = {"tbb::task_group", &sum_by_halves};

}  // namespace millrace::tools
