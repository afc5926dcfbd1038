// SPDX-License-Identifier: Apache-2.0

// Writes chunks of 3-stars in host memory (star_chunk.h).
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_

#include <millrace/algorithms/three_star/chunks/star_chunk.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::three_star {

// One chunk after another, in memory that grows to the largest. Not thread-safe.
class ChunkWriter {
 public:
  // A chunk that has so many bytes should be taken, and so few bits should a record have, unless
  // one window alone has more: then chunks stay below about twice that much.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20;

  ChunkWriter() { start(); }

  bool empty() const { return offsets_.empty(); }
  std::size_t size() const { return size_; }

  // Begins a record: where its ids go, of id_bytes(around) each, then its buckets, one byte each,
  // then `bit_bytes` for the bits; kSlack bytes behind these may be overwritten meanwhile.
  struct Record {
    std::byte* ids;
    std::byte* buckets;
    std::byte* bits;
  };
  static constexpr std::size_t kSlack = 8;
  Record add(const RecordHeader& header, std::size_t around, std::size_t bit_bytes);

  void count(std::uint64_t three_stars) { three_stars_ += three_stars; }
  // Takes the last record back.
  void drop();

  // Ends the chunk, which is good until the next is begun by start().
  std::span<const std::byte> finish();
  void start();

 private:
  // Memory for so many bytes more.
  std::byte* grow(std::size_t bytes);

  std::vector<std::byte> bytes_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> offsets_;
  std::uint64_t three_stars_ = 0;
};

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHUNK_WRITER_H_
