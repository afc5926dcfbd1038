// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>
#include <millrace/tools/benchmarks/workloads/groups/group_runs.h>
#include <millrace/tools/benchmarks/workloads/groups/group_stress_workload.h>
#include <millrace/tools/benchmarks/workloads/groups/shared_task_workloads.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>
#include <millrace/tools/benchmarks/workloads/motion/streamed_motion.h>
#include <millrace/tools/benchmarks/workloads/sort/host_sort_workload.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace millrace::tools {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

Workload group_workload(const std::string& name, const std::string& what,
                        const std::string& item_name, const SizeChoice& sizes, std::uint64_t most) {
  Workload workload;
  workload.name = "group-" + name;
  workload.what = what;
  workload.item_name = item_name;
  workload.strategies = {kOneDevice, kGroup};
  workload.sizes = sizes;
  workload.size_rule = "is at most " + std::to_string(most);
  workload.is_size = [most](std::uint64_t size) { return size <= most; };
  return workload;
}

// A clip of 1920x1080, or of small pictures where a device is simulated.
class GroupMotion {
 public:
  GroupMotion(const Devices& devices, std::size_t pictures, motion::Precision precision)
      : group_(devices),
        pictures_(pictures),
        work_(devices.front(), has_simulated(devices) ? 64 : 1920,
              has_simulated(devices) ? 64 : 1080, std::min<std::size_t>(pictures + 1, 16)),
        options_{.search = {.range = has_simulated(devices) ? 8 : 32, .precision = precision}},
        one_(devices.front(), work_, options_),
        all_(group_, work_, options_) {
    work_.fill_with_texture(1);
  }

  static PreparedWork prepare(const std::shared_ptr<GroupMotion>& it) {
    const std::span<const std::uint8_t> samples(it->work_.picture(0),
                                                it->work_.samples() * it->work_.distinct());
    const auto items = static_cast<double>(it->pictures_ * it->work_.macroblocks());
    return {InputHash().add(samples).text(),
            group_runs(
                {items},
                {.run = [=] { it->one_.run(it->pictures_); }, .check = [=] { it->one_.check(); }},
                {.run = [=] { it->all_.run(it->pictures_); },
                 .check =
                     [=] {
                       it->portions_ = it->all_.portions();
                       it->all_.check();
                     }},
                [=] { return it->portions_; })};
  }

 private:
  const DeviceGroup group_;
  const std::size_t pictures_;
  MotionWorkload work_;
  const motion::EstimatorOptions options_;
  StreamedMotion one_;
  StreamedMotion all_;
  std::vector<DevicePortion> portions_;
};

