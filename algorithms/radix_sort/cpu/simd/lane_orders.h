// SPDX-License-Identifier: Apache-2.0

// Orders in which chosen lanes of a vector of 32 bytes come first.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_LANE_ORDERS_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_LANE_ORDERS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace millrace::radix_sort {

// The numbers of the vector's eight lanes of 4 bytes.
using LaneOrder = std::array<std::uint8_t, 8>;

// Returns the order for each mask of chosen lanes of sizeof(K) bytes: chosen lanes, then the
// others, both as they were.
template <class K>
constexpr auto make_lane_orders() {
  constexpr std::size_t kWords = sizeof(K) / 4;
  constexpr std::size_t kLanes = 8 / kWords;
  std::array<LaneOrder, std::size_t{1} << kLanes> orders{};
  for (std::size_t mask = 0; mask < orders.size(); ++mask) {
    std::size_t next = 0;
    for (const std::size_t is_chosen : {1, 0}) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if ((mask >> lane & 1) != is_chosen) continue;
        for (std::size_t word = 0; word < kWords; ++word) {
          orders[mask][next++] = static_cast<std::uint8_t>(kWords * lane + word);
        }
      }
    }
  }
  return orders;
}

template <class K>
inline constexpr auto kLaneOrders = make_lane_orders<K>();

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_SIMD_LANE_ORDERS_H_
