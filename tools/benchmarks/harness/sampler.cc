// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

namespace millrace::tools {
namespace {

// The warm-up takes this fraction of the time, and at most so many seconds.
constexpr double kWarmUpFraction = 0.1;
constexpr double kMostWarmUp = 1;

class Sampler {
 public:
  Sampler(const std::vector<TimedRun>& contenders, const SamplerOptions& options)
      : contenders_(contenders),
        options_(options),
        random_(options.seed),
        order_(contenders.size()) {
    samples_.runs.resize(contenders.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  SamplingResult sample() {
    const double begin = options_.now();
    const double warm_up = std::min(kWarmUpFraction * options_.seconds, kMostWarmUp);
    do {
      run_round();
    } while (goes_on() && options_.now() - begin < warm_up);
    for (SampledRuns& runs : samples_.runs) runs.seconds.clear();

    std::size_t next_check = kWantedRounds;
    for (std::size_t rounds = 0; goes_on() && rounds < options_.most_rounds;) {
      if (is_time_up(rounds, options_.now() - begin)) break;
      run_round();
      if (++rounds < next_check) continue;
      if (are_known()) break;
      next_check = rounds + rounds / 4;
    }
    return std::move(samples_);
  }

 private:
  bool is_time_up(std::size_t rounds, double seconds) const {
    constexpr double kOften = 4;
    if (rounds < kLeastRounds) return false;
    return seconds >= (rounds < kWantedRounds ? kOften : 1) * options_.seconds;
  }

  bool goes_on() const {
    return !samples_.is_stopped &&
           std::ranges::any_of(samples_.runs, [](const auto& runs) { return !runs.failure; });
  }

  // One that is stopped halfway counts for nobody.
  void run_round() {
    std::ranges::shuffle(order_, random_);
    std::vector<double> seconds(contenders_.size());
    for (const std::size_t i : order_) {
      if (options_.is_stopped()) {
        samples_.is_stopped = true;
        return;
      }
      SampledRuns& runs = samples_.runs[i];
      if (runs.failure) continue;
      try {
        seconds[i] = contenders_[i]();
      } catch (...) {
        if (options_.is_stopped()) {  // It may have ended because of that.
          samples_.is_stopped = true;
          return;
        }
        runs.failure = std::current_exception();
        runs.seconds.clear();
      }
    }
    for (const std::size_t i : order_) {
      if (!samples_.runs[i].failure) samples_.runs[i].seconds.push_back(seconds[i]);
    }
  }

  bool are_known() const {
    return std::ranges::all_of(samples_.runs, [this](const SampledRuns& runs) {
      return runs.failure || median_interval(runs.seconds).relative_width() <= options_.precision;
    });
  }

  const std::vector<TimedRun>& contenders_;
  const SamplerOptions& options_;
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
  SamplingResult samples_;
};

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SamplingResult sample_in_turns(const std::vector<TimedRun>& contenders,
                               const SamplerOptions& options) {
  return Sampler(contenders, options).sample();
}

}  // namespace millrace::tools