Workload motion_workload(const std::string& name, const std::string& what,
                         motion::Precision precision) {
  Workload workload = group_workload(
      name, what, "macroblocks", {.cpu = {24}, .gpu = {1000}, .quick = 1, .simulated = 4}, 100'000);
  workload.inputs = {"texture"};
  workload.prepare_group = [precision](const Devices& devices, const std::string&,
                                       std::uint64_t size) {
    return GroupMotion::prepare(std::make_shared<GroupMotion>(devices, size, precision));
  };
  return workload;
}

// Points on 2000 x 2000, searched with a radius of 50.
class GroupThreeStars {
 public:
  GroupThreeStars(const Devices& devices, std::size_t points)
      : group_(devices), points_(three_star::random_points(points, 2000)) {
    options_.radius = 50;
  }

  static PreparedWork prepare(const std::shared_ptr<GroupThreeStars>& it, bool is_compressed) {
    const auto on_one = [=] { it->find(it->group_.queue(0), is_compressed, it->one_); };
    const auto on_all = [=] { it->find(it->group_, is_compressed, it->all_); };
    const auto check = [=] { it->check(); };
    const double stars = static_cast<double>(
        count_three_stars(it->group_.queue(0), it->points_, it->options_).three_stars);
    it->expected_ = stars;
    return {InputHash().add(it->points_).text(),
            group_runs({stars}, {.run = on_one, .check = check}, {.run = on_all, .check = check},
                       [=] { return it->all_.portions; })};
  }

 private:
  template <class Where>
  void find(Where& where, bool is_compressed, three_star::SearchReport& report) {
    const three_star::ChunkVisitor drop = [](const three_star::StarChunk&) {};
    report = is_compressed ? compress_three_stars(where, points_, options_, drop)
                           : count_three_stars(where, points_, options_);
    found_ = static_cast<double>(report.three_stars);
  }

  void check() const {
    if (found_ == expected_) return;
    throw Error(ErrorCode::kInternal, "found " + std::to_string(found_) +
                                          " 3-stars; one device counts " +
                                          std::to_string(expected_));
  }

  const DeviceGroup group_;
  const std::vector<three_star::Point> points_;
  three_star::SearchOptions options_;
  three_star::SearchReport one_;
  three_star::SearchReport all_;
  double expected_ = 0;
  double found_ = 0;
};

Workload three_star_workload(const std::string& name, const std::string& what, bool is_compressed) {
  Workload workload = group_workload(
      name, what, "3-stars", {.cpu = {102'400}, .gpu = {409'600}, .quick = 6'400, .simulated = 600},
      1'000'000);
  workload.inputs = {"uniform"};
  workload.prepare_group = [is_compressed](const Devices& devices, const std::string&,
                                           std::uint64_t size) {
    return GroupThreeStars::prepare(std::make_shared<GroupThreeStars>(devices, size),
                                    is_compressed);
  };
  return workload;
}

// Uniform keys in pinned memory.
class GroupSort {
 public:
  GroupSort(const Devices& devices, std::size_t count, SortKind kind)
      : group_(devices),
        kind_(kind),
        work_(devices.front(), MemorySpace::kPinned, count, radix_sort::KeyDistribution::kUniform) {
  }

  static PreparedWork prepare(const std::shared_ptr<GroupSort>& it) {
    const radix_sort::SortArguments arguments = it->work_.arguments(it->kind_);
    const auto* const keys = static_cast<const std::uint32_t*>(arguments.keys_in);
    const auto count = static_cast<double>(it->work_.count());
    return {InputHash().add(std::span(keys, it->work_.count())).text(),
            group_runs(
                {count},
                {.run = [=] { radix_sort::sort(it->group_.queue(0), arguments); },
                 .check = [=] { it->check("one device"); }},
                {.run = [=] { it->portions_ = radix_sort::sort(it->group_, arguments).portions; },
                 .check = [=] { it->check("the group"); }},
                [=] { return it->portions_; })};
  }

 private:
  // The next run has to write its result again.
  void check(const std::string& who) {
    work_.check(kind_, who);
    work_.clear();
  }

  const DeviceGroup group_;
  const SortKind kind_;
  HostSortWorkload work_;
  std::vector<DevicePortion> portions_;
};

Workload sort_workload(SortKind kind, const std::string& what) {
  Workload workload = group_workload(
      std::string("sort-") + to_string(kind), what, "keys",
      {.cpu = {10'000'000}, .gpu = {1'000'000'000}, .quick = 500'000, .simulated = 50'000},
      2'000'000'000);
  workload.inputs = {"uniform"};
  workload.prepare_group = [kind](const Devices& devices, const std::string&, std::uint64_t size) {
    return GroupSort::prepare(std::make_shared<GroupSort>(devices, size, kind));
  };
  return workload;
}

// Pictures of 1920x1088, or of 64x64 where a device is simulated, to residuals.
class GroupIdct {
 public:
  GroupIdct(const Devices& devices, std::size_t pictures)
      : group_(devices),
        work_(has_simulated(devices)
                  ? IdctHostWorkload::synthetic(devices.front(), 4, 4, pictures)
                  : IdctHostWorkload::synthetic(devices.front(), 120, 68, pictures)),
        options_{.chunk_macroblocks =
                     has_simulated(devices) ? std::size_t{16} : std::size_t{1} << 16},
        one_(devices.front(), options_),
        all_(group_, options_) {}

  static PreparedWork prepare(const std::shared_ptr<GroupIdct>& it) {
    const auto run = [](const std::shared_ptr<GroupIdct>& all, idct::HostTransform& transform) {
      transform.residual(all->work_.queue(), all->work_.residual());
    };
    const auto check = [=] { it->work_.check_residual(); };
    const auto items = static_cast<double>(it->work_.count());
    return {"", group_runs({items}, {.run = [=] { run(it, it->one_); }, .check = check},
                           {.run = [=] { run(it, it->all_); }, .check = check},
                           [=] { return it->all_.portions(); })};
  }

 private:
  const DeviceGroup group_;
  IdctHostWorkload work_;
  const idct::HostTransformOptions options_;
  idct::HostTransform one_;
  idct::HostTransform all_;
};

Workload idct_workload() {
  Workload workload =
      group_workload("idct", "SIZE pictures of residuals from host memory and back", "macroblocks",
                     {.cpu = {16}, .gpu = {120}, .quick = 2, .simulated = 4}, 2'000);
  workload.inputs = {"synthetic"};
  workload.prepare_group = [](const Devices& devices, const std::string&, std::uint64_t size) {
    return GroupIdct::prepare(std::make_shared<GroupIdct>(devices, size));
  };
  return workload;
}

}  // namespace

std::vector<Workload> group_workloads() {
  std::vector<Workload> all = {
      motion_workload("motion-integer",
                      "full search of SIZE pictures from host memory, whole samples",
                      motion::Precision::kInteger),
      motion_workload("motion-quarter", "the same, to quarter samples",
                      motion::Precision::kQuarter),
      three_star_workload("three-star-count", "3-stars of points, counted", false),
      three_star_workload("three-star-compressed", "the same, as compressed chunks", true),
      sort_workload(SortKind::kKeys, "radix sort of u32 keys in pinned memory"),
      sort_workload(SortKind::kPairs, "the same, with u32 values"),
      sort_workload(SortKind::kArgsort, "the same, to the indices of sorted keys"),
      idct_workload()};
  for (Workload& workload : shared_task_workloads()) all.push_back(std::move(workload));
  all.push_back(group_stress_workload());
  return all;
}

}  // namespace millrace::tools
