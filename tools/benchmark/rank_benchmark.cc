#include <millrace/tools/benchmark/rank_benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <millrace/algorithms/motion_estimation/distributed_motion.h>
#include <millrace/algorithms/radix_sort/distributed_sort.h>
#include <millrace/algorithms/three_star/distributed_search.h>
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/runtime/agreement.h>
#include <millrace/runtime/collectives.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/world.h>
#include <millrace/tools/command/ranks.h>

namespace millrace::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPictureWidth = 640;
constexpr int kPictureHeight = 480;

// What the ranks of a table's column do again and again.
using Job = std::function<void(const DistributedQueue&)>;

// Collective: the median over rounds of the slowest rank's time.
double median_seconds(const DistributedQueue& ranks, double seconds, const Job& job) {
  std::vector<double> times;
  double all = 0;
  job(ranks);  // Warms up.
  while (times.size() < 3 || all < seconds) {
    all_sum(ranks.communicator, 0);  // All begin together.
    const auto start = Clock::now();
    job(ranks);
    const double mine = std::chrono::duration<double>(Clock::now() - start).count();
    const std::vector<double> of_ranks = all_gather(ranks.communicator, mine);
    times.push_back(*std::ranges::max_element(of_ranks));
    all += times.back();
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

void expect(bool is_right, const char* what) {
  if (!is_right) throw Error(ErrorCode::kInternal, std::string("a result is wrong: ") + what);
}

// Sorts so many keys of each rank in host memory.
Job sort_job(std::size_t keys) {
  auto in = std::make_shared<std::vector<std::uint32_t>>(keys);
  auto out = std::make_shared<std::vector<std::uint32_t>>(keys);
  return [in, out](const DistributedQueue& ranks) {
    if (!in->empty() && in->front() == 0 && in->back() == 0) {
      std::minstd_rand random(static_cast<unsigned>(ranks.communicator.rank() + 1));
      std::ranges::generate(*in, random);
    }
    radix_sort::sort_keys<std::uint32_t>(ranks, *in, *out, {.space = MemorySpace::kHost});
    together(ranks.communicator, [&] { expect(std::ranges::is_sorted(*out), "a rank's keys"); });
  };
}

// Counts 3-stars of points as dense as 12,800 on 2000 x 2000, with a radius of 50.
Job search_job(std::size_t points, std::size_t all) {
  const double width = 2000 * std::sqrt(static_cast<double>(all) / 12800);
  return [points, all, width](const DistributedQueue& ranks) {
    const auto some = three_star::random_points(all, static_cast<std::int32_t>(width));
    const std::size_t first =
        std::min(points * static_cast<unsigned>(ranks.communicator.rank()), all);
    const auto mine = std::span(some).subspan(first, std::min(points, all - first));
    const auto report = three_star::count_three_stars(ranks, mine, {.radius = 50});
    together(ranks.communicator, [&] { expect(report.points == all, "the number of points"); });
  };
}

// Searches pictures of noise that moves.
Job motion_job(int pictures) {
  auto texture = std::make_shared<std::vector<std::uint8_t>>(kPictureWidth * (kPictureHeight + 64));
  std::ranges::generate(*texture, [random = std::minstd_rand(1)]() mutable {
    return static_cast<std::uint8_t>(random());
  });
  return [texture, pictures](const DistributedQueue& ranks) {
    int consumed = 0;
    motion::DistributedMotionEstimator<std::uint8_t> estimator(ranks, kPictureWidth,
                                                               kPictureHeight);
    estimator.run({.produce =
                       [&](motion::InputPicture<std::uint8_t>& room) {
                         if (room.index >= static_cast<unsigned>(pictures)) return false;
                         const auto begin = kPictureWidth * (room.index % 64);
                         std::copy_n(texture->data() + begin, room.current.size(),
                                     room.current.begin());
                         return true;
                       },
                   .consume = [&](const motion::PictureMotion&) { ++consumed; }});
    together(ranks.communicator, [&] {
      expect(ranks.communicator.rank() > 0 || consumed == pictures, "the number of pictures");
    });
  };
}

struct Row {
  const char* job;
  const char* scaling;
  bool is_weak;
  std::function<Job(unsigned ranks)> make;
};

std::vector<Row> rows_of(const RankBenchmarkOptions& options) {
  const std::size_t keys = options.keys;
  const std::size_t points = options.points;
  return {
      {"sort of u32 keys", "strong", false, [=](unsigned p) { return sort_job(keys / p); }},
      {"sort of u32 keys", "weak", true, [=](unsigned) { return sort_job(keys); }},
      {"3-stars counted", "strong", false,
       [=](unsigned p) { return search_job((points + p - 1) / p, points); }},
      {"3-stars counted", "weak", true, [=](unsigned p) { return search_job(points, points * p); }},
      {"motion estimation", "strong", false,
       [pictures = options.pictures](unsigned) { return motion_job(pictures); }},
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
        seconds = median_seconds({*part, *queue}, options.seconds, row.make(ranks));
      });
      if (ranks == 1) alone = seconds.value_or(0);
      if (prints) print(row, ranks, *seconds, alone);
    }
  }
}

}  // namespace millrace::tools
