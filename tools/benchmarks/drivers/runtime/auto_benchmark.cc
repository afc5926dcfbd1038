// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/auto_benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include <millrace/runtime/auto/policy_store.h>
#include <millrace/runtime/auto/run_history.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/drivers/runtime/auto_cases.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

namespace millrace::tools {
namespace {

constexpr double kClose = 1.05;
constexpr double kWorst = 1.25;
constexpr double kShare = 0.95;

// A case goes on beyond its time, up to so many times as long, until 95 % sure of its ratio within
// this width.
constexpr double kWidth = 0.04;
constexpr double kPatience = 10;

// Least time in seconds that a policy runs before the run that is timed.
constexpr double kSecondsBefore = 1e-3;

// Those that run in turn: the fixed policies, kAuto, and the best fixed one again.
constexpr std::size_t kFixed = std::size(kConcretePolicies);
constexpr std::size_t kOwn = kFixed;
constexpr std::size_t kAgain = kFixed + 1;
constexpr std::size_t kRunners = kFixed + 2;

struct CaseResult {
  std::string name;
  double seconds[kRunners] = {};  // Medians.
  MedianInterval ratio;           // kAuto's time to the best policy's.
  MedianInterval chance;          // The best policy's.
  double first_ratio = 0;
  AutoRun last;  // Last run of kAuto.
};

// The place of the quickest of the fixed policies.
std::size_t best_of(const double* seconds) {
  return static_cast<std::size_t>(std::min_element(seconds, seconds + kFixed) - seconds);
}

std::size_t quickest(const AutoCase& test) {
  constexpr int kRuns = 4;
  double best[kFixed];
  for (std::size_t i = 0; i < kFixed; ++i) {
    best[i] = test.run(kConcretePolicies[i]).seconds;
    for (int run = 1; run < kRuns; ++run) {
      best[i] = std::min(best[i], test.run(kConcretePolicies[i]).seconds);
    }
  }
  return best_of(best);
}

using Times = std::vector<double>;  // Times of one runner in seconds, a round each.

// Ratio of one runner's times to another's: its median over the rounds.
MedianInterval ratio_of(const Times& times, const Times& others) {
  Times ratios;
  for (std::size_t round = 0; round < times.size(); ++round) {
    ratios.push_back(times[round] / others[round]);
  }
  return median_interval(std::move(ratios));
}

CaseResult measure(const AutoCase& test, int settling_runs, double seconds,
                   std::size_t least_rounds) {
  RunHistory::instance().forget();
  CaseResult result;
  result.name = test.name;
  const std::size_t guess = quickest(test);
  const double first = test.run(Policy::kAuto).seconds;
  for (int i = 1; i < settling_runs; ++i) test.run(Policy::kAuto);

  Times times[kRunners];
  std::size_t best = guess;
  const auto run_a_round = [&] {
    // Whoever comes behind another finds the caches, the threads, asleep or not, and what a queue
    // keeps from run to run as that one has left them: a policy is timed behind itself, and behind
    // many runs of its own where they are short.
    const std::size_t round = times[0].size();
    for (std::size_t turn = 0; turn < kRunners; ++turn) {
      const std::size_t i = (turn + round) % kRunners;
      const Policy policy = i < kFixed  ? kConcretePolicies[i]
                            : i == kOwn ? Policy::kAuto
                                        : kConcretePolicies[guess];
      double before = 0;
      while (before < kSecondsBefore) before += test.run(policy).seconds;
      const AutoRun run = test.run(policy);
      times[i].push_back(run.seconds);
      if (i == kOwn) result.last = run;
    }
  };
  const auto look = [&] {
    std::ranges::transform(times, result.seconds, [](const Times& of) { return median(of); });
    best = best_of(result.seconds);
    result.ratio = ratio_of(times[kOwn], times[best]);
    result.chance = ratio_of(times[kAgain], times[best]);
  };
  const double begin = seconds_now();
  double end = begin + seconds;
  for (;;) {
    while (times[0].size() < least_rounds || seconds_now() < end) run_a_round();
    look();
    const double now = seconds_now();
    if (result.ratio.relative_width() <= kWidth || now >= begin + kPatience * seconds) break;
    end = now + seconds;
  }
  result.first_ratio = first / result.seconds[best];
  return result;
}

class Table {
 public:
  explicit Table(const std::string& csv_path) : csv_path_(csv_path) {
    if (!csv_path_.empty()) csv_.open(csv_path_);
    write_csv("case,persistent,uberkernel,kernel_per_type,auto,chose,ratio,low,high,again,first\n");
    std::printf("%-28s  %11s  %11s  %11s  %11s  %-15s  %6s  %6s  %6s  %6s\n", "case, us",
                "persistent", "uberkernel", "by type", "auto", "chose", "ratio", "width", "again",
                "first");
  }

