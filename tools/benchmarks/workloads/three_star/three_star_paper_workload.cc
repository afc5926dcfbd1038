// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/algorithms/three_star/set_hash.h>
#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_paper_workload.h>
#include <millrace/tools/benchmarks/workloads/three_star/three_star_workload.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

using three_star::kPaperSchemes;
using three_star::PaperOptions;
using three_star::PaperReport;
using three_star::PaperSearchProfile;
using three_star::PaperSearchScheme;
using three_star::Point;
using three_star::StarVisitor;
using three_star::ThreeStar;

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

// Reads every id.
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

class PaperSearches {
 public:
  PaperSearches(const std::shared_ptr<Device>& device, std::size_t points)
      : queue_(device->make_queue()),
        one_thread_(open_device("tbb")->make_queue({.concurrency = 1})),
        points_(three_star::random_points(points, kThreeStarWidth)),
        tables_(kThreeStarRadius) {}

  static PreparedWork prepare(const std::shared_ptr<PaperSearches>& all) {
    PreparedWork prepared{InputHash().add(all->points_).text(), {}};
    const bool has_tables = !all->queue_->device().info().shares_host_memory;
    for (std::size_t i = 0; i < std::size(kPaperSchemes); ++i) {
      prepared.runs.push_back(
          variant(all, kThreeStarTechniques[i], all->options(kPaperSchemes[i], has_tables)));
    }
    prepared.runs.push_back(variant(all, has_tables ? kBothByArithmetic : kBothByTables,
                                    all->options(PaperSearchScheme::kBoth, !has_tables)));
    prepared.runs.push_back(count(all, kThreeStarCount, *all->queue_));
    prepared.runs.push_back(count(all, kThreeStarCountOneThread, *all->one_thread_));
    prepared.runs.push_back(visit(all));
    return prepared;
  }

 private:
  using All = std::shared_ptr<PaperSearches>;

  PaperOptions options(PaperSearchScheme scheme, bool by_tables) const {
    return {.radius = kThreeStarRadius, .scheme = scheme, .tables = by_tables ? &tables_ : nullptr};
  }

  static WorkRun variant(const All& all, const char* strategy, const PaperOptions& options) {
    return {.strategy = strategy,
            .check = [=] { return all->check_variant(strategy, options); },
            .run = [=] { return seconds_of([&] { all->find(options, nullptr); }); },
            .is_streamed = options.scheme == PaperSearchScheme::kStreaming ||
                           options.scheme == PaperSearchScheme::kBoth};
  }

  static WorkRun count(const All& all, const char* strategy, Queue& queue) {
    const auto search = [=, &queue] {
      return count_three_stars(queue, all->points_, {.radius = kThreeStarRadius});
    };
    return {.strategy = strategy,
            .check =
                [=] {
                  const std::uint64_t found = search().three_stars;
                  all->require_set(strategy, {found, all->expected().hash});
                  return all->amount();
                },
            .run = [=] { return seconds_of(search); }};
  }

  static WorkRun visit(const All& all) {
    const auto search = [=](const StarVisitor& visitor) {
      return visit_three_stars(*all->one_thread_, all->points_, {.radius = kThreeStarRadius},
                               visitor);
    };
    return {.strategy = kThreeStarVisitOneThread,
            .check =
                [=] {
                  all->require_set(kThreeStarVisitOneThread, set_of(search));
                  return all->amount();
                },
            .run = [=] { return seconds_of([&] { search(Reader().visitor()); }); }};
  }

  PaperReport find(const PaperOptions& options, PaperSearchProfile* profile) {
    Reader reader;
    return find_as_paper(*queue_, points_, options, reader.visitor(), profile);
  }

  RunAmount check_variant(const std::string& name, const PaperOptions& options) {
    std::uint64_t bytes = 0;
    require_set(name, set_of([&](const StarVisitor& visitor) {
                  const PaperReport report = find_as_paper(*queue_, points_, options, visitor);
                  bytes = report.bytes_down;
                  return report;
                }));
    PaperSearchProfile profile;
    find(options, &profile);
    RunAmount amount = this->amount();
    amount.bytes = static_cast<double>(bytes);
    for (const ThreeStarPaperStep& step : kThreeStarPaperSteps) {
      amount.values[step.name] = profile.*step.seconds;
    }
    return amount;
  }

  void require_set(const std::string& name, const FoundSet& found) {
    if (found == expected()) return;
    throw Error(ErrorCode::kInternal, name + " found " + std::to_string(found.three_stars) +
                                          " 3-stars, the sequential code " +
                                          std::to_string(expected().three_stars) + ", or others");
  }

  // By the sequential code, which runs when the set is first needed.
  const FoundSet& expected() {
    if (expected_) return *expected_;
    expected_ = set_of([&](const StarVisitor& visitor) {
      const PaperReport report =
          find_as_paper_sequential(*one_thread_, points_, kThreeStarRadius, visitor);
      sequential_seconds_ = report.seconds;
      return report;
    });
    return *expected_;
  }

  RunAmount amount() {
    return {.items = static_cast<double>(expected().three_stars),
            .values = {{kSequentialSeconds, sequential_seconds_}}};
  }

  const std::unique_ptr<Queue> queue_;
  const std::unique_ptr<Queue> one_thread_;
  const std::vector<Point> points_;
  const three_star::PaperTables tables_;
  std::optional<FoundSet> expected_;
  double sequential_seconds_ = 0;
};

std::vector<std::uint64_t> three_star_paper_sizes(const DeviceInfo& device, bool is_quick) {
  if (device.is_simulated) return {200, 400};
  if (is_quick) return {1600};
  if (device.shares_host_memory) return {1600, 3200, 6400, 12800};
  return {1600, 3200, 6400, 12800, 25600, 51200, 102400};
}

}  // namespace

Workload three_star_paper_workload() {
  Workload workload;
  workload.name = kThreeStarPaper;
  workload.what = "the same by a paper's method and one core's sequential code";
  workload.item_name = "3-stars";
  workload.inputs = {kThreeStarPaperInput};
  workload.strategies = {std::begin(kThreeStarTechniques), std::end(kThreeStarTechniques)};
  for (const char* const strategy : {kBothByArithmetic, kBothByTables, kThreeStarCount,
                                     kThreeStarCountOneThread, kThreeStarVisitOneThread}) {
    workload.strategies.emplace_back(strategy);
  }
  workload.sizes = three_star_paper_sizes;
  workload.size_rule = "is at most 204800";
  workload.is_size = [](std::uint64_t size) { return size <= 204'800; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) {
    return PaperSearches::prepare(std::make_shared<PaperSearches>(device, size));
  };
  return workload;
}

}  // namespace millrace::tools
