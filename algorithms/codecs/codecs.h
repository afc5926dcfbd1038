// SPDX-License-Identifier: Apache-2.0

// The codecs there are; runtime/stream/codec.h says how one is used. They run on every backend that
// millrace has for their formats: the CPU (SIMD, all threads of the queue) and GPUs.
//
//   codec                     items                        format
//   delta_codec<T>()          sorted u32 or u64            delta_format.h
//   make_bounded_codec(n)     u32 below n, as indices      bounded_format.h
//   sparse_codec()            CoefficientBlock             sparse_format.h
#ifndef MILLRACE_ALGORITHMS_CODECS_CODECS_H_
#define MILLRACE_ALGORITHMS_CODECS_CODECS_H_

#include <cstdint>
#include <memory>

#include <millrace/runtime/stream/codec.h>

namespace millrace::codecs {

// T is std::uint32_t or std::uint64_t, sorted ascending. Uniform keys of 32 bits take 11.8, 8.4 and
// 5.2 bits each where there are 1e7, 1e8 and 1e9 of them. What is not sorted is coded, but becomes
// no smaller.
template <class T>
const Codec& delta_codec();

// Throws kInvalidArgument unless `bound` is in 1..2^32. An item that is not below it is
// CodecError::kNotCodable.
//
// For applications' own indices: argsort's go down raw. Of 1e8 indices 27 bits of 32 are left, and
// the host would take 8.8 ms to decode these and the keys, where coded keys and raw indices take
// the link 9.1 ms (H200, `bench codecs`, docs/results/2026-11-20-gpu-h200.md).
std::unique_ptr<const Codec> make_bounded_codec(std::uint64_t bound);

// Blocks of 256 coefficients, few of which are not zero: 3 bytes for one of zeros, else about 5
// and 2 for each row and 1 for each coefficient that is not zero.
const Codec& sparse_codec();

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CODECS_H_
