#include <millrace/algorithms/three_star/chunk_places.h>

#include <cstring>

namespace millrace::three_star {
namespace {

template <class T>
T load(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::vector<std::byte> with_corners_moved(const StarChunk& chunk, std::uint32_t by) {
  std::vector<std::byte> bytes(chunk.bytes().begin(), chunk.bytes().end());
  const auto header = load<ChunkHeader>(bytes, 0);
  for (std::size_t record = 0; record < chunk.records(); ++record) {
    const std::size_t offset =
        load<std::uint32_t>(bytes, header.directory + record * sizeof(std::uint32_t));
    const auto corner = load<std::uint32_t>(bytes, offset + offsetof(RecordHeader, corner)) + by;
    std::memcpy(bytes.data() + offset + offsetof(RecordHeader, corner), &corner, sizeof corner);
  }
  return bytes;
}

}  // namespace millrace::three_star
