// SPDX-License-Identifier: Apache-2.0

// The definition of the sparse codec on one thread: a direct transcription of sparse_format.h.
#ifndef MILLRACE_ALGORITHMS_CODECS_SPARSE_REFERENCE_H_
#define MILLRACE_ALGORITHMS_CODECS_SPARSE_REFERENCE_H_

#include <millrace/algorithms/codecs/sparse_format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace millrace::codecs {

std::vector<std::byte> reference_encode_sparse(std::span<const CoefficientBlock> blocks);

// Returns nothing if the chunk is not one of `count` blocks.
std::optional<std::vector<CoefficientBlock>> reference_decode_sparse(
    std::span<const std::byte> coded, std::size_t count);

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_SPARSE_REFERENCE_H_
