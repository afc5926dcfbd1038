// SPDX-License-Identifier: Apache-2.0

// Interleaves two sequences by a mask.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::radix_sort {

// Output i is the next of `early` if bit i % 32 of mask[i / 32] is set, otherwise the next of
// `late`. Both have at least as many values as that takes. T is std::uint32_t or std::uint64_t.
// Thread-safe.
template <class T>
void interleave(const std::uint32_t* mask, std::span<const T> early, std::span<const T> late,
                std::span<T> out);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_
