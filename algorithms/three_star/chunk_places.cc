#include <millrace/algorithms/three_star/chunk_places.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace millrace::three_star {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::unique_ptr<std::byte[]> with_corners_moved(const StarChunk& chunk, std::uint32_t by) {
  const std::span<const std::byte> from = chunk.bytes();
  auto bytes = std::make_unique_for_overwrite<std::byte[]>(from.size());
  const auto header = load<ChunkHeader>(from, 0);
  const auto offset_of = [&](std::size_t record) {
    if (record == chunk.records()) return std::size_t{header.directory};
    return std::size_t{
        load<std::uint32_t>(from, header.directory + record * sizeof(std::uint32_t))};
  };
  const auto copy = [&](std::size_t begin, std::size_t end) {
    std::copy(from.begin() + begin, from.begin() + end, bytes.get() + begin);
  };
  copy(0, chunk.records() == 0 ? header.directory : offset_of(0));
  copy(header.directory, from.size());
  for_all_records(chunk, [&](std::size_t first, std::size_t end) {
    copy(offset_of(first), offset_of(end));
    for (std::size_t record = first; record < end; ++record) {
      const std::size_t place = offset_of(record) + offsetof(RecordHeader, corner);
      const std::uint32_t corner = load<std::uint32_t>(from, place) + by;
      std::memcpy(bytes.get() + place, &corner, sizeof corner);
    }
  });
  return bytes;
}

}  // namespace millrace::three_star
