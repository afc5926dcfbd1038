// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/contest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>

namespace millrace::tools {
void print_bar(const std::string& what, double measured, const char* relation, double bar,
               bool is_met) {
  std::printf("%-6s  %-62s  %8.2f  (%s %.2f)\n", is_met ? "met" : "MISSED", what.c_str(), measured,
              relation, bar);
}

std::vector<Timing> run_contest(const std::vector<Contender>& contenders, double seconds,
                                std::size_t least_rounds) {
  for (const Contender& contender : contenders) {
    contender.prepare();
    contender.run();
  }

  std::vector<std::vector<double>> times(contenders.size());
  std::vector<std::vector<double>> ratios(contenders.size());
  const double begin = seconds_now();
  while (times[0].size() < least_rounds || seconds_now() - begin < seconds) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      contenders[i].prepare();
      const double start = seconds_now();
      contenders[i].run();
      times[i].push_back(seconds_now() - start);
      ratios[i].push_back(times[i].back() / times[0].back());
    }
  }

  std::vector<Timing> result;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    result.push_back({.name = contenders[i].name,
                      .median_seconds = median(times[i]),
                      .best_seconds = *std::min_element(times[i].begin(), times[i].end()),
                      .ratio_to_first = median(ratios[i])});
  }
  return result;
}

}  // namespace millrace::tools
