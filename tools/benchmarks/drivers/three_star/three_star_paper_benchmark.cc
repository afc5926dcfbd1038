// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/three_star/three_star_paper_benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_runs.h>
#include <millrace/tools/report/chart/chart.h>

namespace millrace::tools {
namespace {

class ThreeStarPaperBenchmark {
 public:
  explicit ThreeStarPaperBenchmark(const ThreeStarPaperOptions& options)
      : options_(options),
        device_(open_device(options.device)),
        runs_(device_),
        times_{"The paper's method on 2000 x 2000, radius 50: " + device_->info().description,
               "points",
               "ms",
               {}} {
    if (options.csv.empty()) return;
    csv_.open(options.csv);
    if (!csv_) throw Error(ErrorCode::kIo, "cannot write " + options.csv);
    csv_ << "points,three_stars,what,seconds,bytes_down";
    for (const ThreeStarPaperRow& row : kThreeStarPaperRows) csv_ << ',' << row.name << "_seconds";
    csv_ << '\n';
  }

  void run() {
    const DeviceInfo& info = device_->info();
    std::printf("%s: %s\n%8s  %12s  %-50s  %10s  %8s  %9s  %10s\n", info.name.c_str(),
                info.description.c_str(), "points", "3-stars", "what", "ms", "B/each", "/baseline",
                "sequential");
    for (const std::size_t count : counts()) {
      run_ = runs_.measure(count, options_.seconds, options_.rounds);
      print_rows();
      write_csv();
      chart();
    }
    print_profile();
    if (options_.svg.empty()) return;
    profiles_.insert(profiles_.begin(), times_);
    write_charts(options_.svg, profiles_);
  }

 private:
  std::vector<std::size_t> counts() const {
    if (!options_.points.empty()) return options_.points;
    if (device_->info().is_simulated) return {400};
    if (device_->info().shares_host_memory) return {1600, 3200, 6400, 12800};
    return {1600, 3200, 6400, 12800, 25600, 51200, 102400};
  }

  void print_rows() const {
    const auto print = [&](const std::string& name, double seconds, double bytes) {
      std::printf("%8zu  %12llu  %-50s  %10.3f  %8.2f  %9.3f  %10.2f\n", run_.points,
                  static_cast<unsigned long long>(run_.three_stars), name.c_str(), seconds * 1e3,
                  bytes, seconds / run_.variants[0].seconds, run_.sequential / seconds);
    };
    const auto stars = static_cast<double>(run_.three_stars);
    print("sequential", run_.sequential, 0);
    for (const ThreeStarPaperVariant& variant : run_.variants) {
      print(variant.name, variant.seconds, static_cast<double>(variant.bytes_down) / stars);
    }
    for (const auto& [name, own] : kThreeStarOwnSearches) print(name, run_.*own, 0);
    std::fflush(stdout);
  }

  // Prints the profile of the last number of points.
  void print_profile() const {
    std::printf("\nProfile for %zu points, each step by itself, ms; all together in `wall`\n%-50s",
                run_.points, "what");
    for (const ThreeStarPaperRow& row : kThreeStarPaperRows) std::printf("  %10s", row.name);
    std::printf("  %10s  %10s\n", "sum", "wall");
    for (const ThreeStarPaperVariant& variant : run_.variants) {
      std::printf("%-50s", variant.name.c_str());
      for (const ThreeStarPaperRow& row : kThreeStarPaperRows) {
        std::printf("  %10.3f", variant.profile.*row.seconds * 1e3);
      }
      std::printf("  %10.3f  %10.3f\n", variant.profile.sum() * 1e3, variant.seconds * 1e3);
    }
  }

  // After figures 10 and 11.
  void chart() {
    const auto add = [&](const std::string& name, double seconds) {
      auto line = std::ranges::find(times_.lines, name, &ChartLine::name);
      if (line == times_.lines.end()) line = times_.lines.insert(line, ChartLine{name, {}});
      line->points.emplace_back(static_cast<double>(run_.points), 1e3 * seconds);
    };
    BarChart profile{
        "Each step by itself: " + std::to_string(run_.points) + " points", "ms", {}, {}};
    for (const ThreeStarPaperRow& row : kThreeStarPaperRows) profile.parts.emplace_back(row.name);
    add("sequential", run_.sequential);
    for (std::size_t i = 0; i < std::size(three_star::kPaperSchemes); ++i) {
      const ThreeStarPaperVariant& variant = run_.variants[i];
      add(variant.name, variant.seconds);
      ChartBar& bar = profile.bars.emplace_back(ChartBar{variant.name, {}});
      for (const ThreeStarPaperRow& row : kThreeStarPaperRows)
        bar.figures.push_back(1e3 * variant.profile.*row.seconds);
    }
    for (const auto& [name, own] : kThreeStarOwnSearches) add(name, run_.*own);
    profiles_.emplace_back(std::move(profile));
  }

  void write_csv() {
    if (!csv_.is_open()) return;
    const auto line = [&](const std::string& name, double seconds) {
      csv_ << run_.points << ',' << run_.three_stars << ',' << name << ',' << seconds;
    };
    const std::string no_profile(1 + std::size(kThreeStarPaperRows), ',');
    line("sequential", run_.sequential);
    csv_ << no_profile << '\n';
    for (const ThreeStarPaperVariant& variant : run_.variants) {
      line(variant.name, variant.seconds);
      csv_ << ',' << variant.bytes_down;
      for (const ThreeStarPaperRow& row : kThreeStarPaperRows)
        csv_ << ',' << variant.profile.*row.seconds;
      csv_ << '\n';
    }
    for (const auto& [name, own] : kThreeStarOwnSearches) {
      line(name, run_.*own);
      csv_ << no_profile << '\n';
    }
    csv_.flush();
  }

  const ThreeStarPaperOptions& options_;
  const std::shared_ptr<Device> device_;
  ThreeStarPaperRuns runs_;
  std::ofstream csv_;
  LineChart times_;
  std::vector<Chart> profiles_;

  ThreeStarPaperRun run_;  // Run of the last number of points.
};

}  // namespace

void benchmark_three_stars_as_paper(const ThreeStarPaperOptions& options) {
  ThreeStarPaperBenchmark(options).run();
}

}  // namespace millrace::tools
