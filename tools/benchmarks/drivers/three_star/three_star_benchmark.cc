// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/three_star/three_star_benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>
#include <millrace/tools/report/chart/chart.h>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchReport;
using three_star::ThreeStar;

const three_star::SearchOptions kOptions = {.radius = kThreeStarRadius};

constexpr char kCount[] = "count";
constexpr char kCountAlone[] = "count, one thread";
constexpr char kCompressed[] = "compressed";
constexpr char kEveryId[] = "every id";      // Counted by sensor, in place.
constexpr char kVisited[] = "every 3-star";  // As ids, some at a time.
constexpr char kWrittenOut[] = "written out to the host";
constexpr char kCopy[] = "a copy of as many";

// One search of one set of points, timed again and again.
struct Search {
  std::string row;  // Name of a row of kThreeStarRows.
  std::string name;
  std::shared_ptr<Queue> queue;
  ThreeStarWork* run;
};

// Copies from a device to pinned memory, of which what is brought there can take no less.
class LinkCopies {
 public:
  explicit LinkCopies(Queue& queue)
      : queue_(queue),
        from_(queue.device().pool(MemorySpace::kDevice), kBlock),
        to_(queue.device().pool(MemorySpace::kPinned), kBlock) {}

  void run(std::uint64_t bytes) {
    for (std::uint64_t done = 0; done < bytes; done += kBlock) {
      queue_.copy(to_.data(), from_.data(), std::min<std::uint64_t>(kBlock, bytes - done));
    }
    queue_.wait();
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{64} << 20;

  Queue& queue_;
  const Buffer<std::byte> from_;
  Buffer<std::byte> to_;
};

bool is_wanted(const ThreeStarBenchmarkOptions& options, const std::string& row) {
  return options.what.empty() || std::ranges::count(options.what, row) > 0;
}

std::vector<Search> searches_of(const std::shared_ptr<Device>& device,
                                const ThreeStarBenchmarkOptions& options) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  std::vector<Search> searches = {{"count", kCount, queue, &count_only},
                                  {"compressed", kCompressed, queue, &compress_only},
                                  {"every-id", kEveryId, queue, &count_by_sensor},
                                  {"every-3-star", kVisited, queue, &visit_ids}};
  if (device->info().shares_host_memory) {
    const std::shared_ptr<Queue> one = device->make_queue({.concurrency = 1});
    searches.push_back({"count-one-thread", kCountAlone, one, &count_only});
    searches.push_back({"compressed-one-thread", "compressed, one thread", one, &compress_only});
  } else {
    searches.push_back({"written-out", kWrittenOut, queue, &bring_raw});
  }
  std::erase_if(searches, [&](const Search& each) { return !is_wanted(options, each.row); });
  if (!searches.empty()) return searches;
  throw Error(ErrorCode::kInvalidArgument,
              "--what has no search that " + device->info().name + " can be measured with");
}

// The measurements of one set of points.
struct Row {
  std::size_t points = 0;
  std::uint64_t three_stars = 0;
  std::string what;
  std::uint64_t bytes = 0;
  double seconds = 0;

  double per_star() const { return seconds / static_cast<double>(three_stars); }
};

std::vector<Row> measure(const std::vector<Search>& searches, const std::vector<Point>& points,
                         const ThreeStarBenchmarkOptions& options) {
  std::vector<Contender> contenders;
  std::vector<Row> rows(searches.size());
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    contenders.push_back({searches[i].name, [&, i] {
                            searches[i].run(*searches[i].queue, points, kOptions, rows[i].bytes);
                          }});
    const SearchReport report =
        searches[i].run(*searches[i].queue, points, kOptions, rows[i].bytes);
    if (i == 0) pairs = report.pairs;
    rows[i] = {points.size(), report.three_stars, searches[i].name, rows[i].bytes};
    if (report.three_stars != rows[0].three_stars || report.pairs > pairs) {
      throw Error(ErrorCode::kInternal, searches[i].name + " found " +
                                            std::to_string(report.three_stars) + " 3-stars, not " +
                                            std::to_string(rows[0].three_stars));
    }
  }
  std::optional<LinkCopies> link;
  if (!searches[0].queue->device().info().shares_host_memory && is_wanted(options, "copy")) {
    const std::uint64_t bytes = sizeof(ThreeStar) * rows[0].three_stars;
    rows.push_back({points.size(), rows[0].three_stars, kCopy, bytes});
    link.emplace(*searches[0].queue);
    contenders.push_back({kCopy, [&link, bytes] { link->run(bytes); }});
  }
  const auto timings = run_contest(contenders, options.seconds, 3);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].seconds = timings[i].median_seconds;
  return rows;
}