  void add(const CaseResult& result) {
    constexpr double kMicro = 1e6;
    std::printf("%-28s", result.name.c_str());
    for (std::size_t i = 0; i <= kOwn; ++i) std::printf("  %11.1f", result.seconds[i] * kMicro);
    const char* const chose = to_string(result.last.policy);
    std::printf("  %-15s  %6.3f  %6.3f  %6.3f  %6.2f%s\n", chose, result.ratio.median,
                result.ratio.high - result.ratio.low, result.chance.median, result.first_ratio,
                result.last.switches > 0 ? "  switched" : "");
    std::fflush(stdout);
    std::string line = '"' + result.name + '"';
    for (std::size_t i = 0; i <= kOwn; ++i) line += ',' + std::to_string(result.seconds[i]);
    line += std::string(",") + chose;
    for (const double figure : {result.ratio.median, result.ratio.low, result.ratio.high,
                                result.chance.median, result.first_ratio}) {
      line += ',' + std::to_string(figure);
    }
    write_csv(line + '\n');
    results_.push_back(result);
  }

  bool is_empty() const { return results_.empty(); }

  // Prints the bars; true if they are met.
  bool print_bars() const {
    const auto of_auto = [](const CaseResult& result) { return result.ratio.median; };
    const auto of_chance = [](const CaseResult& result) { return result.chance.median; };
    const auto of_first = [](const CaseResult& result) { return result.first_ratio; };
    const auto share_within = [this](const auto& ratio) {
      const auto close = std::ranges::count_if(
          results_, [](double value) { return value <= kClose; }, ratio);
      return static_cast<double>(close) / static_cast<double>(results_.size());
    };
    const auto worst_of = [this](const auto& ratio) {
      return ratio(*std::ranges::max_element(results_, {}, ratio));
    };
    std::printf(
        "\n%zu cases; of the best policy run a second time %.2f are within 5 %%, the worst "
        "takes %.2f; of first runs %.2f, %.2f\n",
        results_.size(), share_within(of_chance), worst_of(of_chance), share_within(of_first),
        worst_of(of_first));
    const double share = share_within(of_auto);
    const double worst = worst_of(of_auto);
    print_bar("share of cases within 5 % of the best policy", share, "at least", kShare,
              share >= kShare);
    print_bar("the worst case, of the best policy's time", worst, "at most", kWorst,
              worst <= kWorst);
    return share >= kShare && worst <= kWorst;
  }

 private:
  void write_csv(const std::string& text) {
    if (csv_path_.empty()) return;
    csv_ << text;
    if (!csv_.flush()) throw Error(ErrorCode::kIo, "cannot write " + csv_path_);
  }

  std::string csv_path_;
  std::ofstream csv_;
  std::vector<CaseResult> results_;
};

}  // namespace

bool benchmark_auto(const AutoBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  const DeviceInfo& info = device->info();
  const auto queue = device->make_queue();
  const bool is_quick = options.is_quick || info.is_simulated;
  std::printf("%s: %s; costs: %s\n", info.name.c_str(), info.description.c_str(),
              costs_of(info)->source.c_str());
  if (!info.shares_host_memory)
    std::printf("sorts are left out: their buckets are no tasks here\n");
  Table table(options.csv);
  for (const MakeAutoCase& make : auto_cases(*device, is_quick)) {
    constexpr std::size_t kLeastRounds = 11;
    constexpr int kFewRuns = 12;
    const AutoCase test = make(*queue);
    if (test.name.find(options.cases) == std::string::npos) continue;
    table.add(measure(test, is_quick ? kFewRuns : kSettlingRuns, is_quick ? 0 : options.seconds,
                      is_quick ? 2 : kLeastRounds));
  }
  if (table.is_empty()) {
    throw Error(ErrorCode::kInvalidArgument, "no case has \"" + options.cases + "\" in its name");
  }
  return is_quick || table.print_bars();
}

}  // namespace millrace::tools
