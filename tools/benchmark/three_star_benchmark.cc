#include <millrace/tools/benchmark/three_star_benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/backend.h>
#include <millrace/runtime/buffer.h>
#include <millrace/runtime/error.h>
#include <millrace/tools/benchmark/contest.h>

namespace millrace::tools {
namespace {

using three_star::Point;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::ThreeStar;

constexpr std::int32_t kWidth = 2000;
const three_star::SearchOptions kOptions = {.radius = 50};

// Normal around centers that few points share: cells with up to some tens of times the mean.
std::vector<Point> clustered_points(std::size_t count) {
  constexpr std::size_t kOfACluster = 400;
  constexpr double kSpread = 60;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, kWidth);
  std::normal_distribution<double> around(0, kSpread);
  std::vector<Point> points(count);
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kOfACluster == 0) std::tie(x, y) = std::pair(place(random), place(random));
    points[i] = {static_cast<std::int32_t>(x + around(random)),
                 static_cast<std::int32_t>(y + around(random))};
  }
  return points;
}

// One search of one set of points, timed again and again.
struct Search {
  std::string name;
  std::shared_ptr<Queue> queue;
  SearchReport (*run)(Queue&, std::span<const Point>, std::uint64_t& bytes);
};

SearchReport count(Queue& queue, std::span<const Point> points, std::uint64_t& bytes) {
  bytes = 0;
  return count_three_stars(queue, points, kOptions);
}

SearchReport compress(Queue& queue, std::span<const Point> points, std::uint64_t& bytes) {
  std::atomic<std::uint64_t> all = 0;
  const SearchReport report = compress_three_stars(
      queue, points, kOptions, [&](const StarChunk& chunk) { all += chunk.bytes().size(); });
  bytes = all;
  return report;
}

SearchReport visit(Queue& queue, std::span<const Point> points, std::uint64_t& bytes) {
  std::atomic<std::uint64_t> sum = 0;
  const SearchReport report =
      visit_three_stars(queue, points, kOptions, [&](std::span<const ThreeStar> some) {
        std::uint64_t own = 0;
        for (const ThreeStar& star : some) own += star.a ^ star.b ^ star.c;
        sum += own;
      });
  bytes = sizeof(ThreeStar) * report.three_stars;
  return report;
}

// To pinned memory, and nobody looks at them.
SearchReport bring(Queue& queue, std::span<const Point> points, std::uint64_t& bytes) {
  three_star::SearchOptions options = kOptions;
  options.form = three_star::StarForm::kRaw;
  const SearchReport report = visit_three_stars(queue, points, options, [](auto) {});
  bytes = report.bytes_down;
  return report;
}

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

std::vector<Search> searches_of(const std::shared_ptr<Device>& device) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  std::vector<Search> searches = {
      {"count", queue, &count}, {"compressed", queue, &compress}, {"every id", queue, &visit}};
  if (device->info().shares_host_memory) {
    const std::shared_ptr<Queue> one = device->make_queue({.concurrency = 1});
    searches.push_back({"count, one thread", one, &count});
    searches.push_back({"compressed, one thread", one, &compress});
  } else {
    searches.push_back({"written out to the host", queue, &bring});
  }
  return searches;
}

void print_rows(const std::vector<Search>& searches, const std::vector<Point>& points,
                double seconds) {
  std::vector<Contender> contenders;
  std::vector<std::uint64_t> bytes(searches.size());
  std::vector<SearchReport> reports(searches.size());
  for (std::size_t i = 0; i < searches.size(); ++i) {
    contenders.push_back({searches[i].name, [&, i] {
                            reports[i] = searches[i].run(*searches[i].queue, points, bytes[i]);
                          }});
    contenders[i].run();
    if (reports[i].three_stars != reports[0].three_stars || reports[i].pairs > reports[0].pairs) {
      throw Error(ErrorCode::kInternal,
                  searches[i].name + " found " + std::to_string(reports[i].three_stars) +
                      " 3-stars, not " + std::to_string(reports[0].three_stars));
    }
  }
  std::optional<LinkCopies> link;
  if (!searches[0].queue->device().info().shares_host_memory) {
    link.emplace(*searches[0].queue);
    reports.push_back(reports[0]);
    bytes.push_back(sizeof(ThreeStar) * reports[0].three_stars);
    contenders.push_back({"a copy of as many", [&] { link->run(bytes.back()); }});
  }
  const auto timings = run_contest(contenders, seconds, 3);
  for (std::size_t i = 0; i < timings.size(); ++i) {
    const auto stars = static_cast<double>(reports[i].three_stars);
    std::printf("%8zu  %12llu  %-24s  %10.3f  %8.2f  %7.3f  %8.2f\n", points.size(),
                static_cast<unsigned long long>(reports[i].three_stars), timings[i].name.c_str(),
                1e3 * timings[i].median_seconds, 1e12 * timings[i].median_seconds / stars,
                static_cast<double>(bytes[i]) / stars, timings[i].ratio_to_first);
  }
}

}  // namespace

void benchmark_three_stars(const ThreeStarBenchmarkOptions& options) {
  const auto device = open_device(options.device);
  std::printf("%s: %s\n  points       3-stars  %-24s          ms  ns/1000  B/each  to first\n",
              device->info().name.c_str(), device->info().description.c_str(), "what");
  const std::vector<Search> searches = searches_of(device);
  for (const std::size_t count : options.points) {
    print_rows(
        searches,
        options.is_clustered ? clustered_points(count) : three_star::random_points(count, kWidth),
        options.seconds);
  }
}

}  // namespace millrace::tools