void print_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto stars = static_cast<double>(row.three_stars);
    std::printf("%8zu  %12llu  %-24s  %10.3f  %8.2f  %7.3f  %8.2f\n", row.points,
                static_cast<unsigned long long>(row.three_stars), row.what.c_str(),
                1e3 * row.seconds, 1e12 * row.per_star(), static_cast<double>(row.bytes) / stars,
                row.seconds / rows[0].seconds);
  }
}

// The row for so many points that was measured as `what`; null if there is none.
const Row* find(const std::vector<Row>& rows, std::size_t points, const std::string& what) {
  const auto row = std::ranges::find_if(
      rows, [&](const Row& each) { return each.points == points && each.what == what; });
  return row == rows.end() ? nullptr : &*row;
}

// A time that something is held to, in seconds.
struct Bar {
  std::size_t points;
  const char* what;
  double seconds;
};
constexpr Bar kCpuBars[] = {{102'400, kCountAlone, 1.3}, {102'400, kCount, 0.7}};
constexpr Bar kGpuBars[] = {{12'800, kCount, 0.17e-3},
                            {102'400, kCount, 2.8e-3},
                            {204'800, kCount, 15e-3},
                            {102'400, kCompressed, 10e-3},
                            {102'400, kEveryId, 35e-3}};

void print_bars(const std::vector<Row>& rows, std::span<const Bar> bars) {
  for (const Bar& bar : bars) {
    const Row* const row = find(rows, bar.points, bar.what);
    if (row == nullptr) continue;
    print_bar(std::string(bar.what) + " of " + std::to_string(bar.points) + " points, ms",
              1e3 * row->seconds, "<=", 1e3 * bar.seconds, row->seconds <= bar.seconds);
  }
}

// Time to that of another, where both were measured.
void print_ratio(const std::vector<Row>& rows, std::size_t points, const char* what,
                 const char* other, double bar) {
  const Row* const first = find(rows, points, what);
  const Row* const second = find(rows, points, other);
  if (first == nullptr || second == nullptr) return;
  const double ratio = first->seconds / second->seconds;
  print_bar(std::string(what) + " to " + other + ", " + std::to_string(points) + " points", ratio,
            "<=", bar, ratio <= bar);
}

// 3-stars, and times, over points: after the paper's figures 9 and 10.
std::vector<Chart> charts_of(const std::vector<Row>& rows, const std::string& device) {
  LineChart stars{"3-stars of random points on 2000 x 2000, radius 50", "points", "3-stars", {}};
  LineChart times{"Finding them: " + device, "points", "ms", {}};
  ChartLine& all = stars.lines.emplace_back(ChartLine{"3-stars", {}});
  for (const Row& row : rows) {
    const auto points = static_cast<double>(row.points);
    if (row.what == rows[0].what)
      all.points.emplace_back(points, static_cast<double>(row.three_stars));
    auto line = std::ranges::find(times.lines, row.what, &ChartLine::name);
    if (line == times.lines.end()) line = times.lines.insert(line, ChartLine{row.what, {}});
    line->points.emplace_back(points, 1e3 * row.seconds);
  }
  return {stars, times};
}

}  // namespace

const std::vector<std::string> kThreeStarRows = {"count",
                                                 "compressed",
                                                 "every-id",
                                                 "every-3-star",
                                                 "count-one-thread",
                                                 "compressed-one-thread",
                                                 "written-out",
                                                 "copy"};

void benchmark_three_stars(const ThreeStarBenchmarkOptions& options) {
  const auto device = open_device(options.device);
  const DeviceInfo& info = device->info();
  std::printf("%s: %s\n  points       3-stars  %-24s          ms  ns/1000  B/each  to first\n",
              info.name.c_str(), info.description.c_str(), "what");
  const std::vector<Search> searches = searches_of(device, options);
  std::vector<Row> rows;
  for (const std::size_t count : options.points) {
    const auto some = measure(searches, three_star::random_points(count, kThreeStarWidth), options);
    print_rows(some);
    rows.insert(rows.end(), some.begin(), some.end());
    if (!options.is_clustered) continue;
    const auto clustered = measure(searches, clustered_points(count), options);
    std::printf("clustered\n");
    print_rows(clustered);
    if (some[0].what != kCount) continue;
    const double ratio = clustered[0].per_star() / some[0].per_star();
    print_bar("counting clustered ones, each, to even ones", ratio, "<=", 1.1, ratio <= 1.1);
  }
  if (!info.is_simulated) {
    print_bars(rows, info.shares_host_memory ? std::span<const Bar>(kCpuBars) : kGpuBars);
  }
  if (info.shares_host_memory) print_ratio(rows, 102'400, kCompressed, kCount, 1.2);
  print_ratio(rows, 102'400, kWrittenOut, kCopy, 1 / 0.95);
  if (!options.svg.empty()) write_charts(options.svg, charts_of(rows, info.description));
}

}  // namespace millrace::tools
