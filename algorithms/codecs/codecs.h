// SPDX-License-Identifier: Apache-2.0

// The available codecs; runtime/stream/codec.h describes how to use one. They run on every backend
// that implements their formats: the CPU (SIMD, all threads of the queue) and GPUs.
//
//   codec                     items                        format
//   delta_codec<T>()          sorted u32 or u64            delta_format.h
//   make_bounded_codec(n)     u32 below n, as indices      bounded_format.h
//   sparse_codec()            CoefficientBlock             sparse_format.h
#ifndef MILLRACE_ALGORITHMS_CODECS_CODECS_H_
#define MILLRACE_ALGORITHMS_CODECS_CODECS_H_

#include <millrace/runtime/stream/codec.h>

#include <cstdint>
#include <memory>

namespace millrace::codecs {

// Returns the codec of sorted integers; T is std::uint32_t or std::uint64_t. Uniform keys of 32
// bits take 11.8, 8.4 and 5.2 bits each in arrays of 1e7, 1e8 and 1e9. Integers that are not sorted
// are coded too, but do not become smaller.
template <class T>
const Codec& delta_codec();

// Returns the codec of integers below `bound`. Throws kInvalidArgument unless `bound` is in
// 1..2^32. An item that is not below it is CodecError::kNotCodable.
//
// For indices of applications. argsort downloads its indices raw: coding 1e8 of them saves 5 bits
// of 32, and the host would take 8.8 ms to decode them and the keys, while the link takes 9.1 ms
// for coded keys and raw indices (H200, docs/experiments/code_keys_on_the_link.md).
std::unique_ptr<const Codec> make_bounded_codec(std::uint64_t bound);

// Returns the codec of blocks of 256 coefficients, most of which are zero. A block of zeros takes 3
// bytes; any other takes about 5, plus 2 per row and 1 per coefficient that is not zero.
const Codec& sparse_codec();

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CODECS_H_
