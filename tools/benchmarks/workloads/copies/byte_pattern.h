// SPDX-License-Identifier: Apache-2.0

// Bytes by which a check tells a copy from memory that was not written.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_

#include <cstddef>
#include <cstring>

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

namespace millrace::tools {

// Fills memory that the host can write.
inline void fill_pattern(Buffer<std::byte>& memory) {
  for (std::size_t i = 0; i < memory.size(); ++i) {
    memory.data()[i] = static_cast<std::byte>(i * 7 + i / 4096);
  }
}

// Throws kInternal unless both, which the host can read, have the same bytes.
inline void require_equal(const Buffer<std::byte>& from, const Buffer<std::byte>& to) {
  if (std::memcmp(from.data(), to.data(), from.size()) == 0) return;
  throw Error(ErrorCode::kInternal, "the copy differs");
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_COPIES_BYTE_PATTERN_H_
