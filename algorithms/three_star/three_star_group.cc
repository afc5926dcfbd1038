#include <millrace/algorithms/three_star/three_star_group.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <vector>

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/search_arguments.h>
#include <millrace/algorithms/three_star/search_part.h>
#include <millrace/algorithms/three_star/star_chunk.h>
#include <millrace/algorithms/three_star/strips.h>
#include <millrace/runtime/op_table.h>

namespace millrace::three_star {
namespace {

class GroupSearch {
 public:
  GroupSearch(const DeviceGroup& group, std::span<const Point> points, const SearchOptions& options,
              const StarSink& sink)
      : group_(group),
        options_(options),
        sink_(sink),
        grid_(group.queue(0), points, options.radius),
        plan_(grid_) {}

  SearchReport run(const LeastStrip& least) {
    report_.policy = options_.policy;
    report_.shares = share_work(
        group_,
        {.operation = is_counted() ? "3-stars counted" : "3-stars visited",
         .items = plan_.work(),
         .least = std::max(least.work, plan_.work() / (kPiecesOfDevice * group_.size())),
         .first_share = kFirstShare,
         .least_seconds = least.seconds},
        [this](std::size_t device, const ItemRange& items, const std::stop_token& stop) {
          return search(group_.queue(device), plan_.strip(items.begin, items.end), stop);
        },
        options_.stop);
    return report_;
  }

 private:
  // Each has a halo, and ends with corners that few warps still search: on two H200s pieces of a
  // 128th took a sixth of the time.
  static constexpr std::uint64_t kPiecesOfDevice = 16;
  static constexpr double kFirstShare = 0.9;

  bool is_counted() const { return sink_.stars == nullptr && sink_.chunks == nullptr; }
  bool is_raw() const { return sink_.stars != nullptr && options_.form == StarForm::kRaw; }

  LinkBytes search(Queue& queue, const Strip& strip, const std::stop_token& stop) {
    if (strip.corners.size() == 0) return {};
    const StripPoints some(grid_, strip);
    SearchOptions options = options_;
    options.stop = stop;
    SearchReport found;
    const ChunkVisitor write_out = [&](const StarChunk& chunk) {
      for_all_records(chunk, [&](std::size_t first, std::size_t end) {
        chunk.visit(first, end, *sink_.stars);
      });
    };
    const StarVisitor take_stars = [&](std::span<const ThreeStar> stars) { hand_on(stars, some); };
    StarSink sink = sink_;
    if (is_raw()) {
      sink.stars = &take_stars;
    } else if (sink_.stars != nullptr) {
      sink = {.chunks = &write_out};
    }
    SearchPart part = {.corners = some.corners};
    if (!is_raw()) part = {some.corners, &grid_, strip.points.begin};
    OpTable<ThreeStarOp>::at(queue)(queue, some.points, part, options, sink, found);
    add(found);
    return {found.bytes_up, found.bytes_down};
  }

  // Of a strip, by the numbers of its own points.
  void hand_on(std::span<const ThreeStar> stars, const StripPoints& some) const {
    std::vector<ThreeStar> of_all(stars.size());
    std::transform(stars.begin(), stars.end(), of_all.begin(), [&](const ThreeStar& star) {
      return star_of(some.ids[star.a], some.ids[star.b], some.ids[star.c]);
    });
    (*sink_.stars)(of_all);
  }

  void add(const SearchReport& found) {
    const std::lock_guard lock(mutex_);
    report_.three_stars += found.three_stars;
    report_.pairs += found.pairs;
    report_.tasks += found.tasks;
    report_.bytes_up += found.bytes_up;
    report_.bytes_down += found.bytes_down;
    report_.policy = found.policy;
  }

  const DeviceGroup& group_;
  const SearchOptions options_;
  const StarSink sink_;
  const CellGrid grid_;
  const StripPlan plan_;
  std::mutex mutex_;
  SearchReport report_;
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
  const SearchPart all = {.corners = {0, static_cast<std::uint32_t>(points.size())}};
  OpTable<ThreeStarOp>::at(queue)(queue, points, all, options, sink, report);
  return report;
}

}  // namespace

SearchReport search_by_group(const DeviceGroup& group, std::span<const Point> points,
                             const SearchOptions& options, const StarSink& sink,
                             const LeastStrip& least) {
  for (std::size_t i = 0; i < group.size(); ++i) OpTable<ThreeStarOp>::at(group.queue(i));
  const auto start = std::chrono::steady_clock::now();
  SearchReport report = group.size() == 1 ? search_by_one(group.queue(0), points, options, sink)
                                          : GroupSearch(group, points, options, sink).run(least);
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
