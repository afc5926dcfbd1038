// SPDX-License-Identifier: Apache-2.0

// Packed blocks of bounded integers (bounded_format.h) on one CPU thread, with the processor's best
// SIMD instructions. The functions keep no state, so any thread may call them.
#ifndef MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_
#define MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_

#include <millrace/algorithms/codecs/bounded_format.h>
#include <millrace/backends/cpu/host/stores.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::codecs {

using cpu::Stores;

// Writes the blocks of `values`. Returns true if all integers are below the bound.
bool encode_bounded(const BoundedFormat& format, std::span<const std::uint32_t> values,
                    std::byte* blocks);

// Reads values.size() integers, whose blocks are all of `blocks`. Returns true if all are below the
// bound. kStreaming has an effect only if `values` is aligned to 64 bytes.
bool decode_bounded(const BoundedFormat& format, std::span<const std::byte> blocks,
                    std::span<std::uint32_t> values, Stores stores);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CPU_BOUNDED_SIMD_H_
