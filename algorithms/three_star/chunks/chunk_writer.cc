// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/chunks/chunk_writer.h>

#include <algorithm>
#include <cstring>

namespace millrace::three_star {

std::byte* ChunkWriter::grow(std::size_t bytes) {
  if (bytes_.size() < size_ + bytes + kSlack) {
    bytes_.resize(std::max(2 * bytes_.size(), size_ + bytes + kSlack));
  }
  std::byte* const begin = bytes_.data() + size_;
  size_ += bytes;
  return begin;
}

ChunkWriter::Record ChunkWriter::add(const RecordHeader& header, std::size_t around,
                                     std::size_t bit_bytes) {
  offsets_.push_back(static_cast<std::uint32_t>(size_));
  const std::size_t of_ids = id_bytes(around) * header.neighbours;
  const std::size_t all_ids = padded(of_ids);
  const std::size_t all_buckets = padded(header.neighbours);
  std::byte* const begin = grow(sizeof header + all_ids + all_buckets + padded(bit_bytes));
  std::memcpy(begin, &header, sizeof header);
  const Record record = {begin + sizeof header, begin + sizeof header + all_ids,
                         begin + sizeof header + all_ids + all_buckets};
  std::fill(record.ids + of_ids, record.buckets, std::byte{0});
  std::fill(record.buckets + header.neighbours, record.bits, std::byte{0});
  std::fill(record.bits + bit_bytes, record.bits + padded(bit_bytes), std::byte{0});
  return record;
}

void ChunkWriter::drop() {
  size_ = offsets_.back();
  offsets_.pop_back();
}

std::span<const std::byte> ChunkWriter::finish() {
  ChunkHeader header = {.records = static_cast<std::uint32_t>(offsets_.size()),
                        .three_stars = three_stars_,
                        .directory = size_};
  const std::size_t directory_bytes = offsets_.size() * sizeof(std::uint32_t);
  std::memcpy(grow(directory_bytes), offsets_.data(), directory_bytes);
  header.bytes = size_;
  std::memcpy(bytes_.data(), &header, sizeof header);
  return {bytes_.data(), size_};
}

void ChunkWriter::start() {
  size_ = 0;
  three_stars_ = 0;
  offsets_.clear();
  grow(sizeof(ChunkHeader));
}

}  // namespace millrace::three_star
