// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/expanded_chunks.h>
#include <millrace/algorithms/three_star/chunks/renamed_stars.h>
#include <millrace/algorithms/three_star/group/cell_work.h>
#include <millrace/algorithms/three_star/group/search_by_group.h>
#include <millrace/algorithms/three_star/group/strip_plan.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/algorithms/three_star/search_range.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::three_star {
namespace {

// The base of all searches by a group.
class SharedSearch {
 public:
  SharedSearch(const DeviceGroup& group, const SearchOptions& options)
      : group_(group), options_(options) {
    report_.policy = options.policy;
  }

 protected:
  // `work` is that of all corners, in units of CellWork.
  SearchReport share(const char* operation, std::uint64_t work, const LeastStrip& least,
                     const PieceOfWork& search) {
    report_.portions =
        share_items(group_,
                    {.operation = operation,
                     .items = work,
                     .least = std::max(least.work, work / (kPiecesOfDevice * group_.size())),
                     .first_fraction = kFirstFraction,
                     .least_seconds = least.seconds},
                    search, options_.stop);
    return report_;
  }

  LinkBytes search_range(Queue& queue, std::span<const Point> points, const SearchRange& range,
                         const StarSink& sink, const std::stop_token& stop) {
    SearchOptions options = options_;
    options.stop = stop;
    SearchReport found;
    OpTable<ThreeStarOp>::at(queue)(queue, points, range, options, sink, found);
    const std::lock_guard lock(mutex_);
    report_.three_stars += found.three_stars;
    report_.pairs += found.pairs;
    report_.tasks += found.tasks;
    report_.bytes_up += found.bytes_up;
    report_.bytes_down += found.bytes_down;
    report_.policy = found.policy;
    report_.host_corners += found.host_corners;
    if (report_.form != StarForm::kRaw) report_.form = found.form;
    return {found.bytes_up, found.bytes_down};
  }

  const DeviceGroup& group_;
  const SearchOptions options_;

 private:
  // Each piece ends with corners that only some warps still search: on two H200s pieces of a 128th
  // took a sixth of the time.
  static constexpr std::uint64_t kPiecesOfDevice = 16;
  static constexpr double kFirstFraction = 0.9;

  std::mutex mutex_;
  SearchReport report_;
};

// Counts by GPUs. Each makes a grid of all points, which is faster than making one on the host and
// cutting it into strips.
class GroupCount : SharedSearch {
 public:
  GroupCount(const DeviceGroup& group, std::span<const Point> points, const SearchOptions& options,
             CellWork work)
      : SharedSearch(group, options), points_(points), work_(std::move(work)) {}

  // Returns true if all devices of a group can do so.
  static bool is_for(const DeviceGroup& group) {
    const std::vector<DeviceInfo> devices = group.infos();
    return std::ranges::all_of(devices, [](const DeviceInfo& info) { return info.warp_width > 1; });
  }

  SearchReport run(const LeastStrip& least) {
    return share("3-stars counted", work_.work(), least,
                 [this](std::size_t device, const ItemRange& items, const std::stop_token& stop) {
                   const IndexRange corners = work_.corners(items.begin, items.end);
                   if (corners.size() == 0) return LinkBytes{};
                   return search_range(group_.queue(device), points_, {.corners = corners}, {},
                                       stop);
                 });
  }

 private:
  const std::span<const Point> points_;
  const CellWork work_;
};

// Searches strips of the host's grid, which chunks refer to.
class StripsByGroup : SharedSearch {
 public:
  StripsByGroup(const DeviceGroup& group, std::span<const Point> points,
                const SearchOptions& options, const StarSink& sink)
      : SharedSearch(group, options),
        sink_(sink),
        grid_(group.queue(0), points, options.radius),
        plan_(grid_) {}

  SearchReport run(const LeastStrip& least) {
    return share(is_counted() ? "3-stars counted" : "3-stars visited", plan_.work(), least,
                 [this](std::size_t device, const ItemRange& items, const std::stop_token& stop) {
                   return search(group_.queue(device), plan_.strip(items.begin, items.end), stop);
                 });
  }

 private:
  bool is_counted() const { return sink_.stars == nullptr && sink_.chunks == nullptr; }
  bool is_raw() const { return sink_.stars != nullptr && options_.form == StarForm::kRaw; }

  LinkBytes search(Queue& queue, const Strip& strip, const std::stop_token& stop) {
    if (strip.corners.size() == 0) return {};
    const StripPoints some(grid_, strip);
    if (is_raw()) return search_raw(queue, some, stop);
    const SearchRange range = {some.corners, &grid_, strip.points.begin};
    if (sink_.stars == nullptr) return search_range(queue, some.points, range, sink_, stop);
    const ChunkVisitor expand = TogetherExpandedChunks(*sink_.stars);
    return search_range(queue, some.points, range, {.chunks = &expand}, stop);
  }

  LinkBytes search_raw(Queue& queue, const StripPoints& some, const std::stop_token& stop) {
    const StarVisitor rename = RenamedStars(some.ids, *sink_.stars);
    return search_range(queue, some.points, {.corners = some.corners}, {.stars = &rename}, stop);
  }

  const StarSink sink_;
  const CellGrid grid_;
  const StripPlan plan_;
};

SearchReport search(const DeviceGroup& group, std::span<const Point> points,
                    const SearchOptions& options, const StarSink& sink) {
  check_radius(options.radius);
  check_points(points);
  group.wait();
  return search_by_group(group, points, options, sink);
}

SearchReport search_by_one(Queue& queue, std::span<const Point> points,
                           const SearchOptions& options, const StarSink& sink) {
  SearchReport report;
  const SearchRange all = {.corners = {0, static_cast<std::uint32_t>(points.size())}};
  OpTable<ThreeStarOp>::at(queue)(queue, points, all, options, sink, report);
  return report;
}

SearchReport search_by_several(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options, const StarSink& sink,
                               const LeastStrip& least) {
  const bool is_counted = sink.stars == nullptr && sink.chunks == nullptr;
  if (is_counted && GroupCount::is_for(group)) {
    std::optional<CellWork> work = estimated_work(points, options.radius);
    if (work) return GroupCount(group, points, options, std::move(*work)).run(least);
  }
  return StripsByGroup(group, points, options, sink).run(least);
}

}  // namespace

SearchReport search_by_group(const DeviceGroup& group, std::span<const Point> points,
                             const SearchOptions& options, const StarSink& sink,
                             const LeastStrip& least) {
  for (std::size_t i = 0; i < group.size(); ++i) OpTable<ThreeStarOp>::at(group.queue(i));
  const auto start = std::chrono::steady_clock::now();
  SearchReport report = group.size() == 1 ? search_by_one(group.queue(0), points, options, sink)
                                          : search_by_several(group, points, options, sink, least);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

SearchReport count_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options) {
  return search(group, points, options, {});
}

SearchReport visit_three_stars(const DeviceGroup& group, std::span<const Point> points,
                               const SearchOptions& options, const StarVisitor& visitor) {
  return search(group, points, options, {.stars = &visitor});
}

SearchReport compress_three_stars(const DeviceGroup& group, std::span<const Point> points,
                                  const SearchOptions& options, const ChunkVisitor& visitor) {
  return search(group, points, options, {.chunks = &visitor});
}

}  // namespace millrace::three_star
