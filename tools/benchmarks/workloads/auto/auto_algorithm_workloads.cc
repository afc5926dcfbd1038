// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_runs.h>
#include <millrace/tools/benchmarks/workloads/auto/auto_workloads.h>
#include <millrace/tools/benchmarks/workloads/auto/repeated_macroblocks.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using radix_sort::KeyDistribution;

constexpr char kUniform[] = "uniform";
constexpr char kClustered[] = "clustered";

// Inputs of auto-idct by the macroblocks that are of 8x8 blocks.
constexpr std::pair<const char*, unsigned> kPercentOf8x8[] = {
    {"half-8x8", 50}, {"few-8x8", 5}, {"all-8x8", 100}};

unsigned percent_of_8x8(const std::string& input) {
  return std::ranges::find(kPercentOf8x8, input, [](const auto& each) { return each.first; })
      ->second;
}

AutoCase make_transform(const std::shared_ptr<Queue>& queue, const std::string& input,
                        std::size_t count) {
  const auto blocks = std::make_shared<RepeatedMacroblocks>(queue, count, percent_of_8x8(input));
  return [blocks](Policy policy) { return blocks->run(policy); };
}

// Keys in host memory and their order.
class Keys {
 public:
  Keys(std::shared_ptr<Queue> queue, KeyDistribution distribution, std::size_t count)
      : queue_(std::move(queue)), keys_(count), sorted_(count) {
    radix_sort::fill_keys(radix_sort::KeyType::kU32, distribution, 3, count, keys_.data());
    expected_ = keys_;
    std::ranges::sort(expected_);
  }

  AutoRun sort(Policy policy) {
    // The output of an earlier run must not be taken for this run's.
    if (spoiled_.insert(policy).second) std::ranges::fill(sorted_, 0U);
    std::swap(sorted_.front(), sorted_.back());
    radix_sort::SortReport report;
    const double seconds = seconds_of([&] {
      report = radix_sort::sort_keys<std::uint32_t>(
          *queue_, keys_, sorted_, {.space = MemorySpace::kHost, .policy = policy});
    });
    if (sorted_ != expected_) throw Error(ErrorCode::kInternal, "the keys are not sorted");
    return {seconds, static_cast<double>(keys_.size()), report.policy};
  }

 private:
  const std::shared_ptr<Queue> queue_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> sorted_;
  std::vector<std::uint32_t> expected_;
  std::set<Policy> spoiled_;  // Policies that have begun with an output of zeros.
};

AutoCase make_sort(const std::shared_ptr<Queue>& queue, const std::string& input,
                   std::size_t count) {
  if (!queue->device().info().shares_host_memory) {
    throw Error(ErrorCode::kUnsupported, "a sort on this device does not run tasks");
  }
  const auto keys = std::make_shared<Keys>(
      queue, input == kUniform ? KeyDistribution::kUniform : KeyDistribution::kZipf, count);
  return [keys](Policy policy) { return keys->sort(policy); };
}

AutoCase make_search(const std::shared_ptr<Queue>& queue, const std::string& input,
                     std::size_t count) {
  const auto points = std::make_shared<const std::vector<three_star::Point>>(
      input == kClustered ? clustered_points(count)
                          : three_star::random_points(count, kThreeStarWidth));
  three_star::SearchOptions options;
  options.radius = kThreeStarRadius;
  const auto of_sensors = checked_three_stars(*queue, *points, options);
  const std::uint64_t expected = std::reduce(of_sensors.begin(), of_sensors.end()) / 3;
  return [=](Policy policy) {
    three_star::SearchOptions with_policy = options;
    with_policy.policy = policy;
    three_star::SearchReport report;
    const double seconds =
        seconds_of([&] { report = three_star::count_three_stars(*queue, *points, with_policy); });
    if (report.three_stars != expected) {
      throw Error(ErrorCode::kInternal, "found " + std::to_string(report.three_stars) +
                                            " 3-stars; right is " + std::to_string(expected));
    }
    return AutoRun{seconds, static_cast<double>(expected), report.policy};
  };
}

using MakeCase = AutoCase (*)(const std::shared_ptr<Queue>& queue, const std::string& input,
                              std::size_t count);

Workload auto_workload(const std::string& name, const std::string& what, MakeCase make) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.strategies = {kBestAgain};
  workload.prepare = [make](const std::shared_ptr<Device>& device, const std::string& input,
                            std::uint64_t size) {
    const bool is_simulated = device->info().is_simulated;
    return auto_runs(make(device->make_queue(), input, size),
                     is_simulated ? kSimulatedAutoRuns : AutoRunCounts{});
  };
  return workload;
}

Workload transforms() {
  Workload workload = auto_workload("auto-idct", "kAuto on inverse transforms of SIZE macroblocks",
                                    &make_transform);
  workload.item_name = "macroblocks";
  workload.inputs.clear();
  for (const auto& [input, percent] : kPercentOf8x8) workload.inputs.emplace_back(input);
  workload.sizes = SizeChoice{.cpu = {1'000, 8'160, 100'000, 1'000'000, 4'000'000},
                              .gpu = {1'000, 8'160, 100'000, 1'000'000, 4'000'000},
                              .quick = 1'000,
                              .simulated = 100};
  workload.size_rule = "is at most 100000000";
  workload.is_size = [](std::uint64_t size) { return size <= 100'000'000; };
  return workload;
}

Workload sorts() {
  Workload workload =
      auto_workload("auto-sort", "kAuto on radix sorts of SIZE u32 keys", &make_sort);
  workload.item_name = "keys";
  workload.inputs = {kUniform, to_string(KeyDistribution::kZipf)};
  workload.sizes = SizeChoice{.cpu = {200'000, 2'000'000, 20'000'000},
                              .gpu = {200'000},
                              .quick = 70'000,
                              .simulated = 70'000};
  workload.size_rule = "is 2 to 1000000000";
  workload.is_size = [](std::uint64_t size) { return size >= 2 && size <= 1'000'000'000; };
  return workload;
}

Workload searches() {
  Workload workload = auto_workload("auto-three-star",
                                    "kAuto on counts of the 3-stars of SIZE points", &make_search);
  workload.item_name = "3-stars";
  workload.inputs = {kUniform, kClustered};
  workload.sizes = SizeChoice{.cpu = {3'200, 12'800, 25'600},
                              .gpu = {3'200, 12'800, 25'600},
                              .quick = 1'600,
                              .simulated = 100};
  workload.size_rule = "is at most 1000000";
  workload.is_size = [](std::uint64_t size) { return size <= 1'000'000; };
  return workload;
}

}  // namespace

std::vector<Workload> auto_algorithm_workloads() { return {transforms(), sorts(), searches()}; }

}  // namespace millrace::tools
