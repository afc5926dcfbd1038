// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/algorithms/three_star/chunks/star_order.h>
#include <millrace/algorithms/three_star/point_copies.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/three_star/star_tally.h>
#include <millrace/tools/command/three_star/three_star_search.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <span>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;
using three_star::StarChunk;
using three_star::ThreeStar;

constexpr std::size_t kMostLineBytes = 33;  // Capacity for three numbers of ten digits.

bool can_search(Device& device) {
  try {
    three_star::visit_three_stars(*device.make_queue(), {}, {}, [](auto) {});
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    return false;
  }
}

// Writer of lines of 3-stars, used by several threads.
class StarLineWriter {
 public:
  StarLineWriter(std::ostream& out, std::uint64_t stars)
      : out_(out), progress_(static_cast<std::int64_t>(stars / kStep)) {
    out_ << "a,b,c\n";
  }

  void write(std::span<const ThreeStar> stars) {
    std::vector<char> lines(stars.size() * kMostLineBytes);
    char* end = lines.data();
    const auto append = [&](std::uint32_t number, char behind) {
      end = std::to_chars(end, lines.data() + lines.size(), number).ptr;
      *end++ = behind;
    };
    for (const ThreeStar& star : stars) {
      append(star.a, ',');
      append(star.b, ',');
      append(star.c, '\n');
    }
    const std::lock_guard lock(mutex_);
    out_.write(lines.data(), end - lines.data());
    for (written_ += stars.size(); written_ >= kStep; written_ -= kStep) progress_.advance();
  }

 private:
  static constexpr std::uint64_t kStep = 1 << 16;

  std::ostream& out_;
  std::mutex mutex_;
  Progress progress_;
  std::uint64_t written_ = 0;  // 3-stars since the bar moved.
};

// Returns the mean number of digits of the numbers below `end`.
double mean_digits(std::size_t end) {
  double digits = static_cast<double>(end);
  for (std::size_t first = 10; first < end; first *= 10) digits += static_cast<double>(end - first);
  return digits / static_cast<double>(end);
}

void check_space(const OutputFile& file, std::uint64_t stars, std::size_t points) {
  if (file.is_direct()) return;
  const auto bytes =
      static_cast<std::uint64_t>(3 * (mean_digits(points) + 1) * static_cast<double>(stars));
  const std::uint64_t free_bytes =
      fs::space(fs::absolute(file.written_path()).parent_path()).available;
  // The margin allows for points that are in more 3-stars than others.
  if (bytes / 100 * 98 <= free_bytes) return;
  throw Error(ErrorCode::kIo, file.path() + ": " + std::to_string(stars) + " 3-stars take about " +
                                  std::to_string(bytes >> 30) + " GiB, and its disk has " +
                                  std::to_string(free_bytes >> 30) +
                                  " GiB left; give --output a file on another");
}

}  // namespace

DeviceGroup open_search_devices(const std::string& names) {
  if (!names.empty()) return open_named_group(names);
  for (const std::string& candidate : devices_by_preference()) {
    auto device = open_device(candidate);
    if (can_search(*device)) return DeviceGroup({device});
  }
  throw Error(ErrorCode::kNotFound,
              "no device can search for 3-stars; `millrace devices` lists all devices");
}

StarResult search_stars(StarSource& source, std::size_t points, bool is_hashed) {
  StarResult result;
  if (!is_hashed) {
    result.search = source.count();
    return result;
  }
  StarTally tally(points);
  if (source.is_raw()) {
    result.search = source.visit_ids([&](std::span<const ThreeStar> stars) { tally.add(stars); });
  } else {
    result.search = source.visit([&](const StarChunk& chunk) { tally.add(chunk); });
  }
  result.set_hash = tally.set_hash();
  result.histogram = tally.histogram();
  return result;
}

bool is_of_chunks(const std::string& path) { return fs::path(path).extension() == ".3star"; }

StarResult write_chunks(const StarOutput& output, OutputFile& file) {
  StarResult result;
  const SensorGrid& grid = output.grid;
  const three_star::PointCopies copies(grid.inputs(), grid.origins());
  StarTally tally(grid.inputs());
  std::atomic<std::uint64_t> meant = 0;
  three_star::StarFileWriter writer(file.stream(), grid.points(), grid.radius(), grid.units(),
                                    grid.origins());
  result.search = output.source.visit([&](const StarChunk& chunk) {
    writer.write(chunk);
    if (copies.empty()) {
      if (output.is_hashed) tally.add(chunk);
      return;
    }
    std::vector<ThreeStar> kept;
    chunk.visit([&](std::span<const ThreeStar> stars) {
      copies.keep_meant(stars, kept);
      meant += kept.size();
      if (output.is_hashed) tally.add(kept);
    });
  });
  if (!copies.empty()) result.search.three_stars = meant;
  writer.finish();
  if (output.is_hashed) {
    result.set_hash = tally.set_hash();
    result.histogram = tally.histogram();
  }
  return result;
}

StarResult write_lines(const StarOutput& output, OutputFile& file) {
  StarResult result = search_stars(output.source, output.grid.inputs(), output.is_hashed);
  check_space(file, result.search.three_stars, output.grid.inputs());
  StarLineWriter writer(file.stream(), result.search.three_stars);
  const auto write = [&](std::span<const ThreeStar> stars) {
    output.source.check();
    writer.write(stars);
  };
  three_star::SearchReport written;
  if (output.is_sorted) {
    written = visit_in_order(
        output.queue, output.grid.points(), output.grid.radius(),
        [&](const three_star::ChunkVisitor& visitor) { return output.source.visit(visitor); },
        write);
  } else {
    written = output.source.visit_ids(write);
  }
  result.search.form = written.form;  // The count before may have had no form.
  result.search.host_corners = written.host_corners;
  return result;
}

}  // namespace millrace::tools
