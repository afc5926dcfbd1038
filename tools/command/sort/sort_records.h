// SPDX-License-Identifier: Apache-2.0

// Records of a key and a value as files have them, one after another: 4 or 8 bytes of key, then 0,
// 4 or 8 of value, without padding.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_
#define MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <millrace/algorithms/radix_sort/key_bits.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>

namespace millrace::tools {

struct RecordShape {
  radix_sort::KeyType type = radix_sort::KeyType::kU32;
  std::size_t value_bytes = 0;

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
  return shape.key_bytes() == 4 ? with_key(std::uint32_t{}) : with_key(std::uint64_t{});
}

// Splits `count` records into keys and values. `values` may be null if the shape has none.
void split_records(const RecordShape& shape, const std::byte* records, std::size_t count,
                   std::byte* keys, std::byte* values);

// Joins keys and values into records; the inverse.
void join_records(const RecordShape& shape, const std::byte* keys, const std::byte* values,
                  std::size_t count, std::byte* records);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_SORT_RECORDS_H_
