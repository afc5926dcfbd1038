// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/sort/sort_benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/radix_sort/key_distributions.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/peers/sort_peers.h>
#include <millrace/tools/benchmarks/workloads/sort/cpu_sort_workload.h>
#include <millrace/tools/report/chart/chart.h>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

constexpr const char* kMillrace = "millrace";

// The contender that each distribution is held against.
constexpr const char* kUniform = "uniform";

enum class What { kKeys, kPairs };

const char* to_string(What what) { return what == What::kKeys ? "keys" : "pairs"; }

// One line of a table: the rates, in elements a second, of ours and of others in the same run.
struct Line {
  What what;
  KeyDistribution distribution;
  std::size_t count;
  std::vector<std::string> names;
  std::vector<double> rates;
};

std::size_t least_rounds(std::size_t count) {
  return count <= 1'000'000 ? 15 : count <= 10'000'000 ? 5 : 3;
}

Line measure(const std::vector<Contender>& contenders, const Line& line, std::size_t elements,
             double seconds) {
  Line result = line;
  for (const Timing& timing : run_contest(contenders, seconds, least_rounds(line.count))) {
    result.names.push_back(timing.name);
    result.rates.push_back(static_cast<double>(elements) / timing.median_seconds);
  }
  return result;
}

Contender ours(const char* name, CpuSortWorkload& workload, What what) {
  const auto prepare = [&] { workload.touch_outputs(); };
  if (what == What::kKeys) return {name, [&] { workload.sort_keys(); }, prepare};
  return {name, [&] { workload.sort_pairs(); }, prepare};
}

Contender theirs(CpuSortWorkload& workload, What what, const SortPeer& peer) {
  if (what == What::kKeys) {
    return {peer.name, [&] { workload.sort_keys(peer); }, [&] { workload.fill_peers_keys(); }};
  }
  return {peer.name, [&] { workload.sort_pairs(peer); }, [&] { workload.fill_peers_pairs(); }};
}

// Those that sort it right on this machine; of others it says why not.
std::vector<SortPeer> peers_of(Queue& queue, What what) {
  CpuSortWorkload workload(queue, KeyDistribution::kUniform, 1000);
  std::vector<SortPeer> peers;
  for (const SortPeer& peer : sort_peers()) {
    try {
      what == What::kKeys ? workload.check_keys(peer) : workload.check_pairs(peer);
      peers.push_back(peer);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnsupported) throw;
      std::printf("%s of %s are not measured: %s\n", to_string(what), peer.name, error.what());
    }
  }
  return peers;
}

Line measure_against(const std::vector<SortPeer>& peers, Queue& queue, What what, std::size_t count,
                     double seconds) {
  CpuSortWorkload workload(queue, KeyDistribution::kUniform, count);
  workload.check_pairs();
  workload.check_keys();
  std::vector<Contender> contenders = {ours(kMillrace, workload, what)};
  for (const SortPeer& peer : peers) contenders.push_back(theirs(workload, what, peer));
  return measure(contenders, {what, KeyDistribution::kUniform, count, {}, {}}, workload.elements(),
                 seconds);
}

double ratio_to_best_peer(const Line& line) {
  return line.rates[0] / *std::max_element(line.rates.begin() + 1, line.rates.end());
}

void print_peers(What what, const std::vector<Line>& lines) {
  std::printf("\n%s, million a second\n%11s", to_string(what), "count");
  for (const std::string& name : lines.front().names) std::printf("  %18s", name.c_str());
  std::printf("  to the best other\n");
  for (const Line& line : lines) {
    std::printf("%11zu", line.count);
    for (const double rate : line.rates) std::printf("  %18.1f", rate / 1e6);
    std::printf("  %10.2f\n", ratio_to_best_peer(line));
  }
}

void print_bars(What what, const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    if (line.count < 10'000) continue;
    const double bar = line.count >= 10'000'000 ? 1.5 : 1.0;
    const double ratio = ratio_to_best_peer(line);
    print_bar(std::to_string(line.count) + " " + to_string(what) + " to the best other", ratio,
              ">=", bar, ratio >= bar);
  }
}

// Each distribution in turn with uniform keys.
std::vector<Line> measure_distributions(Queue& queue, What what, std::size_t count,
                                        double seconds) {
  CpuSortWorkload uniform(queue, KeyDistribution::kUniform, count);
  std::vector<Line> lines;
  for (const KeyDistribution distribution : radix_sort::kKeyDistributions) {
    CpuSortWorkload workload(queue, distribution, count);
    workload.check_pairs();
    workload.check_keys();
    lines.push_back(measure({ours(kMillrace, workload, what), ours(kUniform, uniform, what)},
                            {what, distribution, count, {}, {}}, workload.elements(), seconds));
  }
  return lines;
}

void print_distributions(What what, const std::vector<Line>& lines) {
  std::printf("\n%zu %s by distribution, million a second\n", lines.front().count, to_string(what));
  for (const Line& line : lines) {
    std::printf("%14s  %8.1f\n", to_string(line.distribution), line.rates[0] / 1e6);
  }
  for (const Line& line : lines) {
    const double slowdown = line.rates[1] / line.rates[0];
    print_bar(std::string("time of ") + to_string(line.distribution) + " " + to_string(what) +
                  " to that of uniform ones",
              slowdown, "<=", 2, slowdown <= 2);
  }
}

void write_csv(const std::string& path, const std::vector<Line>& lines) {
  std::ofstream file(path);
  file << "what,distribution,count,name,rate\n";
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      if (line.names[i] == kUniform) continue;  // Measured again for each distribution.
      file << to_string(line.what) << ',' << to_string(line.distribution) << ',' << line.count
           << ',' << line.names[i] << ',' << line.rates[i] << '\n';
    }
  }
  if (!file.flush()) throw Error(ErrorCode::kIo, "cannot write " + path);
}

LineChart chart_of(What what, const std::vector<Line>& lines) {
  LineChart chart{
      std::string("Sorting uniform u32 ") + to_string(what), "count", "million a second", {}};
  for (std::size_t i = 0; i < lines.front().names.size(); ++i) {
    ChartLine& line = chart.lines.emplace_back(ChartLine{lines.front().names[i], {}});
    for (const Line& each : lines) {
      line.points.emplace_back(static_cast<double>(each.count), each.rates[i] / 1e6);
    }
  }
  return chart;
}

}  // namespace

void benchmark_sort(const SortBenchmarkOptions& options) {
  const auto device = open_device(options.device);
  if (!device->info().shares_host_memory) {
    throw Error(ErrorCode::kUnsupported,
                options.device + " has memory of its own; host-sort measures it");
  }
  const auto queue = device->make_queue();
  std::vector<Line> all;
  std::vector<Chart> charts;
  for (const What what : {What::kKeys, What::kPairs}) {
    const std::vector<SortPeer> peers = peers_of(*queue, what);
    std::vector<Line> lines;
    for (std::size_t count = 1000; count <= options.most; count *= 10) {
      lines.push_back(measure_against(peers, *queue, what, count, options.seconds));
    }
    print_peers(what, lines);
    print_bars(what, lines);
    charts.push_back(chart_of(what, lines));
    all.insert(all.end(), lines.begin(), lines.end());
    const std::size_t count = std::min<std::size_t>(options.most, 10'000'000);
    lines = measure_distributions(*queue, what, count, options.seconds);
    print_distributions(what, lines);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  if (!options.csv.empty()) write_csv(options.csv, all);
  if (!options.svg.empty()) write_charts(options.svg, charts);
}

}  // namespace millrace::tools
