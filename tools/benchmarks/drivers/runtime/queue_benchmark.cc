// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/queue_benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/benchmarks/workloads/queues/queue_workloads.h>

namespace millrace::tools {
namespace {

const std::string kWaves = to_string(Policy::kUberkernel);
const std::string kPersistent = to_string(Policy::kPersistentThreads);
constexpr char kDeadline[] = ", deadline";
constexpr char kLoop[] = "static loop";
constexpr char kCopy[] = "Queue::copy";

struct Entry {
  QueueWorkload workload;
  std::string by;
  RunOptions options{};
};

std::vector<Entry> under_policies(const QueueWorkload& workload) {
  std::vector<Entry> entries;
  for (const Policy policy : kConcretePolicies) {
    entries.push_back({workload, to_string(policy), {.policy = policy}});
  }
  return entries;
}

// Each policy without and with a deadline that is never met.
std::vector<Entry> with_deadlines(const QueueWorkload& workload) {
  std::vector<Entry> entries;
  for (const Entry& entry : under_policies(workload)) {
    entries.push_back(entry);
    entries.push_back(entry);
    entries.back().by += kDeadline;
    entries.back().options.deadline = std::chrono::hours(1);
  }
  return entries;
}

// A line of the table: all rounds of an entry.
struct Line {
  std::string workload;
  std::string by;
  std::vector<QueueRun> runs;

  double median_of(double QueueRun::*seconds) const {
    std::vector<double> values;
    for (const QueueRun& run : runs) values.push_back(run.*seconds);
    return median(std::move(values));
  }
  double device_seconds() const { return median_of(&QueueRun::device_seconds); }
  double wall_seconds() const { return median_of(&QueueRun::wall_seconds); }
  double rate() const { return runs[0].tasks == 0 ? 0 : runs[0].tasks / device_seconds(); }

  // Median over rounds of this one's time to the other's.
  double ratio_to(const Line& other) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      ratios.push_back(runs[i].device_seconds / other.runs[i].device_seconds);
    }
    return median(std::move(ratios));
  }
};

class Lines {
 public:
  explicit Lines(std::vector<Line> lines) : lines_(std::move(lines)) {}

  const Line& by(const std::string& name) const {
    return *std::ranges::find(lines_, name, &Line::by);
  }
  auto begin() const { return lines_.begin(); }
  auto end() const { return lines_.end(); }

 private:
  std::vector<Line> lines_;
};

// Prints lines as they are measured, and bars at the end.
class Table {
 public:
  Table(const QueueBenchmarkOptions& options, bool is_quick)
      : seconds_(is_quick ? 0 : options.seconds),
        least_rounds_(is_quick ? 2 : 15),
        csv_path_(options.csv) {
    if (!csv_path_.empty()) csv_.open(csv_path_);
    write_csv("workload,by,tasks,waves,device_seconds,wall_seconds\n");
    std::printf(
        "tasks are all that ran, a tree's inner nodes too; us are medians; M/s is tasks by the "
        "device's time\n%-26s  %-26s  %9s  %6s  %10s  %10s  %9s\n",
        "workload", "by", "tasks", "waves", "device us", "wall us", "M/s");
  }

  Lines measure(const std::vector<Entry>& entries) {
    std::vector<Line> lines;
    for (const Entry& entry : entries) lines.push_back({entry.workload.name, entry.by, {}});
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      contenders.push_back({entries[i].by, [&entry = entries[i], &line = lines[i]] {
                              line.runs.push_back(entry.workload.run(entry.options));
                            }});
    }
    run_contest(contenders, seconds_, least_rounds_);
    for (Line& line : lines) {
      line.runs.erase(line.runs.begin());  // It warmed up.
      print(line);
    }
    return Lines(std::move(lines));
  }

  void at_least(const std::string& what, double measured, double bar) {
    bars_.push_back({what, measured, "at least", bar, measured >= bar});
  }
  void at_most(const std::string& what, double measured, double bar) {
    bars_.push_back({what, measured, "at most", bar, measured <= bar});
  }
  void print_bars() const {
    for (const Bar& bar : bars_) {
      print_bar(bar.what, bar.measured, bar.relation, bar.bar, bar.is_met);
    }
  }

 private:
  struct Bar {
    std::string what;
    double measured;
    const char* relation;
    double bar;
    bool is_met;
  };

  void print(const Line& line) {
    const QueueRun& run = line.runs[0];
    std::printf("%-26s  %-26s  %9zu  %6zu  %10.2f  %10.2f  %9.2f\n", line.workload.c_str(),
                line.by.c_str(), static_cast<std::size_t>(run.tasks),
                static_cast<std::size_t>(run.waves), line.device_seconds() * 1e6,
                line.wall_seconds() * 1e6, line.rate() / 1e6);
    std::fflush(stdout);
    std::ostringstream csv;
    csv << '"' << line.workload << "\",\"" << line.by << "\"," << run.tasks << ',' << run.waves
        << ',' << line.device_seconds() << ',' << line.wall_seconds() << '\n';
    write_csv(csv.str());
  }

  void write_csv(const std::string& text) {
    if (csv_path_.empty()) return;
    csv_ << text;
    if (!csv_.flush()) throw Error(ErrorCode::kIo, "cannot write " + csv_path_);
  }

  double seconds_;
  std::size_t least_rounds_;
  std::string csv_path_;
  std::ofstream csv_;
  std::vector<Bar> bars_;
};

