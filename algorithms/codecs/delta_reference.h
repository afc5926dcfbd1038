// SPDX-License-Identifier: Apache-2.0

// The definition of the delta codec on one thread: a direct transcription of delta_format.h.
#ifndef MILLRACE_ALGORITHMS_CODECS_DELTA_REFERENCE_H_
#define MILLRACE_ALGORITHMS_CODECS_DELTA_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::codecs {

// T is std::uint32_t or std::uint64_t.
template <class T>
std::vector<std::byte> reference_encode_deltas(std::span<const T> values);

// Returns nothing if the chunk is not one of `count` integers.
template <class T>
std::optional<std::vector<T>> reference_decode_deltas(std::span<const std::byte> coded,
                                                      std::size_t count);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_DELTA_REFERENCE_H_
