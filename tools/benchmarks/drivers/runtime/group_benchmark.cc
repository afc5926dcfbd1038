// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/group_benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <utility>

#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/tools/benchmarks/harness/contest.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_runs.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kRounds = 5;

// Bars that groups of two and of four devices are to reach; other sizes and calls without a bar
// have none.
struct Bars {
  double two = 0;
  double four = 0;

  double of(std::size_t devices) const { return devices == 2 ? two : (devices == 4 ? four : 0); }
};

class GroupContests {
 public:
  explicit GroupContests(const GroupBenchmarkOptions& options)
      : options_(options), group_(open_device_group(options.devices)) {
    if (group_.size() < 2) {
      throw Error(ErrorCode::kInvalidArgument, "--device is '" + options.devices +
                                                   "'; it names two devices or more, with commas");
    }
  }

  void run() {
    std::printf("%-34s  %10s  %10s  %8s  shares\n", "what", "one ms", "group ms", "speed-up");
    if (is_wanted("motion")) search_motion();
    if (is_wanted("three-star")) find_three_stars();
    if (is_wanted("sort")) sort();
    if (is_wanted("idct")) transform();
  }

 private:
  bool is_wanted(const std::string& part) const {
    return options_.parts.empty() || std::ranges::count(options_.parts, part) > 0;
  }

  bool has_simulated() const {
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (group_.device(i)->info().is_simulated) return true;
    }
    return false;
  }

  std::size_t size(std::size_t wanted, std::size_t full, std::size_t simulated) const {
    if (wanted != 0) return wanted;
    return has_simulated() ? simulated : full;
  }

  void contest(const std::string& what, const std::function<void()>& one,
               const std::function<std::vector<DeviceShare>()>& group, const Bars& bars) {
    std::vector<DeviceShare> shares;
    // Speeds are learned in the first runs.
    shares = group();
    const auto timings = run_contest({{"one", one}, {"group", [&] { shares = group(); }}},
                                     options_.seconds, kRounds);
    const double speed_up = 1 / timings[1].ratio_to_first;
    std::printf("%-34s  %10.3f  %10.3f  %8.2f ", what.c_str(), 1e3 * timings[0].median_seconds,
                1e3 * timings[1].median_seconds, speed_up);
    std::uint64_t items = 0;
    for (const DeviceShare& share : shares) items += share.items;
    for (const DeviceShare& share : shares) {
      std::printf(" %.3f", items == 0 ? 0 : static_cast<double>(share.items) / items);
    }
    std::printf("\n");
    const double bar = bars.of(group_.size());
    if (bar > 0) print_bar(what, speed_up, ">=", bar, speed_up >= bar);
    std::fflush(stdout);
  }

  void search_motion() {
    const std::size_t pictures = size(options_.pictures, 1000, 4);
    MotionWorkload workload(group_.device(0), has_simulated() ? 64 : 1920,
                            has_simulated() ? 64 : 1080, std::min<std::size_t>(pictures + 1, 16));
    workload.fill_with_texture(1);
    for (const auto& [name, precision] :
         {std::pair{"motion, integer", motion::Precision::kInteger},
          std::pair{"motion, quarter", motion::Precision::kQuarter}}) {
      const motion::EstimatorOptions options = {
          .search = {.range = has_simulated() ? 8 : 32, .precision = precision}};
      StreamedMotion one(group_.device(0), workload, options);
      StreamedMotion all(group_, workload, options);
      all.check();
      contest(
          name, [&] { one.run(pictures); },
          [&] {
            all.run(pictures);
            return all.shares();
          },
          {1.9, 3.6});
    }
  }

  void find_three_stars() {
    const auto points = three_star::random_points(size(options_.points, 409'600, 1'600), 2000);
    const three_star::SearchOptions options = {.radius = 50};
    const auto expected = count_three_stars(group_.queue(0), points, options).three_stars;
    const auto check = [&](const three_star::SearchReport& report) {
      if (report.three_stars == expected) return report.shares;
      throw Error(ErrorCode::kInternal, "the group found " + std::to_string(report.three_stars) +
                                            " 3-stars, one device " + std::to_string(expected));
    };
    contest(
        "3-stars counted", [&] { count_three_stars(group_.queue(0), points, options); },
        [&] { return check(count_three_stars(group_, points, options)); }, {1.9, 3.6});
    const three_star::ChunkVisitor drop = [](const three_star::StarChunk&) {};
    contest(
        "3-stars compressed", [&] { compress_three_stars(group_.queue(0), points, options, drop); },
        [&] { return check(compress_three_stars(group_, points, options, drop)); }, {});
  }

  void sort() {
    const std::size_t count = size(options_.most, 1'000'000'000, 3'000'000);
    HostSortWorkload workload(group_.device(0), MemorySpace::kPinned, count,
                              radix_sort::KeyDistribution::kUniform);
    for (const SortKind kind : kSortKinds) {
      const auto arguments = workload.arguments(kind);
      workload.clear();
      radix_sort::sort(group_, arguments);
      workload.check(kind, "the group");
      contest(
          "sort, " + std::string(to_string(kind)),
          [&] { radix_sort::sort(group_.queue(0), arguments); },
          [&] { return radix_sort::sort(group_, arguments).shares; },
          kind == SortKind::kPairs ? Bars{1.6, 2.4} : Bars{});
    }
  }

  void transform() {
    const std::size_t pictures = has_simulated() ? 4 : 120;
    auto workload = has_simulated()
                        ? IdctHostWorkload::synthetic(group_.device(0), 4, 4, pictures)
                        : IdctHostWorkload::synthetic(group_.device(0), 120, 68, pictures);
    const idct::HostTransformOptions options = {
        .chunk_macroblocks = has_simulated() ? std::size_t{16} : std::size_t{1} << 16};
    idct::HostTransform one(group_.device(0), options);
    idct::HostTransform all(group_, options);
    all.residual(workload.queue(), workload.residual());
    workload.check_residual();
    contest(
        "IDCT, residual", [&] { one.residual(workload.queue(), workload.residual()); },
        [&] {
          all.residual(workload.queue(), workload.residual());
          return all.shares();
        },
        {});
  }

  const GroupBenchmarkOptions options_;
  const DeviceGroup group_;
};

}  // namespace

void benchmark_group(const GroupBenchmarkOptions& options) { GroupContests(options).run(); }

}  // namespace millrace::tools
