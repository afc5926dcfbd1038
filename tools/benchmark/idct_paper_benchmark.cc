#include <millrace/tools/benchmark/idct_paper_benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/idct/idct.h>
#include <millrace/algorithms/idct/idct_strategies.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>
#include <millrace/tools/benchmark/idct_workload.h>
#include <millrace/tools/chart/chart.h>

namespace millrace::tools {
namespace {

using idct::Access;
using idct::PaperAlgorithm;
using idct::PaperTimes;

// One line of the table, but for its figures.
struct Variant {
  std::string data;       // Where macroblocks and residual are: "host" or "device".
  std::string algorithm;  // One of the paper's or a policy; "one kernel" for a strategy by itself.
  std::string access;     // The tasks' own is shared memory.

  std::string name() const { return data + ' ' + algorithm + ' ' + access; }
};

struct Line {
  Variant variant;
  std::size_t count = 0;
  double seconds = 0;
  PaperTimes phases;  // Zero but for the paper's algorithms.
};

using Phase = double PaperTimes::*;
constexpr Phase kPhases[] = {&PaperTimes::gather, &PaperTimes::upload, &PaperTimes::kernel,
                             &PaperTimes::download, &PaperTimes::scatter};

PaperTimes medians(const std::vector<PaperTimes>& times) {
  PaperTimes result;
  for (const Phase phase : kPhases) {
    std::vector<double> values;
    for (const PaperTimes& each : times) values.push_back(each.*phase);
    std::ranges::nth_element(values, values.begin() + values.size() / 2);
    result.*phase = values[values.size() / 2];
  }
  return result;
}

// All ways to transform one workload, each checked when it is added.
class Ways {
 public:
  Ways(Queue& queue, IdctWorkload& workload, bool has_textures)
      : queue_(queue), workload_(workload) {
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      for (const Access access : idct::kAccesses) {
        if (access != Access::kSharedTexture || has_textures) add_paper(algorithm, access);
      }
    }
    for (const Policy policy : kConcretePolicies) add_host_policy(policy);
    for (const Access access : idct::kAccesses) {
      if (access != Access::kSharedTexture || has_textures) add_strategy(access);
    }
    for (const Policy policy : kConcretePolicies) add_device_policy(policy);
  }

  std::vector<Line> measure(double seconds) {
    std::vector<Line> lines;
    const std::vector<Timing> timings = run_contest(contenders_, seconds);
    for (std::size_t i = 0; i < timings.size(); ++i) {
      const auto phases = phases_.find(i);
      lines.push_back({variants_[i], workload_.count(), timings[i].median_seconds,
                       phases == phases_.end() ? PaperTimes{} : medians(phases->second)});
    }
    return lines;
  }

 private:
  void add(const Variant& variant, std::function<void()> run) {
    contenders_.push_back({variant.name(), std::move(run)});
    variants_.push_back(variant);
  }

  void add_on_host(const Variant& variant, const std::function<void()>& run) {
    workload_.spoil_host();
    run();
    workload_.check_host();
    add(variant, run);
  }

  void add_on_device(const Variant& variant, const std::function<void()>& run) {
    workload_.spoil_device(queue_);
    run();
    workload_.check_device(queue_);
    add(variant, run);
  }

  void add_paper(PaperAlgorithm algorithm, Access access) {
    std::vector<PaperTimes>& phases = phases_[contenders_.size()];
    add_on_host({"host", to_string(algorithm), to_string(access)},
                [this, algorithm, access, &phases] {
                  inverse_transform_paper(queue_, algorithm, access, workload_.on_host(),
                                          workload_.host_residual(), &phases.emplace_back());
                });
  }

  void add_host_policy(Policy policy) {
    add_on_host({"host", std::string("policy ") + to_string(policy), "shared"}, [this, policy] {
      inverse_transform_host(queue_, workload_.on_host(), workload_.host_residual(),
                             {.policy = policy});
    });
  }

  void add_strategy(Access access) {
    add_on_device({"device", "one kernel", to_string(access)}, [this, access] {
      inverse_transform_with(queue_, access, workload_.on_device(), workload_.device_residual());
    });
  }

  void add_device_policy(Policy policy) {
    add_on_device({"device", std::string("policy ") + to_string(policy), "shared"}, [this, policy] {
      inverse_transform(queue_, workload_.on_device(), workload_.device_residual(),
                        {.policy = policy});
    });
  }

