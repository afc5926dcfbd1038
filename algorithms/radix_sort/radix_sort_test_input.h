// SPDX-License-Identifier: Apache-2.0

// RecordBytes for the tests of this folder, and sorts of them.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_TEST_INPUT_H_

#include <millrace/algorithms/radix_sort/key_distribution.h>
#include <millrace/algorithms/radix_sort/radix_sort_reference.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/tests/random/seeded_random.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

namespace millrace::radix_sort {

// A sort without its arrays.
struct TestSort {
  KeyType type = KeyType::kU32;
  std::size_t value_bytes = 0;
  SortOrder order = SortOrder::kAscending;
  bool is_argsort = false;
};

inline std::string to_string(const TestSort& kind) {
  return std::string(to_string(kind.type)) + " keys, " + std::to_string(kind.value_bytes) +
         " bytes of " + (kind.is_argsort ? "indices" : "values") +
         (kind.order == SortOrder::kDescending ? ", descending" : ", ascending");
}

// Every type of keys with every size of values and of indices, in both orders.
inline std::vector<TestSort> all_sort_kinds() {
  std::vector<TestSort> kinds;
  for (const KeyType type : kKeyTypes) {
    for (const SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      for (const std::size_t value_bytes : {0, 4, 8}) {
        kinds.push_back({type, value_bytes, order});
        if (value_bytes > 0) kinds.push_back({type, value_bytes, order, true});
      }
    }
  }
  return kinds;
}

// Keys and values as bytes, `count` of each.
struct RecordBytes {
  std::size_t count = 0;
  std::vector<std::byte> keys;
  std::vector<std::byte> values;

  bool operator==(const RecordBytes&) const = default;
};

// Returns zeros, memory for the result of a sort.
inline RecordBytes empty_records(const TestSort& kind, std::size_t count) {
  return {count, std::vector<std::byte>(key_bytes(kind.type) * count),
          std::vector<std::byte>(kind.value_bytes * count)};
}

// Returns random keys. The value of record i is about i, so that equal keys have different values.
inline RecordBytes random_records(const TestSort& kind, KeyDistribution distribution,
                                  std::size_t count, SeededRandom& random) {
  RecordBytes records = empty_records(kind, count);
  fill_keys(kind.type, distribution, random(), count, records.keys.data());
  const std::uint64_t first_value = random();
  for (std::size_t i = 0; i < records.values.size(); i += kind.value_bytes) {
    const std::uint64_t value = first_value + i;
    std::memcpy(&records.values[i], &value, kind.value_bytes);
  }
  return records;
}

inline SortArguments arguments_for(const TestSort& kind, std::size_t count, const void* keys_in,
                                   const void* values_in, void* keys_out, void* values_out) {
  const bool has_values = kind.value_bytes > 0;
  return {.key_type = kind.type,
          .value_bytes = kind.value_bytes,
          .is_argsort = kind.is_argsort,
          .order = kind.order,
          .count = count,
          .keys_in = keys_in,
          .keys_out = keys_out,
          .values_in = has_values && !kind.is_argsort ? values_in : nullptr,
          .values_out = has_values ? values_out : nullptr};
}

inline RecordBytes sorted_by_reference(const TestSort& kind, const RecordBytes& in) {
  RecordBytes out = empty_records(kind, in.count);
  reference_sort(arguments_for(kind, in.count, in.keys.data(), in.values.data(), out.keys.data(),
                               out.values.data()));
  return out;
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_TEST_INPUT_H_
