// SPDX-License-Identifier: Apache-2.0

// Bytes by which a check distinguishes a copy from memory that was not written.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace millrace::tools {

// Fills memory that the host can write.
inline void fill_pattern(Buffer<std::byte>& memory) {
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory.data()[i] = static_cast<std::byte>(i * 7 + i / 4096);
  }
}

// Throws kInternal with the first byte that differs unless `copy`, of as many bytes, has those of
// `original`. The host can read both.
inline void require_equal(std::span<const std::byte> original, std::span<const std::byte> copy) {
  const auto [right, wrong] = std::ranges::mismatch(original, copy);
  if (right == original.end()) return;
  throw Error(ErrorCode::kInternal,
              "byte " + std::to_string(right - original.begin()) + " of the copy is " +
                  std::to_string(std::to_integer<int>(*wrong)) + "; right is " +
                  std::to_string(std::to_integer<int>(*right)));
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_
