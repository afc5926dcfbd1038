// SPDX-License-Identifier: Apache-2.0

// Writes chunks of 3-stars in host memory (star_chunk.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::three_star {

// Writes one chunk after another, in memory that grows to the largest. Not thread-safe.
class ChunkWriter {
 public:
  // A chunk should be finished at this many bytes, and a record should have fewer than this many
  // bits unless one window alone has more: chunks then stay below about twice this size.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  ChunkWriter() { start(); }

  bool empty() const { return offsets_.empty(); }
  std::size_t size() const { return size_; }

  // The memory of a new record: its ids, of id_bytes(around) each, then its buckets, one byte each,
  // then `bit_bytes` for the bits. kSlack bytes behind these may be overwritten meanwhile.
  struct Record {
    std::byte* ids;
    std::byte* buckets;
    std::byte* bits;
  };
  static constexpr std::size_t kSlack = 8;
  Record add(const RecordHeader& header, std::size_t around, std::size_t bit_bytes);

  void count(std::uint64_t three_stars) { three_stars_ += three_stars; }
  // Removes the last record.
  void drop();

  // Ends the chunk, which is valid until start() begins the next.
  std::span<const std::byte> finish();
  void start();

 private:
  // Returns memory for this many more bytes.
  std::byte* grow(std::size_t bytes);

  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> offsets_;
  std::uint64_t three_stars_ = 0;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_
