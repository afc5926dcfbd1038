// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/three_star_workloads.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/limits.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_set.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::SearchReport;

constexpr char kUniform[] = "uniform";
constexpr char kClustered[] = "clustered";
constexpr char kCompressed[] = "compressed";
constexpr char kRaw[] = "raw";

class Searches {
 public:
  Searches(const std::shared_ptr<Device>& device, std::vector<Point> points)
      : queue_(device->make_queue()), points_(std::move(points)) {}

  std::string input_hash() const { return InputHash().add(points_).text(); }

  // Seconds of one search.
  double run(ThreeStarWork* work, const SearchOptions& options) {
    return seconds_of([&] { search(work, options); });
  }

  // A search by the same policy finds what is right for some sensors and as many in all as each
  // sensor is in, and this one has the same number.
  RunAmount check(ThreeStarWork* work, const SearchOptions& options) {
    const auto counts = checked_three_stars(*queue_, points_, options);
    const std::uint64_t right = std::reduce(counts.begin(), counts.end()) / 3;
    const SearchReport report = search(work, options);
    if (report.three_stars != right) {
      throw Error(ErrorCode::kInternal, "found " + std::to_string(report.three_stars) +
                                            " 3-stars; right is " + std::to_string(right));
    }
    const auto stars = static_cast<double>(right);
    if (work == &count_only || report.bytes_down == 0) return {stars, least_bytes(report)};
    return {stars, static_cast<double>(report.bytes_down), kDownloadLimit};
  }

  // That what a visitor gets in that form are the right ones; of both forms they are the same.
  void check_visits(three_star::StarForm form) {
    SearchOptions options;
    options.radius = kThreeStarRadius;
    options.form = form;
    const ThreeStarSet found =
        checked_three_star_set(&three_star::visit_three_stars, *queue_, points_, options);
    if (!visited_) visited_ = found;
    if (found == *visited_) return;
    throw Error(ErrorCode::kInternal, "3-stars are others than those in the other form");
  }

  void require_link() const {
    if (!queue_->device().info().shares_host_memory) return;
    throw Error(ErrorCode::kUnsupported, "nothing goes over a link");
  }

 private:
  // Over the link, and of a search that sends nothing back the points that it reads.
  double least_bytes(const SearchReport& report) const {
    const std::uint64_t link = report.bytes_up + report.bytes_down;
    return static_cast<double>(std::max<std::uint64_t>(link, sizeof(Point) * points_.size()));
  }

  SearchReport search(ThreeStarWork* work, const SearchOptions& options) {
    std::uint64_t bytes = 0;
    return work(*queue_, points_, options, bytes);
  }

  const std::unique_ptr<Queue> queue_;
  const std::vector<Point> points_;
  std::optional<ThreeStarSet> visited_;  // By the first of the forms.
};

WorkRun run_of(const std::shared_ptr<Searches>& all, ThreeStarWork* work, Policy policy) {
  SearchOptions options;
  options.radius = kThreeStarRadius;
  options.policy = policy;
  return {.policy = to_string(policy),
          .check = [=] { return all->check(work, options); },
          .run = [=] { return all->run(work, options); },
          .is_streamed = work != &count_only};
}

std::vector<WorkRun> visits(const std::shared_ptr<Searches>& all) {
  WorkRun compressed = run_of(all, &visit_ids, Policy::kAuto);
  compressed.strategy = kCompressed;
  compressed.check = [all, check = compressed.check] {
    all->check_visits(three_star::StarForm::kCompressed);
    return check();
  };
  WorkRun raw = run_of(all, &bring_raw, Policy::kAuto);
  raw.strategy = kRaw;
  raw.check = [all, check = raw.check] {
    all->require_link();
    all->check_visits(three_star::StarForm::kRaw);
    return check();
  };
  return {compressed, raw};
}

Workload search_workload(const std::string& name, const std::string& what, ThreeStarWork* work) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "3-stars";
  workload.inputs = {kUniform, kClustered};
  if (work == &visit_ids) workload.strategies = {kCompressed, kRaw};
  workload.sizes = SizeChoice{.cpu = {12'800, 102'400},
                              .gpu = {12'800, 102'400, 204'800},
                              .quick = 6'400,
                              .simulated = 200};
  workload.size_rule = "is at most 1000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000; };
  workload.prepare = [work](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
    const auto all = std::make_shared<Searches>(
        device, input == kClustered ? clustered_points(size)
                                    : three_star::random_points(size, kThreeStarWidth));
    PreparedWork prepared{all->input_hash(), {}};
    if (work == &visit_ids) {
      prepared.runs = visits(all);
      return prepared;
    }
    for (const Policy policy : kAllPolicies) prepared.runs.push_back(run_of(all, work, policy));
    return prepared;
  };
  return workload;
}

}  // namespace

std::vector<Workload> three_star_workloads() {
  return {
      search_workload("three-star-count", "3-stars of points, counted", &count_only),
      search_workload("three-star-compressed", "the same, as compressed chunks", &compress_only),
      search_workload("three-star-visit", "the same, all as ids in host memory", &visit_ids)};
}

}  // namespace millrace::tools
