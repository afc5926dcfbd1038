// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_threads.h>
#include <millrace/tools/command/idct/equal_rows.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace millrace::tools {

bool equal_rows(const std::byte* a, const std::byte* b, const RowShape& shape) {
  constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
  if (shape.bytes == 0) return true;
  const std::size_t piece = std::max<std::size_t>(kPieceBytes / shape.bytes, 1);
  std::atomic<bool> are_equal = true;
  HostThreads::shared().for_each((shape.count + piece - 1) / piece, [&](std::size_t i) {
    const std::size_t end = std::min(shape.count, (i + 1) * piece);
    for (std::size_t row = i * piece; row < end; ++row) {
      const std::size_t offset = row * shape.stride;
      if (std::memcmp(a + offset, b + offset, shape.bytes) != 0) are_equal = false;
    }
  });
  return are_equal;
}

}  // namespace millrace::tools
