// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort_reference.h>

#include <algorithm>
#include <compare>
#include <numeric>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Returns the indices of the keys in sorted order.
template <class K>
std::vector<std::size_t> sorted_indices(const SortArguments& arguments) {
  const auto* const keys = static_cast<const K*>(arguments.keys_in);
  std::vector<std::size_t> indices(arguments.count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const bool is_descending = arguments.order == SortOrder::kDescending;
  // std::strong_order of floating-point numbers is the totalOrder of IEEE 754.
  std::stable_sort(indices.begin(), indices.end(), [=](std::size_t a, std::size_t b) {
    const auto order = std::strong_order(keys[a], keys[b]);
    return is_descending ? order > 0 : order < 0;
  });
  return indices;
}

std::vector<std::size_t> sorted_indices(const SortArguments& arguments) {
  switch (arguments.key_type) {
    case KeyType::kU32: return sorted_indices<std::uint32_t>(arguments);
    case KeyType::kU64: return sorted_indices<std::uint64_t>(arguments);
    case KeyType::kI32: return sorted_indices<std::int32_t>(arguments);
    case KeyType::kI64: return sorted_indices<std::int64_t>(arguments);
    case KeyType::kF32: return sorted_indices<float>(arguments);
    case KeyType::kF64: return sorted_indices<double>(arguments);
    default: return {};  // Narrow keys have a reference of their own (digit_sort_test.cc).
  }
}

// Elements are moved as integers of their size: as numbers, some NaNs would change.
template <class T>
void gather(const void* in, const std::vector<std::size_t>& indices, void* out) {
  std::vector<T> gathered(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    gathered[i] =
        in == nullptr ? static_cast<T>(indices[i]) : static_cast<const T*>(in)[indices[i]];
  }
  std::copy(gathered.begin(), gathered.end(), static_cast<T*>(out));
}

void gather(const void* in, std::size_t bytes, const std::vector<std::size_t>& indices, void* out) {
  if (bytes == 4) {
    gather<std::uint32_t>(in, indices, out);
  } else {
    gather<std::uint64_t>(in, indices, out);
  }
}

}  // namespace

void reference_sort(const SortArguments& arguments) {
  const auto indices = sorted_indices(arguments);
  if (arguments.value_bytes > 0) {
    gather(arguments.values_in, arguments.value_bytes, indices, arguments.values_out);
  }
  if (arguments.keys_out != nullptr) {
    gather(arguments.keys_in, key_bytes(arguments.key_type), indices, arguments.keys_out);
  }
}

}  // namespace millrace::radix_sort
