// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_set.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workloads.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchOptions;
using three_star::SearchReport;

constexpr char kUniform[] = "uniform";
constexpr char kClustered[] = "clustered";
constexpr char kCompressed[] = "compressed";
constexpr char kRaw[] = "raw";
constexpr char kBySensor[] = "by-sensor";
constexpr char kSearchOnOneThread[] = "one-thread";

// Copies of at least so many bytes, in equal pieces, from a device to pinned memory: what is
// brought there cannot take less time.
class LinkCopies {
 public:
  LinkCopies(Queue& queue, std::uint64_t bytes)
      : copies_(std::max<std::uint64_t>((bytes + kBlock - 1) / kBlock, 1)),
        piece_(std::max<std::uint64_t>((bytes + copies_ - 1) / copies_, 1)),
        from_(CopyProbe::make_memory(queue, MemorySpace::kDevice, piece_)),
        to_(CopyProbe::make_memory(queue, MemorySpace::kPinned, piece_)),
        probe_(queue, from_, to_, piece_, copies_) {
    fill_bytes(queue, from_->span(), kPattern);
  }

  // Runs once and returns the seconds.
  double run() const { return probe_.run(); }

  // Throws kInternal unless the bytes arrive.
  void check() {
    std::fill_n(to_->data(), piece_, std::byte{0});
    run();
    if (std::all_of(to_->data(), to_->data() + piece_, [](std::byte b) { return b == kPattern; })) {
      return;
    }
    throw Error(ErrorCode::kInternal, "bytes copied to pinned memory are wrong");
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{64} << 20;
  static constexpr std::byte kPattern{0x5a};

  const std::size_t copies_;
  const std::size_t piece_;
  const CopyProbe::Memory from_;
  const CopyProbe::Memory to_;
  const CopyProbe probe_;
};

SearchOptions search_options(Policy policy) {
  SearchOptions options;
  options.radius = kThreeStarRadius;
  options.policy = policy;
  return options;
}

class Searches {
 public:
  Searches(const std::shared_ptr<Device>& device, std::vector<Point> points)
      : queue_(device->make_queue()),
        one_thread_(device->make_queue({.concurrency = 1})),
        points_(std::move(points)) {}

  Queue& queue() { return *queue_; }
  Queue& one_thread() { return *one_thread_; }

  std::string input_hash() const { return InputHash().add(points_).text(); }

  // Seconds of one search.
  double run(Queue& queue, ThreeStarWork* work, const SearchOptions& options) {
    return seconds_of([&] { search(queue, work, options); });
  }

  // A search by the same policy finds what is right for some sensors and as many in all as each
  // sensor is in, and this one has the same number.
  RunAmount check(Queue& queue, ThreeStarWork* work, const SearchOptions& options) {
    const auto counts = checked_three_stars(*queue_, points_, options);
    const std::uint64_t right = std::reduce(counts.begin(), counts.end()) / 3;
    const SearchReport report = search(queue, work, options);
    if (report.three_stars != right) {
      throw Error(ErrorCode::kInternal, "found " + std::to_string(report.three_stars) +
                                            " 3-stars; right is " + std::to_string(right));
    }
    const auto stars = static_cast<double>(right);
    if (work == &count_only || report.bytes_down == 0) return {stars, least_bytes(report)};
    return {stars, static_cast<double>(report.bytes_down), kDownloadLimit};
  }

  // Checks that a visitor gets the right 3-stars in that form: both forms give the same.
  void check_visits(three_star::StarForm form) {
    SearchOptions options;
    options.radius = kThreeStarRadius;
    options.form = form;
    const ThreeStarSet found =
        checked_three_star_set(&three_star::visit_three_stars, *queue_, points_, options);
    if (!visited_) visited_ = found;
    if (found == *visited_) return;
    throw Error(ErrorCode::kInternal, "the 3-stars differ from those in the other form");
  }

  // Bytes of all 3-stars as ids.
  double bytes_of_ids() {
    const SearchReport report = search(*queue_, &count_only, search_options(Policy::kAuto));
    return static_cast<double>(sizeof(three_star::ThreeStar) * report.three_stars);
  }

