// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/idct/idct_paper_benchmark.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/crossovers.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_paper_runs.h>
#include <millrace/tools/report/chart/chart.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;

void print_lines(const std::vector<IdctPaperLine>& lines) {
  for (const IdctPaperLine& line : lines) {
    std::printf("%8zu  %-6s  %-22s  %-14s  %9.3f  %8.1f", line.count, line.variant.data.c_str(),
                line.variant.algorithm.c_str(), line.variant.access.c_str(), line.seconds * 1e3,
                static_cast<double>(line.count) / line.seconds / 1e6);
    if (line.phases.total() > 0) {
      for (const IdctPhase phase : kIdctPhases) std::printf("  %8.3f", line.phases.*phase * 1e3);
    }
    std::printf("\n");
  }
}

// The table's figures as comma-separated values; an empty path makes no file.
class Csv {
 public:
  explicit Csv(const std::string& path) : path_(path) {
    if (path_.empty()) return;
    file_.open(path_);
    file_ << "count,data,algorithm,access,seconds,gather,upload,kernel,download,scatter\n";
    check();
  }

  void write(const std::vector<IdctPaperLine>& lines) {
    if (path_.empty()) return;
    for (const IdctPaperLine& line : lines) {
      file_ << line.count << ',' << line.variant.data << ',' << line.variant.algorithm << ','
            << line.variant.access << ',' << line.seconds;
      for (const IdctPhase phase : kIdctPhases) file_ << ',' << line.phases.*phase;
      file_ << '\n';
    }
    check();
  }

 private:
  void check() {
    if (!file_.flush()) throw Error(ErrorCode::kIo, "cannot write " + path_);
  }

  std::string path_;
  std::ofstream file_;
};

void print_crossovers(const std::string& what, const std::string& a, const SizeSeries& a_seconds,
                      const std::string& b, const SizeSeries& b_seconds) {
  const std::string text = describe(leads(a_seconds, b_seconds), a, b);
  if (!text.empty()) std::printf("%s: %s\n", what.c_str(), text.c_str());
}

void print_all_crossovers(const std::vector<IdctPaperLine>& lines) {
  const auto whole = [](const IdctPaperLine& line) { return line.seconds; };
  const auto kernel = [](const IdctPaperLine& line) { return line.phases.kernel; };
  const auto compare = [&](const std::string& what, const IdctVariant& a, const std::string& a_name,
                           const IdctVariant& b, const std::string& b_name, const auto& seconds) {
    print_crossovers(what, a_name, series_of(lines, a, seconds), b_name,
                     series_of(lines, b, seconds));
  };
  for (const Access access : idct::kAccesses) {
    const IdctVariant persistent = paper_variant(PaperAlgorithm::kPersistent, access);
    const IdctVariant uberkernel = paper_variant(PaperAlgorithm::kUberkernel, access);
    compare(to_string(access), persistent, "persistent", uberkernel, "uberkernel", whole);
    compare(std::string(to_string(access)) + ", kernels alone", persistent, "persistent",
            uberkernel, "uberkernel", kernel);
  }
  for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
    const std::string what = std::string(to_string(algorithm)) + ", kernels alone";
    const IdctVariant global = paper_variant(algorithm, Access::kGlobal);
    const IdctVariant shared = paper_variant(algorithm, Access::kShared);
    const IdctVariant texture = paper_variant(algorithm, Access::kSharedTexture);
    compare(what, global, "global", shared, "shared", kernel);
    compare(what, shared, "shared", texture, "shared+texture", kernel);
  }
}

ChartLine chart_line(const std::vector<IdctPaperLine>& lines, const IdctVariant& variant,
                     std::string name, const std::function<double(const IdctPaperLine&)>& seconds) {
  ChartLine line{std::move(name), {}};
  for (const auto& [count, time] : series_of(lines, variant, seconds)) {
    line.points.emplace_back(static_cast<double>(count), time * 1e3);
  }
  return line;
}

// Fig. 5 (a) to (c), one for each way to reach memory, and the policies beside them.
std::vector<Chart> charts_of(const std::vector<IdctPaperLine>& lines, const std::string& device) {
  const auto whole = [](const IdctPaperLine& line) { return line.seconds; };
  const auto kernel = [](const IdctPaperLine& line) { return line.phases.kernel; };
  const auto chart_titled = [&](const std::string& title) {
    return LineChart{title + ": " + device, "macroblocks", "ms", {}};
  };
  std::vector<Chart> charts;
  for (const Access access : idct::kAccesses) {
    LineChart chart = chart_titled(std::string("The paper's algorithms, ") + to_string(access));
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      const IdctVariant variant = paper_variant(algorithm, access);
      chart.lines.push_back(chart_line(lines, variant, to_string(algorithm), whole));
      const std::string of_kernels = std::string(to_string(algorithm)) + ", kernels";
      chart.lines.push_back(chart_line(lines, variant, of_kernels, kernel));
    }
    if (!chart.lines.front().points.empty()) charts.push_back(std::move(chart));
  }
  for (const char* const data : {"host", "device"}) {
    LineChart chart = chart_titled(std::string("Policies, macroblocks on the ") + data);
    for (const Policy policy : kConcretePolicies) {
      const IdctVariant variant = policy_variant(data, policy);
      chart.lines.push_back(chart_line(lines, variant, to_string(policy), whole));
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<std::size_t> counts_for(const Device& device) {
  if (device.info().is_simulated) return {10, 30, 100};
  return {1'000, 2'500, 5'000, 10'000, 25'000, 50'000, 100'000, 250'000, 500'000, 1'000'000};
}

}  // namespace

void benchmark_idct_paper(const IdctPaperBenchmarkOptions& options) {
  const std::shared_ptr<Device> device = open_device(options.device);
  const auto queue = device->make_queue();
  Csv file(options.csv);
  std::printf("%s: %s\n", device->info().name.c_str(), device->info().description.c_str());
  const IdctPaperLimits limits = idct_paper_limits(*queue);
  if (!limits.paper.empty()) throw Error(ErrorCode::kUnsupported, limits.paper);
  if (!limits.textures.empty()) {
    std::printf("without shared+texture: %s\n", limits.textures.c_str());
  }
  std::printf(
      "   count  data    algorithm               access                ms       M/s"
      "    gather    upload    kernel  download   scatter\n");
  std::vector<IdctPaperLine> lines;
  for (const std::size_t count : counts_for(*device)) {
    const std::vector<IdctPaperLine> more =
        measure_idct_paper(device, limits, count, options.seconds);
    print_lines(more);
    file.write(more);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  print_all_crossovers(lines);
  if (!options.svg.empty()) {
    write_charts(options.svg, charts_of(lines, device->info().description));
  }
}

}  // namespace millrace::tools
