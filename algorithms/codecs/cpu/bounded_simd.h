// SPDX-License-Identifier: Apache-2.0

// Packed blocks of bounded integers (bounded_format.h) on one CPU thread, with the processor's best
// SIMD instructions. The functions keep no state: any thread may call them.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_

#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/algorithms/codecs/cpu/stores.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::codecs {

// Writes the blocks that values.size() integers take; whether all are below the bound.
bool encode_bounded(const BoundedFormat& format, std::span<const std::uint32_t> values,
                    std::byte* blocks);

// Reads the blocks of values.size() integers, which are all of `blocks`; whether all are below the
// bound. kStreaming is heeded when `values` is aligned to 64 bytes.
bool decode_bounded(const BoundedFormat& format, std::span<const std::byte> blocks,
                    std::span<std::uint32_t> values, Stores stores);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_