void hold_rates(Table& table, const Lines& lines, double waves_bar, double persistent_bar) {
  for (const auto& [by, bar] : {std::pair(kWaves, waves_bar), {kPersistent, persistent_bar}}) {
    const Line& line = lines.by(by);
    table.at_least(line.workload + ", " + by + ", G tasks/s", line.rate() / 1e9, bar);
  }
}

void hold_deadlines(Table& table, const Lines& lines) {
  for (const std::string& by : {kWaves, kPersistent}) {
    const Line& line = lines.by(by + kDeadline);
    table.at_most(line.workload + ", " + line.by + ", time to none", line.ratio_to(lines.by(by)),
                  1.03);
  }
}

void measure_growing(Table& table, Queue& queue, const QueueSizes& sizes) {
  const Lines tree = table.measure(with_deadlines(make_tree<16>(queue, sizes.tree)));
  hold_rates(table, tree, 6, 4);
  hold_deadlines(table, tree);
  hold_rates(table, table.measure(under_policies(make_tree<16>(queue, sizes.large_tree))), 27, 19);
  hold_rates(table, table.measure(under_policies(make_geo(queue, sizes))), 27, 13);
  hold_rates(table, table.measure(under_policies(make_bin(queue, sizes))), 0.85, 1.6);
  const Lines chains = table.measure(with_deadlines(make_chains(queue, sizes)));
  const double microseconds_a_link = 1e6 / sizes.links;
  table.at_most("chains, " + kWaves + ", us a wave",
                chains.by(kWaves).device_seconds() * microseconds_a_link, 3.3);
  table.at_most("chains, " + kPersistent + ", us a link",
                chains.by(kPersistent).device_seconds() * microseconds_a_link, 0.45);
  hold_deadlines(table, chains);
}

void measure_larger_tasks(Table& table, Queue& queue, const QueueSizes& sizes) {
  table.measure(under_policies(make_tree<32>(queue, sizes.tree)));
  table.measure(under_policies(make_tree<64>(queue, sizes.tree)));
  table.measure(under_policies(make_tree<256>(queue, sizes.tree)));
  table.measure(under_policies(make_read_tree<TaskWidth::kLane>(queue, sizes.large_tree)));
  table.measure(under_policies(make_read_tree<TaskWidth::kWarp>(queue, sizes.large_tree)));
  table.measure(under_policies(make_read_tree<TaskWidth::kBlock>(queue, sizes.large_tree)));
}

void measure_flat(Table& table, Queue& queue, const QueueSizes& sizes) {
  const FlatItems items(queue, sizes.items);
  std::vector<Entry> entries = with_deadlines(items.tasks());
  const bool has_loop = !queue.device().info().shares_host_memory;
  if (has_loop) entries.push_back({items.loop(), kLoop});
  const Lines lines = table.measure(entries);
  hold_deadlines(table, lines);
  if (!has_loop) return;
  for (const std::string& by : {kWaves, kPersistent}) {
    table.at_least("flat, " + by + ", of the static loop's rate",
                   lines.by(kLoop).ratio_to(lines.by(by)), 0.9);
  }
}

void measure_copies(Table& table, Queue& queue, const QueueSizes& sizes) {
  const CopyPieces pieces(queue, sizes.pieces);
  std::vector<Entry> entries = under_policies(pieces.tasks());
  entries.push_back({pieces.copy(), kCopy});
  const Lines lines = table.measure(entries);
  for (const std::string& by : {kWaves, kPersistent}) {
    table.at_least("copies of two types, " + by + ", of Queue::copy's rate",
                   lines.by(kCopy).ratio_to(lines.by(by)), 0.88);
  }
}

void measure_empty(Table& table, Queue& queue) {
  for (const int tasks : {0, 1}) {
    const Lines lines = table.measure(under_policies(make_nothing(queue, tasks)));
    for (const std::string& by : {kWaves, kPersistent}) {
      const Line& line = lines.by(by);
      table.at_most(line.workload + ", " + by + ", us of wall time", line.wall_seconds() * 1e6, 40);
    }
  }
}

}  // namespace

void benchmark_queues(const QueueBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  const DeviceInfo& info = device->info();
  const auto queue = device->make_queue();
  const bool is_quick = options.is_quick || info.is_simulated;
  const QueueSizes& sizes = is_quick ? kSmallSizes : kFullSizes;
  std::printf("%s: %s\n", info.name.c_str(), info.description.c_str());
  Table table(options, is_quick);
  measure_growing(table, *queue, sizes);
  measure_larger_tasks(table, *queue, sizes);
  measure_flat(table, *queue, sizes);
  measure_copies(table, *queue, sizes);
  measure_empty(table, *queue);
  if (!info.shares_host_memory && !is_quick) table.print_bars();
}

}  // namespace millrace::tools
