// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/drivers/runtime/rank_benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <millrace/algorithms/motion_estimation/ranks/distributed_motion.h>
#include <millrace/algorithms/radix_sort/ranks/distributed_sort.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/ranks/distributed_search.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/group/item_range.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/collectives.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/harness/statistics.h>
#include <millrace/tools/command/common/ranks.h>

namespace millrace::tools {
namespace {

constexpr int kPictureWidth = 640;
constexpr int kPictureHeight = 480;

void expect(bool is_right, const char* what) {
  if (!is_right) throw Error(ErrorCode::kInternal, std::string("a result is wrong: ") + what);
}

// A job that the ranks of a row repeat, and the check of this rank's result.
struct Job {
  std::function<void(const DistributedQueue&)> run;
  std::function<void(const Communicator&)> check;
};

// Collective: the median over rounds of the slowest rank's time.
double median_seconds(const DistributedQueue& ranks, double seconds, const Job& job) {
  std::vector<double> times;
  double all = 0;
  job.run(ranks);  // Warms up.
  together(ranks.communicator, [&] { job.check(ranks.communicator); });
  while (times.size() < 3 || all < seconds) {
    all_sum(ranks.communicator, 0);  // All begin together.
    const double mine = seconds_of([&] { job.run(ranks); });
    const std::vector<double> of_ranks = all_gather(ranks.communicator, mine);
    times.push_back(*std::ranges::max_element(of_ranks));
    all += times.back();
  }
  return median(std::move(times));
}

// Sorts so many keys of each rank in host memory.
Job sort_job(std::size_t keys, unsigned rank) {
  auto in = std::make_shared<std::vector<std::uint32_t>>(keys);
  auto out = std::make_shared<std::vector<std::uint32_t>>(keys);
  std::ranges::generate(*in, std::minstd_rand(rank + 1));
  return {.run =
              [in, out](const DistributedQueue& ranks) {
                radix_sort::sort_keys<std::uint32_t>(ranks, *in, *out,
                                                     {.space = MemorySpace::kHost});
              },
          .check = [out](const Communicator&) { expect(std::ranges::is_sorted(*out), "keys"); }};
}

// Counts 3-stars of points as dense as 12,800 on 2000 x 2000, with a radius of 50, of which each
// rank has a part.
Job search_job(std::size_t all, unsigned ranks, unsigned rank) {
  const double width = 2000 * std::sqrt(static_cast<double>(all) / 12800);
  auto points = std::make_shared<std::vector<three_star::Point>>(
      three_star::random_points(all, static_cast<std::int32_t>(width)));
  auto found = std::make_shared<three_star::DistributedSearchReport>();
  const std::size_t first = even_cut(all, rank, ranks);
  const std::size_t count = even_cut(all, rank + 1, ranks) - first;
  return {.run =
              [points, found, first, count](const DistributedQueue& queue) {
                *found = three_star::count_three_stars(
                    queue, std::span(*points).subspan(first, count), {.radius = 50});
              },
          .check = [found, all](
                       const Communicator&) { expect(found->points == all, "number of points"); }};
}

// Searches pictures of noise that moves.
Job motion_job(int pictures) {
  auto texture = std::make_shared<std::vector<std::uint8_t>>(kPictureWidth * (kPictureHeight + 64));
  std::ranges::generate(*texture, [random = std::minstd_rand(1)]() mutable {
    return static_cast<std::uint8_t>(random());
  });
  auto consumed = std::make_shared<int>(0);
  const auto produce = [texture, pictures](motion::InputPicture<std::uint8_t>& room) {
    if (room.index >= static_cast<unsigned>(pictures)) return false;
    std::copy_n(texture->data() + kPictureWidth * (room.index % 64), room.current.size(),
                room.current.begin());
    return true;
  };
  return {.run =
              [=](const DistributedQueue& ranks) {
                *consumed = 0;
                motion::DistributedMotionEstimator<std::uint8_t> estimator(ranks, kPictureWidth,
                                                                           kPictureHeight);
                estimator.run({.produce = produce,
                               .consume = [=](const motion::PictureMotion&) { ++*consumed; }});
              },
          .check =
              [=](const Communicator& communicator) {
                expect(communicator.rank() > 0 || *consumed == pictures, "number of pictures");
              }};
}

struct Row {
  const char* job;
  const char* scaling;
  bool is_weak;
  std::function<Job(unsigned ranks, unsigned rank)> make;
};

std::vector<Row> rows_of(const RankBenchmarkOptions& options) {
  const std::size_t keys = options.keys;
  const std::size_t points = options.points;
  return {
      {"sort of u32 keys", "strong", false,
       [=](unsigned ranks, unsigned rank) { return sort_job(keys / ranks, rank); }},
      {"sort of u32 keys", "weak", true,
       [=](unsigned, unsigned rank) { return sort_job(keys, rank); }},
      {"3-stars counted", "strong", false,
       [=](unsigned ranks, unsigned rank) { return search_job(points, ranks, rank); }},
      {"3-stars counted", "weak", true,
       [=](unsigned ranks, unsigned rank) { return search_job(points * ranks, ranks, rank); }},
      {"motion estimation", "strong", false,
       [pictures = options.pictures](unsigned, unsigned) { return motion_job(pictures); }},
  };
}

// 1, 2, 4, ... and all.
std::vector<unsigned> sizes_of(unsigned all) {
  std::vector<unsigned> sizes;
  for (unsigned size = 1; size < all; size *= 2) sizes.push_back(size);
  sizes.push_back(all);
  return sizes;
}

void print(const Row& row, unsigned ranks, double seconds, double alone) {
  const double ideal = row.is_weak ? alone : alone / ranks;
  std::printf("%-18s  %-7s  %5u  %10.4f  %9.0f %%\n", row.job, row.scaling, ranks, seconds,
              100 * ideal / seconds);
}

}  // namespace

void benchmark_ranks(const RankBenchmarkOptions& options) {
  Communicator& world = world_communicator();
  std::shared_ptr<Device> device;
  together(world, [&] { device = open_rank_device(world, options.device); });
  const bool prints = world.rank() == 0;
  if (prints) std::printf("job                 scaling  ranks     seconds  efficiency\n");
  for (const Row& row : rows_of(options)) {
    double alone = 0;
    for (const unsigned ranks : sizes_of(static_cast<unsigned>(world.size()))) {
      const std::unique_ptr<Communicator> part = make_part_of_world(static_cast<int>(ranks));
      std::optional<double> seconds;
      together(world, [&] {
        if (!part) return;
        const auto queue = device->make_queue(rank_queue_options(world, *device));
        seconds = median_seconds({*part, *queue}, options.seconds,
                                 row.make(ranks, static_cast<unsigned>(world.rank())));
      });
      if (ranks == 1) alone = seconds.value_or(0);
      if (prints) print(row, ranks, *seconds, alone);
    }
  }
}

}  // namespace millrace::tools
