// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/files/names/file_name.h>

#include <atomic>
#include <chrono>
#include <filesystem>

namespace millrace::tools {
namespace {

using three_star::ChunkVisitor;
using three_star::Point;
using three_star::SearchOptions;
using three_star::SearchReport;
using three_star::StarChunk;
using three_star::StarVisitor;
using three_star::ThreeStar;

class Search : public StarSource {
 public:
  Search(const DeviceGroup& group, std::span<const Point> points, const SearchOptions& options,
         const InterruptGuard& interrupt)
      : StarSource(interrupt), group_(group), points_(points), options_(options) {}

  SearchReport count() override {
    const InterruptStop stop(interrupt_);
    const SearchReport report = count_three_stars(group_, points_, stopped_by(stop));
    check();
    return report;
  }

  SearchReport visit(const ChunkVisitor& visitor) override {
    const InterruptStop stop(interrupt_);
    const SearchReport report =
        compress_three_stars(group_, points_, stopped_by(stop), [&](const StarChunk& chunk) {
          check();
          visitor(chunk);
        });
    check();
    return report;
  }

  SearchReport visit_ids(const StarVisitor& visitor) override {
    if (!is_raw()) return StarSource::visit_ids(visitor);
    const InterruptStop stop(interrupt_);
    const SearchReport report =
        visit_three_stars(group_, points_, stopped_by(stop), [&](std::span<const ThreeStar> stars) {
          check();
          visitor(stars);
        });
    check();
    return report;
  }

  bool is_raw() const override { return options_.form == three_star::StarForm::kRaw; }

 private:
  SearchOptions stopped_by(const InterruptStop& stop) const {
    SearchOptions options = options_;
    options.stop = stop.token();
    return options;
  }

  const DeviceGroup& group_;
  const std::span<const Point> points_;
  const SearchOptions options_;
};

}  // namespace

SearchReport StarSource::visit_ids(const StarVisitor& visitor) {
  return visit([&](const StarChunk& chunk) { chunk.visit(visitor); });
}

void StarSource::check() const {
  if (interrupt_.interrupted()) throw Error(ErrorCode::kCancelled, "interrupted");
}

std::unique_ptr<StarSource> search_for_stars(const DeviceGroup& group,
                                             std::span<const Point> points,
                                             const SearchOptions& options,
                                             const InterruptGuard& interrupt) {
  return std::make_unique<Search>(group, points, options, interrupt);
}

StarFile::StarFile(Queue& queue, const std::string& path, const InterruptGuard& interrupt)
    : StarSource(interrupt),
      file_(PositionedFile::open(path)),
      in_(file_.stream_path(), std::ios::binary),
      reader_(queue, in_, file_.name()) {}

SearchReport StarFile::count() {
  return visit([](const StarChunk&) {});
}

SearchReport StarFile::visit(const ChunkVisitor& visitor) {
  const auto start = std::chrono::steady_clock::now();
  if (!is_at_begin_) reader_.rewind();
  is_at_begin_ = false;
  std::atomic<std::uint64_t> stars = 0;
  reader_.visit([&](const StarChunk& chunk) {
    check();
    visitor(chunk);
    stars += chunk.three_stars();
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return {.three_stars = stars, .seconds = taken.count()};
}

SearchReport OriginalStars::count() {
  return visit_ids([](std::span<const ThreeStar>) {});
}

SearchReport OriginalStars::visit(const ChunkVisitor& visitor) { return source_.visit(visitor); }

SearchReport OriginalStars::visit_ids(const StarVisitor& visitor) {
  std::atomic<std::uint64_t> meant = 0;
  SearchReport report = source_.visit_ids([&](std::span<const ThreeStar> stars) {
    std::vector<ThreeStar> kept;
    copies_.keep_meant(stars, kept);
    meant += kept.size();
    if (!kept.empty()) visitor(kept);
  });
  report.three_stars = meant;
  return report;
}

bool is_star_file(const std::string& path) {
  const bool is_read = is_pipe(path) || descriptor_in(path, NameUse::kInput) ||
                       std::filesystem::is_regular_file(path);
  if (!is_read) return false;
  const PositionedFile file = PositionedFile::open(path);
  std::ifstream in(file.stream_path(), std::ios::binary);
  return three_star::StarFileReader::is_star_file(in);
}

}  // namespace millrace::tools
