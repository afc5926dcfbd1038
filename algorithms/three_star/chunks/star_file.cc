// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/star_file.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace millrace::three_star {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kBatchBytes = std::size_t{64} << 20;

template <class T>
void put(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

StarFileWriter::StarFileWriter(std::ostream& out, std::span<const Point> points,
                               std::int32_t radius, StarFileUnits units,
                               std::span<const std::uint32_t> origins)
    : out_(out) {
  units.copies = static_cast<std::uint32_t>(origins.size());
  put(out_, StarFileHeader{.radius = static_cast<std::uint32_t>(radius),
                           .points = static_cast<std::uint32_t>(points.size())});
  put(out_, units);
  out_.write(reinterpret_cast<const char*>(points.data()),
             static_cast<std::streamsize>(points.size_bytes()));
  out_.write(reinterpret_cast<const char*>(origins.data()),
             static_cast<std::streamsize>(origins.size_bytes()));
}

void StarFileWriter::write(const StarChunk& chunk) {
  const std::span<const std::byte> bytes = chunk.bytes();
  const std::lock_guard lock(mutex_);
  out_.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  ++end_.chunks;
  end_.three_stars += chunk.three_stars();
}

void StarFileWriter::finish() {
  put(out_, end_);
  if (out_.flush()) return;
  throw Error(ErrorCode::kIo, "a file of 3-stars with " + std::to_string(end_.chunks) +
                                  " chunks cannot be written; give a stream with space for them");
}

StarFileReader::StarFileReader(Queue& queue, std::istream& in, std::string name)
    : in_(in), name_(std::move(name)) {
  header_ = read<StarFileHeader>();
  if (header_.magic != StarFileHeader::kMagic && header_.magic != StarFileHeader::kOldMagic) {
    reject_star_file("is no file of 3-stars; give one that StarFileWriter wrote");
  }
  if (header_.radius < 1 || header_.radius > std::uint32_t{kMostRadius}) {
    reject_star_file("has a radius of " + std::to_string(header_.radius) + "; it must be 1 to " +
                     std::to_string(kMostRadius) + "; write it again");
  }
  read_units();
  check_units();
  read_points();
  grid_.emplace(queue, points_, radius());
  first_chunk_ = in_.tellg();
}

void StarFileReader::read_units() {
  if (header_.magic == StarFileHeader::kMagic) {
    units_ = read<StarFileUnits>();
    return;
  }
  const auto old = read<std::array<std::byte, offsetof(StarFileUnits, centre_latitude)>>();
  std::memcpy(reinterpret_cast<std::byte*>(&units_), old.data(), old.size());
}

void StarFileReader::read_points() {
  std::vector<std::byte> bytes;
  read(bytes, std::size_t{header_.points} * sizeof(Point));
  points_.resize(header_.points);
  if (!bytes.empty()) std::memcpy(points_.data(), bytes.data(), bytes.size());
  bytes.clear();
  read(bytes, std::size_t{units_.copies} * sizeof(std::uint32_t));
  origins_.resize(units_.copies);
  if (!bytes.empty()) std::memcpy(origins_.data(), bytes.data(), bytes.size());
  const std::uint32_t originals = header_.points - units_.copies;
  if (std::ranges::any_of(origins_, [&](std::uint32_t origin) { return origin >= originals; })) {
    reject_star_file("is damaged: a copied point has no original; write it again");
  }
}

std::optional<StarChunk> StarFileReader::next() {
  if (!read_chunk(chunk_)) return std::nullopt;
  std::optional<StarChunk> chunk;
  name_errors([&] { chunk.emplace(*grid_, chunk_); });
  return chunk;
}

void StarFileReader::visit(const ChunkVisitor& visitor) {
  HostThreads& threads = HostThreads::shared();
  std::vector<std::vector<std::byte>> batch(4 * static_cast<std::size_t>(threads.count() + 1));
  for (bool is_end = false; !is_end;) {
    std::size_t count = 0;
    std::size_t bytes = 0;
    while (!is_end && count < batch.size() && bytes < kBatchBytes) {
      is_end = !read_chunk(batch[count]);
      if (!is_end) bytes += batch[count++].size();
    }
    threads.for_each(
        count, [&](std::size_t i) { name_errors([&] { visitor(StarChunk(*grid_, batch[i])); }); });
  }
}

void StarFileReader::rewind() {
  in_.clear();
  in_.seekg(first_chunk_);
  if (!in_.good()) reject_star_file("cannot be read twice; give a file, not a pipe");
  found_ = {};
}

bool StarFileReader::read_chunk(std::vector<std::byte>& bytes) {
  const auto magic = read<std::uint32_t>();
  if (magic == StarFileEnd::kMagic) {
    read_end();
    return false;
  }
  if (magic != ChunkHeader::kMagic) {
    reject_star_file("is damaged: there is no chunk where one should begin; write it again");
  }
  ChunkHeader header;
  const auto rest = read<std::array<std::byte, sizeof header - sizeof magic>>();
  std::memcpy(reinterpret_cast<std::byte*>(&header) + sizeof magic, rest.data(), rest.size());
  if (header.directory < sizeof header ||
      header.bytes != header.directory + std::uint64_t{4} * header.records) {
    reject_star_file("is damaged: the length of a chunk is wrong; write it again");
  }
  bytes.resize(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  read(bytes, header.bytes);
  ++found_.chunks;
  found_.three_stars += header.three_stars;
  return true;
}

void StarFileReader::read_end() {
  StarFileEnd end;
  const auto rest = read<std::array<std::byte, sizeof end - sizeof end.magic>>();
  std::memcpy(reinterpret_cast<std::byte*>(&end) + sizeof end.magic, rest.data(), rest.size());
  if (end.chunks != found_.chunks || end.three_stars != found_.three_stars) {
    reject_star_file("is damaged: it has " + std::to_string(found_.three_stars) +
                     " 3-stars, but its end says " + std::to_string(end.three_stars) +
                     "; write it again");
  }
  if (in_.peek() != std::istream::traits_type::eof()) {
    reject_star_file("is damaged: it goes on after its end; write it again");
  }
}

void StarFileReader::check_units() const {
  const auto is_whole = [](double number) {
    return std::isfinite(number) && number == std::floor(number);
  };
  // NaN is in no range.
  const bool is_length = units_.step > 0 && std::isfinite(units_.step) &&
                         std::abs(units_.radius / units_.step - radius()) <= 1e-6 * radius();
  const bool are_latitudes = units_.least_latitude >= -90 && units_.most_latitude <= 90 &&
                             units_.least_latitude <= units_.most_latitude;
  const bool is_centre = std::abs(units_.centre_latitude) <= 90 &&
                         std::abs(units_.centre_longitude) <= 360 && units_.centre_scale > 0 &&
                         units_.centre_scale <= 1;
  const bool is_scale = units_.least_scale > 0 && units_.least_scale <= 1 &&
                        units_.most_scale >= 1 && std::isfinite(units_.most_scale) &&
                        units_.span >= 0 && std::isfinite(units_.span);
  const bool are_regions =
      units_.regions >= 1 && (units_.copies == 0 || units_.copies < header_.points);
  if (!is_length || !is_whole(units_.origin_x) || !is_whole(units_.origin_y) || !are_latitudes ||
      !is_centre || !is_scale || !are_regions || units_.is_east_alone > 1 ||
      units_.projection > StarFileUnits::kStereographic || units_.is_rounded > 1) {
    reject_star_file("is damaged: the units of its points are wrong; write it again");
  }
}

bool StarFileReader::is_star_file(std::istream& in) {
  std::uint64_t magic = 0;
  in.read(reinterpret_cast<char*>(&magic), sizeof magic);
  return in.good() && (magic == StarFileHeader::kMagic || magic == StarFileHeader::kOldMagic);
}

void StarFileReader::read(std::vector<std::byte>& bytes, std::size_t size) {
  while (bytes.size() < size) {
    const std::size_t some = std::min(size - bytes.size(), std::max(kBlockBytes, bytes.size()));
    bytes.resize(bytes.size() + some);
    in_.read(reinterpret_cast<char*>(bytes.data() + bytes.size() - some),
             static_cast<std::streamsize>(some));
    if (in_.gcount() != static_cast<std::streamsize>(some))
      reject_star_file("is cut short; write it again");
  }
}

template <class T>
T StarFileReader::read() {
  T value;
  in_.read(reinterpret_cast<char*>(&value), sizeof value);
  if (in_.gcount() != sizeof value) reject_star_file("is cut short; write it again");
  return value;
}

// Adds the file's name to errors of chunks.
void StarFileReader::name_errors(const std::function<void()>& work) const {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    throw Error(ErrorCode::kIo, name_ + ": " + error.what());
  }
}

void StarFileReader::reject_star_file(const std::string& why) const {
  throw Error(ErrorCode::kIo, name_ + " " + why);
}

}  // namespace millrace::three_star
