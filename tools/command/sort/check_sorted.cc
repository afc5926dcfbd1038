// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/splitmix64.h>
#include <millrace/tools/command/sort/check_sorted.h>
#include <millrace/tools/command/sort/sort_records.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using radix_sort::SortOrder;

constexpr std::size_t kBlockRecords = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorCode::kInternal, "--check: " + what);
}

[[noreturn]] void fail_order(std::uint64_t record) {
  fail("record " + std::to_string(record) +
       " of the result is out of order: its key belongs before that of the record before it");
}

void check_size(const SortedFile& sorted, std::uint64_t bytes) {
  if (sorted.file.bytes() == sorted.first_byte + bytes) return;
  fail("the result has " + std::to_string(sorted.file.bytes()) + " bytes, not " +
       std::to_string(sorted.first_byte + bytes));
}

template <std::size_t kValueBytes>
std::uint64_t hash(std::uint64_t key, const std::byte* value) {
  if constexpr (kValueBytes == 0)
    return splitmix64(key);
  else
    return splitmix64(splitmix64(key) + load<Unsigned<kValueBytes>>(value));
}

using Blocks = std::function<void(std::uint64_t first, std::size_t count, std::byte* records)>;

// Returns the sum of the hashes of `count` records, and checks their order if `is_sorted`.
template <class Key, std::size_t kValueBytes>
std::uint64_t sum_hashes(std::uint64_t count, const Blocks& read, const KeyOrder<Key>& map,
                         bool is_sorted, SortWatch& watch) {
  constexpr std::size_t kBytes = sizeof(Key) + kValueBytes;
  std::vector<std::byte> block(std::min<std::uint64_t>(count, kBlockRecords) * kBytes);
  std::uint64_t sum = 0;
  Key before = 0;
  for (std::uint64_t first = 0; first < count; first += kBlockRecords) {
    const std::size_t here = std::min<std::uint64_t>(kBlockRecords, count - first);
    read(first, here, block.data());
    for (std::size_t i = 0; i < here; ++i) {
      const std::byte* const record = block.data() + i * kBytes;
      const Key key = load<Key>(record);
      const Key ordered = map.ordered(key);
      if (is_sorted && ordered < before) fail_order(first + i);
      before = ordered;
      sum += hash<kValueBytes>(key, record + sizeof(Key));
    }
    watch.advance(here * kBytes);
  }
  return sum;
}

// The keys of an input by position: all are read at once if they fit into memory, else one by one.
template <class Key>
class KeysByPosition {
 public:
  KeysByPosition(const SortInput& input, std::size_t memory_bytes) : input_(input) {
    if (input.count() > memory_bytes / sizeof(Key)) return;
    keys_.resize(input.count());
    input.read(0, keys_.size(), reinterpret_cast<std::byte*>(keys_.data()));
  }

  template <class Index>
  void gather(const std::vector<Index>& positions, std::vector<Key>& keys) const {
    constexpr std::size_t kPiece = 4096;
    HostThreads::shared().for_each(
        (positions.size() + kPiece - 1) / kPiece, [&](std::size_t piece) {
          const std::size_t end = std::min(positions.size(), (piece + 1) * kPiece);
          for (std::size_t i = piece * kPiece; i < end; ++i) keys[i] = at(positions[i]);
        });
  }

 private:
  Key at(std::uint64_t position) const {
    if (position >= input_.count())
      fail("position " + std::to_string(position) + " is outside the input");
    if (!keys_.empty()) return keys_[position];
    Key key;
    input_.read(position, 1, reinterpret_cast<std::byte*>(&key));
    return key;
  }

  const SortInput& input_;
  std::vector<Key> keys_;  // All keys, or none.
};

// There are as many positions as keys, each less than their count, and each pair (key, position) is
// greater than the one before: so every position occurs once.
template <class Key, class Index>
void check_positions(const SortInput& input, const KeyOrder<Key>& map, const SortedFile& sorted,
                     std::size_t memory_bytes, SortWatch& watch) {
  check_size(sorted, input.count() * sizeof(Index));
  const KeysByPosition<Key> all_keys(input, memory_bytes);
  Key key_before = 0;
  Index position_before = 0;
  for (std::uint64_t first = 0; first < input.count(); first += kBlockRecords) {
    const std::size_t here = std::min<std::uint64_t>(kBlockRecords, input.count() - first);
    std::vector<Index> positions(here);
    std::vector<Key> keys(here);
    sorted.file.read(sorted.first_byte + first * sizeof(Index), positions.data(),
                     here * sizeof(Index));
    watch.check();
    all_keys.gather(positions, keys);
    for (std::size_t i = 0; i < here; ++i) {
      const Key key = map.ordered(keys[i]);
      const bool is_after =
          key > key_before || (key == key_before && positions[i] > position_before);
      if (first + i > 0 && !is_after) fail_order(first + i);
      key_before = key;
      position_before = positions[i];
    }
    watch.advance(kCheckPasses * here * sizeof(Key));
  }
}

}  // namespace

void SortedFile::read(std::uint64_t first, std::size_t count, std::size_t bytes,
                      std::byte* records) const {
  if (array == nullptr) {
    file.read(first_byte + first * bytes, records, count * bytes);
    return;
  }
  NpyArray written = *array;
  written.first_byte = first_byte;
  written.stored.is_big_endian = false;
  read_npy_keys(file, written, first, count, records);
}

void check_sorted(const SortInput& input, SortOrder order, const SortedFile& sorted,
                  SortWatch& watch) {
  const std::size_t bytes = input.shape().bytes();
  check_size(sorted,
             input.count() * (sorted.array == nullptr ? bytes : sorted.array->stored.bytes));
  with_record_shape(input.shape(), [&]<class Key, std::size_t kValueBytes>() {
    const KeyOrder<Key> map(input.shape(), order);
    const std::uint64_t before = sum_hashes<Key, kValueBytes>(
        input.count(),
        [&](std::uint64_t first, std::size_t count, std::byte* records) {
          input.read(first, count, records);
        },
        map, /*is_sorted=*/false, watch);
    const std::uint64_t after = sum_hashes<Key, kValueBytes>(
        input.count(),
        [&](std::uint64_t first, std::size_t count, std::byte* records) {
          sorted.read(first, count, bytes, records);
        },
        map, /*is_sorted=*/true, watch);
    if (before != after) fail("the records of the result are not those of the input");
  });
}

void check_argsorted(const SortInput& input, SortOrder order, const SortedFile& sorted,
                     std::size_t index_bytes, std::size_t memory_bytes, SortWatch& watch) {
  with_record_shape(input.shape(), [&]<class Key, std::size_t kValueBytes>() {
    const KeyOrder<Key> map(input.shape(), order);
    if (index_bytes == 4) {
      check_positions<Key, std::uint32_t>(input, map, sorted, memory_bytes, watch);
    } else {
      check_positions<Key, std::uint64_t>(input, map, sorted, memory_bytes, watch);
    }
  });
}

}  // namespace millrace::tools
