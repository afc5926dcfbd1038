// SPDX-License-Identifier: Apache-2.0

// Writes and reads files of points and all their 3-stars, in compressed form.
//
//   StarFileWriter writer(out, points, 50);
//   compress_three_stars(*queue, points, {.radius = 50},
//                        [&](const StarChunk& chunk) { writer.write(chunk); });
//   writer.finish();
//
//   StarFileReader reader(*queue, in, "some.3star");
//   while (const std::optional<StarChunk> chunk = reader.next()) {
//     for (const ThreeStar& star : *chunk) ...
//   }
//
// The file is a StarFileHeader, its StarFileUnits, the points, the origins of copies, chunks
// (star_chunk.h) one after another, and a StarFileEnd. A chunk counts points in the order of
// CellGrid, which sorts them stably. All numbers are little-endian.
//
// The last points may be copies of others (PointCopies, point_copies.h): then a 3-star may be there
// several times, and counts once.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_FILE_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_FILE_H_

#include <millrace/algorithms/three_star/cell_grid.h>
#include <millrace/algorithms/three_star/chunks/star_chunk.h>
#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace millrace::three_star {

struct StarFileHeader {
  static constexpr std::uint64_t kMagic = 0x334c494641545333;     // "3STAFIL3".
  static constexpr std::uint64_t kOldMagic = 0x324c494641545333;  // "3STAFIL2": has no copies.

  std::uint64_t magic = kMagic;
  std::uint32_t radius = 0;
  std::uint32_t points = 0;  // Each is two numbers of 32 bits, x and y.
};

// The points before they were rounded to the search's grid:
//
//   x = (point.x + origin_x) * step, and y likewise
//
// or, for a projection, the degrees that it maps there.
struct StarFileUnits {
  enum Projection : std::uint32_t { kNone, kEquirectangular, kMercator, kStereographic };

  double radius = 1;  // The header's steps in these units, but for rounding.
  double step = 1;
  double origin_x = 0;  // Whole numbers.
  double origin_y = 0;
  double least_latitude = 0;  // Range of the points in degrees; projections but kStereographic are
  double most_latitude = 0;   // exact halfway between.
  std::uint32_t projection = kNone;
  std::uint32_t is_rounded = 0;  // 1 if points were not on the grid, else 0.

  // "3STAFIL2" ends here. For kStereographic with one region:
  double centre_latitude = 0;
  double centre_longitude = 0;
  double centre_scale = 1;
  // For all regions, each with a projection of its own:
  double least_scale = 1;  // Ratio of distances on the plane to those on the sphere.
  double most_scale = 1;
  double span = 0;                  // Width of all regions, in radians; 0: unknown.
  std::uint32_t is_east_alone = 0;  // 1 if longitudes are from 0 to 360, else 0.
  std::uint32_t regions = 1;
  std::uint32_t copies = 0;  // Copied points, behind all others.
  std::uint32_t zero = 0;
};

struct StarFileEnd {
  static constexpr std::uint32_t kMagic = 0x31455333;  // "3SE1", at the position of a chunk's.

  std::uint32_t magic = kMagic;
  std::uint32_t zero = 0;
  std::uint64_t chunks = 0;
  std::uint64_t three_stars = 0;
};

class StarFileWriter {
 public:
  // Begins the file. `out` must outlive this object; all calls throw what it throws. Points and the
  // radius, in steps, were searched; `units` are stored, not used. The last points are copies of
  // those that `origins` names.
  StarFileWriter(std::ostream& out, std::span<const Point> points, std::int32_t radius,
                 StarFileUnits units, std::span<const std::uint32_t> origins = {});
  // Begins the file of points that were on the grid before.
  StarFileWriter(std::ostream& out, std::span<const Point> points, std::int32_t radius)
      : StarFileWriter(out, points, radius, {.radius = static_cast<double>(radius)}) {}

  // Any thread may call.
  void write(const StarChunk& chunk);

  // Ends the file, once, after all chunks. Throws Error(kIo) if not all could be written.
  void finish();

 private:
  std::ostream& out_;
  std::mutex mutex_;
  StarFileEnd end_;
};

// Checks everything it reads. For one thread at a time.
class StarFileReader {
 public:
  // Reads up to the first chunk, and sorts the points by the queue's device. `in` must outlive this
  // object; `name` is for errors. All calls throw Error(kIo) for other files and for those that are
  // cut short.
  StarFileReader(Queue& queue, std::istream& in, std::string name);

  std::int32_t radius() const { return static_cast<std::int32_t>(header_.radius); }
  const StarFileUnits& units() const { return units_; }
  const std::vector<Point>& points() const { return points_; }
  const std::vector<std::uint32_t>& origins() const { return origins_; }
  const CellGrid& grid() const { return *grid_; }

  // Returns the next chunk, valid until the next call, or none: then all chunks of the writer were
  // read.
  std::optional<StarChunk> next();

  // Passes all chunks that next() would return to `visitor`, on the host's threads. Throws what it
  // throws, but Error(kIo) instead of kInvalidArgument, which damaged chunks are.
  void visit(const ChunkVisitor& visitor);

  // Goes back to the first chunk. Throws if `in` is a pipe.
  void rewind();

  // Returns true if a file begins like one of these.
  static bool is_star_file(std::istream& in);

 private:
  // Returns false at the end.
  bool read_chunk(std::vector<std::byte>& bytes);
  void read_end();
  void read_units();
  void check_units() const;
  void read_points();
  // Grows `bytes` to `size` as they are read, so that a damaged size takes no memory.
  void read(std::vector<std::byte>& bytes, std::size_t size);
  template <class T>
  T read();
  void name_errors(const std::function<void()>& work) const;
  [[noreturn]] void reject_star_file(const std::string& why) const;

  std::istream& in_;
  const std::string name_;
  StarFileHeader header_;
  StarFileUnits units_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> origins_;
  std::optional<CellGrid> grid_;
  std::istream::pos_type first_chunk_;
  std::vector<std::byte> chunk_;
  StarFileEnd found_;  // Numbers read since the first chunk.
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_STAR_FILE_H_
