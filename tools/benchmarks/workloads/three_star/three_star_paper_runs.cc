// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_runs.h>

#include <atomic>
#include <iterator>
#include <span>
#include <utility>

#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/contest.h>

namespace millrace::tools {
namespace {

using three_star::kPaperSchemes;
using three_star::PaperReport;
using three_star::PaperScheme;
using three_star::Point;
using three_star::StarVisitor;
using three_star::ThreeStar;

constexpr std::int32_t kWidth = 2000;
constexpr std::int32_t kRadius = 50;

// A set of 3-stars.
struct FoundSet {
  std::uint64_t three_stars = 0;
  std::uint64_t hash = 0;

  friend bool operator==(const FoundSet&, const FoundSet&) = default;
};

// The set that `find` passes to its visitor.
template <class Find>
FoundSet set_of(const Find& find) {
  std::atomic<std::uint64_t> hash = 0;
  const auto report = find([&](std::span<const ThreeStar> some) {
    std::uint64_t sum = 0;
    for (const ThreeStar& star : some) sum += three_star::hash_of(star);
    hash += sum;
  });
  return {report.three_stars, hash};
}

// Looks at every id.
class Reader {
 public:
  StarVisitor visitor() {
    return [this](std::span<const ThreeStar> some) {
      std::uint64_t own = 0;
      for (const ThreeStar& star : some) own += star.a ^ star.b ^ star.c;
      sum_ += own;
    };
  }

 private:
  std::atomic<std::uint64_t> sum_ = 0;
};

}  // namespace

ThreeStarPaperRuns::ThreeStarPaperRuns(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      queue_(device_->make_queue()),
      one_thread_(open_device("tbb")->make_queue({.concurrency = 1})),
      tables_(kRadius) {
  const bool has_tables = !device_->info().shares_host_memory;
  const auto add = [&](const std::string& name, PaperScheme scheme, bool by_tables) {
    variants_.push_back(
        {name, {.radius = kRadius, .scheme = scheme, .tables = by_tables ? &tables_ : nullptr}});
  };
  for (const PaperScheme scheme : kPaperSchemes) {
    add(three_star::to_string(scheme), scheme, has_tables);
  }
  add(variants_.back().name + (has_tables ? "; arithmetic" : "; tables"), PaperScheme::kBoth,
      !has_tables);
}

ThreeStarPaperRun ThreeStarPaperRuns::measure(std::size_t points, double seconds,
                                              std::size_t least_rounds) {
  const std::vector<Point> places = three_star::random_points(points, kWidth);
  ThreeStarPaperRun run{.points = points, .variants = variants_};
  check(places, run);
  time(places, seconds, least_rounds, run);
  for (ThreeStarPaperVariant& variant : run.variants) {
    Reader reader;
    find_as_paper(*queue_, places, variant.options, reader.visitor(), &variant.profile);
  }
  return run;
}

void ThreeStarPaperRuns::check(const std::vector<Point>& points, ThreeStarPaperRun& run) {
  const FoundSet expected = set_of([&](const StarVisitor& visitor) {
    const PaperReport report = find_as_paper_sequential(*one_thread_, points, kRadius, visitor);
    run.sequential = report.seconds;
    return report;
  });
  run.three_stars = expected.three_stars;
  const auto check_set = [&](const std::string& name, const FoundSet& found) {
    if (found == expected) return;
    throw Error(ErrorCode::kInternal, name + " found " + std::to_string(found.three_stars) +
                                          " 3-stars, the sequential code " +
                                          std::to_string(expected.three_stars) + ", or others");
  };
  for (ThreeStarPaperVariant& variant : run.variants) {
    check_set(variant.name, set_of([&](const StarVisitor& visitor) {
                const PaperReport report = find_as_paper(*queue_, points, variant.options, visitor);
                variant.bytes_down = report.bytes_down;
                return report;
              }));
  }
  for (Queue* const queue : {queue_.get(), one_thread_.get()}) {
    const auto report = count_three_stars(*queue, points, {.radius = kRadius});
    check_set("our count", {report.three_stars, expected.hash});
  }
  check_set("our visit", set_of([&](const StarVisitor& visitor) {
              return visit_three_stars(*one_thread_, points, {.radius = kRadius}, visitor);
            }));
}

void ThreeStarPaperRuns::time(const std::vector<Point>& points, double seconds,
                              std::size_t least_rounds, ThreeStarPaperRun& run) {
  std::vector<Contender> contenders;
  for (const ThreeStarPaperVariant& variant : run.variants) {
    contenders.push_back({variant.name, [&] {
                            Reader reader;
                            find_as_paper(*queue_, points, variant.options, reader.visitor());
                          }});
  }
  contenders.push_back(
      {"our count", [&] { count_three_stars(*queue_, points, {.radius = kRadius}); }});
  contenders.push_back({"our count by one CPU thread",
                        [&] { count_three_stars(*one_thread_, points, {.radius = kRadius}); }});
  contenders.push_back({"our visit by one CPU thread", [&] {
                          Reader reader;
                          visit_three_stars(*one_thread_, points, {.radius = kRadius},
                                            reader.visitor());
                        }});
  const auto timings = run_contest(contenders, seconds, least_rounds);
  for (std::size_t i = 0; i < run.variants.size(); ++i) {
    run.variants[i].seconds = timings[i].median_seconds;
  }
  for (std::size_t i = 0; i < std::size(kThreeStarOwnSearches); ++i) {
    run.*kThreeStarOwnSearches[i].seconds = timings[run.variants.size() + i].median_seconds;
  }
}

}  // namespace millrace::tools
