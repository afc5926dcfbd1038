// SPDX-License-Identifier: Apache-2.0

// Spans of host memory that belongs to a caller.
#ifndef MILLRACE_ALGORITHMS_IDCT_HOST_SPAN_H_
#define MILLRACE_ALGORITHMS_IDCT_HOST_SPAN_H_

#include <millrace/runtime/core/buffer.h>

#include <cstddef>
#include <span>

namespace millrace::idct {

// Returns a span of `size` elements, which the caller keeps alive until every operation on them has
// finished.
template <class T>
BufferSpan<T> host_span(T* data, std::size_t size) {
  return BufferSpan<T>(std::span<T>(data, size));
}

}  // namespace millrace::idct

#endif  // MILLRACE_ALGORITHMS_IDCT_HOST_SPAN_H_
