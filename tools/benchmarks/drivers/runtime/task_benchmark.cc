// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/task_benchmark.h>

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tools/benchmarks/drivers/runtime/task_benchmark_tasks.h>
#include <millrace/tools/benchmarks/harness/contest.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kTasks = 1'000'000;

// Sums the values in different ways; each demands the right sum.
class SumBenchmark {
 public:
  SumBenchmark() : queue_(open_device("tbb")->make_queue()), values_(kTasks) {
    std::iota(values_.begin(), values_.end(), 1);
  }

  // The best that can be written by hand: a local sum for each piece, added once.
  Contender parallel_for() {
    return contender("tbb::parallel_for", [this] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kTasks), [this](const auto& range) {
        std::int64_t sum = 0;
        for (std::size_t i = range.begin(); i < range.end(); ++i) sum += values_[i];
        std::atomic_ref(sum_).fetch_add(sum, std::memory_order_relaxed);
      });
    });
  }

  Contender task_group_fan() {
    return contender("tbb::task_group", [this] {
      tbb::combinable<std::int64_t> sums;
      tbb::task_group group;
      for (std::size_t i = 0; i < kTasks; ++i) {
        group.run([this, &sums, i] { sums.local() += values_[i]; });
      }
      group.wait();
      sum_ = sums.combine(std::plus<>());
    });
  }

  Contender task_group_tree() {
    return contender("tbb::task_group", [this] {
      tbb::combinable<std::int64_t> sums;
      tbb::task_group group;
      const auto halve = [&](const auto& self, std::size_t begin, std::size_t end) -> void {
        if (end - begin == 1) {
          sums.local() += values_[begin];
          return;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        group.run([&self, begin, middle] { self(self, begin, middle); });
        group.run([&self, middle, end] { self(self, middle, end); });
      };
      halve(halve, 0, kTasks);
      group.wait();
      sum_ = sums.combine(std::plus<>());
    });
  }

  Contender flat(Policy policy) {
    return contender(to_string(policy), [this, policy] {
      run_tasks(*queue_, IndexedTasks<FlatSum>{.count = kTasks, .arguments = arguments()},
                {.policy = policy});
    });
  }

  Contender fan(Policy policy) {
    return contender(to_string(policy), [this, policy] {
      run_tasks(*queue_, TaskList<FanSum>(SpawnAll{arguments(), kTasks}), {.policy = policy});
    });
  }

  Contender tree(Policy policy) {
    return contender(to_string(policy), [this, policy] {
      run_tasks(*queue_, TaskList<TreeSum>(SpawnHalves{arguments(), 0, kTasks}),
                {.policy = policy});
    });
  }

 private:
  SumArguments arguments() { return {values_.data(), &sum_}; }

  Contender contender(std::string name, std::function<void()> body) {
    return {std::move(name), [this, body = std::move(body)] {
              sum_ = 0;
              body();
              if (sum_ != static_cast<std::int64_t>(kTasks) * (kTasks + 1) / 2) {
                throw Error(ErrorCode::kInternal, "the sum is " + std::to_string(sum_));
              }
            }};
  }

  std::unique_ptr<Queue> queue_;
  std::vector<std::int64_t> values_;
  std::int64_t sum_ = 0;
};

// Returns the best policy's time to the first contender's.
double print(const char* shape, const std::vector<Contender>& contenders, double seconds) {
  double best = std::numeric_limits<double>::infinity();
  for (const Timing& timing : run_contest(contenders, seconds)) {
    if (timing.name != contenders.front().name) best = std::min(best, timing.ratio_to_first);
    std::printf("%-5s  %-18s  %8.2f  %8.2f\n", shape, timing.name.c_str(),
                timing.median_seconds * 1e9 / kTasks, timing.ratio_to_first);
  }
  return best;
}

}  // namespace

void benchmark_tasks(double seconds) {
  SumBenchmark sum;
  std::vector<Contender> flat = {sum.parallel_for()};
  std::vector<Contender> fan = {sum.task_group_fan()};
  std::vector<Contender> tree = {sum.task_group_tree()};
  for (const Policy policy : kConcretePolicies) {
    flat.push_back(sum.flat(policy));
    fan.push_back(sum.fan(policy));
    tree.push_back(sum.tree(policy));
  }
  std::printf("A sum over %zu tasks of one element each\n", kTasks);
  std::printf("shape  by                   ns/task  to first\n");
  const double best_flat = print("flat", flat, seconds);
  const double best_fan = print("fan", fan, seconds);
  const double best_tree = print("tree", tree, seconds);
  const auto at_most = [](const std::string& what, double measured, double bar) {
    print_bar(what, measured, "at most", bar, measured <= bar);
  };
  at_most("flat, time to tbb::parallel_for", best_flat, 1.1);
  at_most("spawned by one, time to tbb::task_group", best_fan, 1.3);
  at_most("spawned as a tree, time to tbb::task_group", best_tree, 1.3);
}

}  // namespace millrace::tools