  void require_link() const {
    if (!queue_->device().info().shares_host_memory) return;
    throw Error(ErrorCode::kUnsupported,
                "the device shares the host's memory, so nothing is copied over a link");
  }

 private:
  // Returns the bytes over the link; of a search that sends nothing back, those of its points.
  double least_bytes(const SearchReport& report) const {
    const std::uint64_t link = report.bytes_up + report.bytes_down;
    return static_cast<double>(std::max<std::uint64_t>(link, sizeof(Point) * points_.size()));
  }

  SearchReport search(Queue& queue, ThreeStarWork* work, const SearchOptions& options) const {
    std::uint64_t bytes = 0;
    return work(queue, points_, options, bytes);
  }

  const std::unique_ptr<Queue> queue_;
  const std::unique_ptr<Queue> one_thread_;
  const std::vector<Point> points_;
  std::optional<ThreeStarSet> visited_;  // The first of the forms sets it.
};

WorkRun run_on(const std::shared_ptr<Searches>& all, Queue& queue, ThreeStarWork* work,
               Policy policy) {
  const SearchOptions options = search_options(policy);
  return {.policy = to_string(policy),
          .check = [=, &queue] { return all->check(queue, work, options); },
          .run = [=, &queue] { return all->run(queue, work, options); },
          .is_streamed = work != &count_only};
}

// Under each policy, and on a CPU by one thread.
std::vector<WorkRun> searches(const std::shared_ptr<Searches>& all, ThreeStarWork* work) {
  std::vector<WorkRun> runs;
  for (const Policy policy : kAllPolicies) {
    runs.push_back(run_on(all, all->queue(), work, policy));
  }
  if (!all->queue().device().info().shares_host_memory) return runs;
  runs.push_back(run_on(all, all->one_thread(), work, Policy::kAuto));
  runs.back().strategy = kSearchOnOneThread;
  return runs;
}

// Over a link, a copy of as many bytes as the 3-stars have.
WorkRun copy_of_as_many(const std::shared_ptr<Searches>& all) {
  const auto copies = std::make_shared<std::optional<LinkCopies>>();
  return {.strategy = kRaw,
          .peer = "copy of as many bytes",
          .check =
              [=] {
                all->require_link();
                const double bytes = all->bytes_of_ids();
                if (!*copies) copies->emplace(all->queue(), static_cast<std::uint64_t>(bytes));
                (*copies)->check();
                return RunAmount{bytes / sizeof(three_star::ThreeStar), bytes, kDownloadLimit};
              },
          .run = [=] { return (*copies)->run(); }};
}

std::vector<WorkRun> visits(const std::shared_ptr<Searches>& all) {
  WorkRun compressed = run_on(all, all->queue(), &visit_ids, Policy::kAuto);
  compressed.strategy = kCompressed;
  compressed.check = [all, check = compressed.check] {
    all->check_visits(three_star::StarForm::kCompressed);
    return check();
  };
  WorkRun by_sensor = run_on(all, all->queue(), &count_by_sensor, Policy::kAuto);
  by_sensor.strategy = kBySensor;
  WorkRun raw = run_on(all, all->queue(), &bring_raw, Policy::kAuto);
  raw.strategy = kRaw;
  raw.check = [all, check = raw.check] {
    all->require_link();
    all->check_visits(three_star::StarForm::kRaw);
    return check();
  };
  return {compressed, by_sensor, raw, copy_of_as_many(all)};
}

Workload search_workload(const std::string& name, const std::string& what, ThreeStarWork* work) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "3-stars";
  workload.inputs = {kUniform, kClustered};
  workload.strategies = {kSearchOnOneThread};
  if (work == &visit_ids) workload.strategies = {kCompressed, kBySensor, kRaw};
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
    return PreparedWork{all->input_hash(), work == &visit_ids ? visits(all) : searches(all, work)};
  };
  return workload;
}

}  // namespace

std::vector<Workload> three_star_workloads() {
  return {
      search_workload("three-star-count", "3-stars of points, counted", &count_only),
      search_workload("three-star-compressed", "the same, as compressed chunks", &compress_only),
      search_workload("three-star-visit", "the same, all as ids in host memory", &visit_ids),
      three_star_paper_workload()};
}

}  // namespace millrace::tools
