// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion_estimator.h>
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/ranks/distributed_search.h>
#include <millrace/docs/examples/command/example_devices.h>
#include <millrace/docs/examples/tree_search/uts.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/tools/benchmarks/workloads/device_workloads.h>
#include <millrace/tools/benchmarks/workloads/joins/uts_trees.h>
#include <millrace/tools/benchmarks/workloads/ranks/rank_runs.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>

namespace millrace::tools {
namespace {

constexpr char kStrong[] = "strong";
constexpr char kWeak[] = "weak";

void expect(bool is_right, const std::string& what) {
  if (!is_right) throw Error(ErrorCode::kInternal, "a result is wrong: " + what);
}

// Sorts this rank's portion of so many keys in host memory. That a rank's range is in order and has
// the right keys beside the others' is what distributed_sort_test checks.
RankJob sort_job(std::size_t keys, unsigned ranks, unsigned rank) {
  const std::size_t mine = even_cut(keys, rank + 1, ranks) - even_cut(keys, rank, ranks);
  auto in = std::make_shared<std::vector<std::uint32_t>>(mine);
  auto out = std::make_shared<std::vector<std::uint32_t>>(mine);
  std::ranges::generate(*in, std::minstd_rand(rank + 1));
  return {.items = static_cast<double>(keys),
          .run =
              [=](const DistributedQueue& queue) {
                radix_sort::sort_keys<std::uint32_t>(queue, *in, *out,
                                                     {.space = MemorySpace::kHost});
              },
          .check = [=] { expect(std::ranges::is_sorted(*out), "the order of keys"); }};
}

// Rank 0's counts of 3-stars, by the number of points.
using KnownCounts = std::map<std::size_t, std::uint64_t>;

// Counts 3-stars of points as dense as 12,800 on 2000 x 2000, with a radius of 50, of which each
// rank has a portion. Any number of ranks finds as many.
RankJob search_job(std::size_t all, unsigned ranks, unsigned rank,
                   const std::shared_ptr<KnownCounts>& known) {
  const double width = 2000 * std::sqrt(static_cast<double>(all) / 12'800);
  auto points = std::make_shared<std::vector<three_star::Point>>(
      three_star::random_points(all, static_cast<std::int32_t>(width)));
  auto found = std::make_shared<three_star::DistributedSearchReport>();
  const std::size_t first = even_cut(all, rank, ranks);
  const std::size_t count = even_cut(all, rank + 1, ranks) - first;
  return {.items = static_cast<double>(all),
          .run =
              [=](const DistributedQueue& queue) {
                *found = three_star::count_three_stars(
                    queue, std::span(*points).subspan(first, count), {.radius = 50});
              },
          .check =
              [=] {
                expect(found->points == all, "the number of points");
                const auto [same, is_new] = known->emplace(all, found->three_stars);
                expect(same->second == found->three_stars, "the number of 3-stars");
              }};
}

// Searches so many pictures of noise that moves.
RankJob motion_job(std::size_t pictures, int width, int height, int range, unsigned rank) {
  constexpr int kShifts = 64;  // Each picture begins a row below the one before.
  auto texture = std::make_shared<std::vector<std::uint8_t>>(static_cast<std::size_t>(width) *
                                                             (height + kShifts));
  std::ranges::generate(*texture, [random = std::minstd_rand(1)]() mutable {
    return static_cast<std::uint8_t>(random());
  });
  auto consumed = std::make_shared<std::size_t>(0);
  const auto produce = [=](motion::InputPicture<std::uint8_t>& slot) {
    if (slot.index >= pictures) return false;
    const std::size_t row = slot.index % kShifts;
    std::copy_n(texture->data() + static_cast<std::size_t>(width) * row, slot.current.size(),
                slot.current.begin());
    return true;
  };
  const motion::EstimatorOptions options = {.search = {.range = range}};
  return {.items = static_cast<double>(pictures),
          .run =
              [=](const DistributedQueue& queue) {
                *consumed = 0;
                motion::DistributedMotionEstimator<std::uint8_t> estimator(queue, width, height,
                                                                           options);
                estimator.run({.produce = produce,
                               .consume = [=](const motion::PictureMotion&) { ++*consumed; }});
              },
          .check = [=] { expect(rank > 0 || *consumed == pictures, "the number of pictures"); }};
}

// Searches a binomial tree of the unbalanced tree search benchmark whose root, on rank 0, has so
// many children; with 2000 it is T3, and each child has some 2000 nodes below it. Ranks take tasks
// from one another.
RankJob tree_job(std::size_t children) {
  const examples::UtsOptions options{.tree = {.type = examples::UtsType::kBinomial,
                                              .branching = static_cast<double>(children),
                                              .nonleaf_probability = 0.124875,
                                              .nonleaf_children = 8,
                                              .seed = 42}};
  const examples::UtsCounts right = known_uts_counts(options.tree);
  auto found = std::make_shared<examples::UtsCounts>();
  return {.items = static_cast<double>(children),
          .run =
              [=](const DistributedQueue& queue) {
                *found = examples::search_uts(examples::ExampleDevices(queue), options).counts;
              },
          .check = [=] { expect(*found == right, "the counts of the tree"); }};
}

// Makes a rank's portion of work of `size` items in all.
using MakeJob =
    std::function<RankJob(const DeviceInfo&, std::uint64_t size, unsigned ranks, unsigned rank)>;

// Sizes by nothing but whether ranks' devices are simulated, so that they are the same on all.
struct RankSizes {
  std::uint64_t full;
  std::uint64_t quick;
  std::uint64_t simulated;

  std::vector<std::uint64_t> operator()(const DeviceInfo& device, bool is_quick) const {
    return {device.is_simulated ? simulated : is_quick ? quick : full};
  }
};

Workload rank_workload(const std::string& name, const std::string& what,
                       const std::string& item_name, const RankSizes& sizes, std::uint64_t most,
                       const MakeJob& make) {
  Workload workload;
  workload.name = "ranks-" + name;
  workload.what = what;
  workload.item_name = item_name;
  workload.inputs = {kStrong, kWeak};
  workload.strategies = rank_strategies();
  workload.sizes = sizes;
  workload.size_rule = "is at most " + std::to_string(most);
  workload.is_size = [most](std::uint64_t size) { return size <= most; };
  workload.prepare_ranks = [make](const RankWorld& ranks, const std::shared_ptr<Device>& device,
                                  const std::string& input, std::uint64_t size) {
    const auto portion = [=](unsigned count, unsigned rank) {
      return make(device->info(), input == kWeak ? size * count : size, count, rank);
    };
    return PreparedWork{"", rank_runs(ranks, device, portion)};
  };
  return workload;
}

}  // namespace

std::vector<Workload> rank_workloads() {
  const auto known = std::make_shared<KnownCounts>();
  return {rank_workload("sort", "radix sort of u32 keys, each rank's in host memory", "keys",
                        {.full = 10'000'000, .quick = 500'000, .simulated = 2'000}, 1'000'000'000,
                        [](const DeviceInfo&, std::uint64_t size, unsigned ranks, unsigned rank) {
                          return sort_job(size, ranks, rank);
                        }),
          rank_workload("three-star", "3-stars of points, counted", "points",
                        {.full = 50'000, .quick = 6'400, .simulated = 200}, 100'000'000,
                        [known](const DeviceInfo&, std::uint64_t size, unsigned ranks,
                                unsigned rank) { return search_job(size, ranks, rank, known); }),
          rank_workload("motion", "full search of pictures of 640x480", "pictures",
                        {.full = 8, .quick = 2, .simulated = 2}, 100'000,
                        [](const DeviceInfo& device, std::uint64_t size, unsigned, unsigned rank) {
                          if (device.is_simulated) return motion_job(size, 32, 64, 8, rank);
                          return motion_job(size, 640, 480, motion::SearchOptions{}.range, rank);
                        }),
          rank_workload("tree", "one queue of tasks: a binomial tree of 2000 nodes a child",
                        "children of the root", {.full = 2000, .quick = 100, .simulated = 4},
                        60'000, [](const DeviceInfo&, std::uint64_t size, unsigned, unsigned) {
                          return tree_job(size);
                        })};
}

}  // namespace millrace::tools
