// SPDX-License-Identifier: Apache-2.0

// Records of a key and a value as files have them, one after another: 1 to 8 bytes of key, then 0,
// 4 or 8 of value, without padding.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace millrace::tools {

struct RecordShape {
  radix_sort::KeyType type = radix_sort::KeyType::kU32;
  std::size_t value_bytes = 0;
  radix_sort::BitRange bits{};  // Bits of the keys that decide.

  std::size_t key_bytes() const { return radix_sort::key_bytes(type); }
  std::size_t bytes() const { return key_bytes() + value_bytes; }
};

// An unsigned integer of `kBytes` bytes.
template <std::size_t kBytes>
using Unsigned = std::conditional_t<kBytes == 4, std::uint32_t, std::uint64_t>;

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Calls work.template operator()<Key, kValueBytes>(), Key being the unsigned integer of the
// shape's key size.
template <class Work>
decltype(auto) with_record_shape(const RecordShape& shape, Work&& work) {
  const auto with_key = [&]<class Key>(Key) -> decltype(auto) {
    switch (shape.value_bytes) {
      case 4: return work.template operator()<Key, 4>();
      case 8: return work.template operator()<Key, 8>();
      default: return work.template operator()<Key, 0>();
    }
  };
  switch (shape.key_bytes()) {
    case 1: return with_key(std::uint8_t{});
    case 2: return with_key(std::uint16_t{});
    case 4: return with_key(std::uint32_t{});
    default: return with_key(std::uint64_t{});
  }
}

// Maps keys to unsigned integers that are equal, and in the order, as the bits that decide are.
template <class Key>
class KeyOrder {
 public:
  KeyOrder(const RecordShape& shape, radix_sort::SortOrder order)
      : map_(radix_sort::KeyBits<Key>::of(shape.type, order)),
        first_(shape.bits.first),
        unwanted_(static_cast<int>(8 * sizeof(Key)) - shape.bits.end_of(shape.type)) {}

  Key ordered(Key raw) const {
    const auto without_high = static_cast<Key>(map_.ordered(raw) << unwanted_);
    return static_cast<Key>(without_high >> unwanted_ >> first_);
  }

 private:
  radix_sort::KeyBits<Key> map_;
  int first_;
  int unwanted_;  // Bits above those that decide.
};

// Splits `count` records into keys and values. `values` may be null if the shape has none.
void split_records(const RecordShape& shape, const std::byte* records, std::size_t count,
                   std::byte* keys, std::byte* values);

// Joins keys and values into records; the inverse.
void join_records(const RecordShape& shape, const std::byte* keys, const std::byte* values,
                  std::size_t count, std::byte* records);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_
