// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/black_rows.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

int count_black_rows(std::span<const MacroblockRowSums> rows, int width) {
  if (width <= 0) return 0;
  const std::size_t height = rows.size();
  std::size_t black = 0;
  while (2 * black < height) {
    const std::uint64_t empty = rows[black].empty + rows[height - 1 - black].empty;
    if (5 * empty < std::uint64_t{4} * 2 * static_cast<std::uint64_t>(width)) break;
    ++black;
  }
  return 2 * black >= height ? 0 : static_cast<int>(black);
}

}  // namespace millrace::h264