  Queue& queue_;
  IdctWorkload& workload_;
  std::vector<Variant> variants_;
  std::vector<Contender> contenders_;
  std::map<std::size_t, std::vector<PaperTimes>> phases_;  // By the contender's place.
};

// Throws kUnsupported where the paper's algorithms cannot run at all.
bool has_textures(Queue& queue) {
  std::int16_t residual = 0;
  const auto try_access = [&](Access access) {
    inverse_transform_paper(queue, PaperAlgorithm::kUberkernel, access, {}, &residual);
  };
  try_access(Access::kGlobal);
  try {
    try_access(Access::kSharedTexture);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    std::printf("without shared+texture: %s\n", error.what());
    return false;
  }
}

void print_lines(const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    std::printf("%8zu  %-6s  %-22s  %-14s  %9.3f  %8.1f", line.count, line.variant.data.c_str(),
                line.variant.algorithm.c_str(), line.variant.access.c_str(), line.seconds * 1e3,
                static_cast<double>(line.count) / line.seconds / 1e6);
    if (line.phases.total() > 0) {
      for (const Phase phase : kPhases) std::printf("  %8.3f", line.phases.*phase * 1e3);
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

  void write(const std::vector<Line>& lines) {
    if (path_.empty()) return;
    for (const Line& line : lines) {
      file_ << line.count << ',' << line.variant.data << ',' << line.variant.algorithm << ','
            << line.variant.access << ',' << line.seconds;
      for (const Phase phase : kPhases) file_ << ',' << line.phases.*phase;
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

// Seconds by number of macroblocks.
using Series = std::map<std::size_t, double>;

Series series_of(const std::vector<Line>& lines, const std::string& name,
                 const std::function<double(const Line&)>& seconds) {
  Series series;
  for (const Line& line : lines) {
    if (line.variant.name() == name) series[line.count] = seconds(line);
  }
  return series;
}

// Says between which numbers of macroblocks one becomes faster than the other.
void print_crossovers(const std::string& what, const std::string& a, const Series& a_seconds,
                      const std::string& b, const Series& b_seconds) {
  if (a_seconds.empty() || b_seconds.empty()) return;
  std::printf("%s: ", what.c_str());
  std::size_t last_count = 0;
  bool a_was_faster = false;
  for (const auto& [count, seconds] : a_seconds) {
    const bool a_is_faster = seconds < b_seconds.at(count);
    const char* const faster = a_is_faster ? a.c_str() : b.c_str();
    if (last_count == 0) {
      std::printf("%s is faster from %zu on", faster, count);
    } else if (a_is_faster != a_was_faster) {
      std::printf("; %s from between %zu and %zu on", faster, last_count, count);
    }
    a_was_faster = a_is_faster;
    last_count = count;
  }
  std::printf("\n");
}

void print_all_crossovers(const std::vector<Line>& lines) {
  const auto whole = [](const Line& line) { return line.seconds; };
  const auto kernel = [](const Line& line) { return line.phases.kernel; };
  const auto compare = [&](const std::string& what, const Variant& a, const std::string& a_name,
                           const Variant& b, const std::string& b_name, const auto& seconds) {
    print_crossovers(what, a_name, series_of(lines, a.name(), seconds), b_name,
                     series_of(lines, b.name(), seconds));
  };
  for (const Access access : idct::kAccesses) {
    const Variant persistent{"host", "persistent", to_string(access)};
    const Variant uberkernel{"host", "uberkernel", to_string(access)};
    compare(to_string(access), persistent, "persistent", uberkernel, "uberkernel", whole);
    compare(std::string(to_string(access)) + ", kernels alone", persistent, "persistent",
            uberkernel, "uberkernel", kernel);
  }
  for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
    const std::string what = std::string(to_string(algorithm)) + ", kernels alone";
    const Variant global{"host", to_string(algorithm), to_string(Access::kGlobal)};
    const Variant shared{"host", to_string(algorithm), to_string(Access::kShared)};
    const Variant texture{"host", to_string(algorithm), to_string(Access::kSharedTexture)};
    compare(what, global, "global", shared, "shared", kernel);
    compare(what, shared, "shared", texture, "shared+texture", kernel);
  }
}

ChartLine chart_line(const std::vector<Line>& lines, const Variant& variant, std::string name,
                     const std::function<double(const Line&)>& seconds) {
  ChartLine line{std::move(name), {}};
  for (const auto& [count, time] : series_of(lines, variant.name(), seconds)) {
    line.points.emplace_back(static_cast<double>(count), time * 1e3);
  }
  return line;
}

// Fig. 5 (a) to (c), one for each way to reach memory, and the policies beside them.
std::vector<Chart> charts_of(const std::vector<Line>& lines, const std::string& device) {
  const auto whole = [](const Line& line) { return line.seconds; };
  const auto kernel = [](const Line& line) { return line.phases.kernel; };
  const auto chart_titled = [&](const std::string& title) {
    return LineChart{title + ": " + device, "macroblocks", "ms", {}};
  };
  std::vector<Chart> charts;
  for (const Access access : idct::kAccesses) {
    LineChart chart = chart_titled(std::string("The paper's algorithms, ") + to_string(access));
    for (const PaperAlgorithm algorithm : idct::kPaperAlgorithms) {
      const Variant variant{"host", to_string(algorithm), to_string(access)};
      chart.lines.push_back(chart_line(lines, variant, to_string(algorithm), whole));
      const std::string of_kernels = std::string(to_string(algorithm)) + ", kernels";
      chart.lines.push_back(chart_line(lines, variant, of_kernels, kernel));
    }
    if (!chart.lines.front().points.empty()) charts.push_back(std::move(chart));
  }
  for (const char* const data : {"host", "device"}) {
    LineChart chart = chart_titled(std::string("Policies, macroblocks on the ") + data);
    for (const Policy policy : kConcretePolicies) {
      const Variant variant{data, std::string("policy ") + to_string(policy), "shared"};
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
  const bool textures = has_textures(*queue);
  std::printf(
      "   count  data    algorithm               access                ms       M/s"
      "    gather    upload    kernel  download   scatter\n");
  std::vector<Line> lines;
  for (const std::size_t count : counts_for(*device)) {
    IdctWorkload workload(device, count);
    const std::vector<Line> more = Ways(*queue, workload, textures).measure(options.seconds);
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
