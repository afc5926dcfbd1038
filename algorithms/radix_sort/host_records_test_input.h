// SPDX-License-Identifier: Apache-2.0

// Random records and sorts of them for tests: in host memory, compared with the reference.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_HOST_RECORDS_TEST_INPUT_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_HOST_RECORDS_TEST_INPUT_H_

#include <millrace/algorithms/radix_sort/radix_sort_reference.h>
#include <millrace/algorithms/radix_sort/sort_arguments.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace millrace::radix_sort {

using Bytes = std::vector<std::byte>;

// Keys and values as bytes.
struct HostRecords {
  Bytes keys;
  Bytes values;

  bool operator==(const HostRecords&) const = default;
};

// Returns keys with `random_bits` random low bits and zeros above, and random values.
inline HostRecords random_records(RecordSize size, std::size_t count, int random_bits,
                                  std::mt19937_64& random) {
  HostRecords records{Bytes(size.key * count), Bytes(size.value * count)};
  const std::uint64_t kept = random_bits >= 64 ? ~0ULL : (1ULL << random_bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t key = random() & kept;
    std::copy_n(reinterpret_cast<const std::byte*>(&key), size.key, &records.keys[size.key * i]);
  }
  for (std::byte& byte : records.values) byte = static_cast<std::byte>(random());
  return records;
}

// A sort without its arrays.
struct SortCase {
  KeyType type = KeyType::kU32;
  std::size_t value_bytes = 0;
  SortOrder order = SortOrder::kAscending;
  bool is_argsort = false;
  bool wants_keys = true;
};

inline SortArguments arguments_for(const SortCase& sort, const HostRecords& in, HostRecords& out) {
  const std::size_t count = in.keys.size() / key_bytes(sort.type);
  out = {Bytes(sort.wants_keys ? in.keys.size() : 0), Bytes(sort.value_bytes * count)};
  return {.key_type = sort.type,
          .value_bytes = sort.value_bytes,
          .is_argsort = sort.is_argsort,
          .order = sort.order,
          .count = count,
          .keys_in = in.keys.data(),
          .keys_out = sort.wants_keys ? out.keys.data() : nullptr,
          .values_in = sort.value_bytes > 0 && !sort.is_argsort ? in.values.data() : nullptr,
          .values_out = sort.value_bytes > 0 ? out.values.data() : nullptr,
          .space = MemorySpace::kHost};
}

inline HostRecords sorted_by_reference(const SortCase& sort, const HostRecords& in) {
  HostRecords out;
  reference_sort(arguments_for(sort, in, out));
  return out;
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_HOST_RECORDS_TEST_INPUT_H_
