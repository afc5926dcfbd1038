// SPDX-License-Identifier: Apache-2.0

// Two sequences woven into one.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::radix_sort {

// Output i is the next of `early` where bit i % 32 of mask[i / 32] is set, else the next of `late`:
// both have at least as many as that takes. T is std::uint32_t or std::uint64_t. Thread-safe.
template <class T>
void interleave(const std::uint32_t* mask, std::span<const T> early, std::span<const T> late,
                std::span<T> out);

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_STREAM_INTERLEAVE_H_
