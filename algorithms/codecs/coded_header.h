// SPDX-License-Identifier: Apache-2.0

// The first 32 bytes of every coded chunk. All numbers are little-endian.
//
//   byte  bytes
//      0      4  "MRC1"
//      4      4  the codec: CodedKind
//      8      8  count of items
//     16      8  bytes of the whole chunk, this header included: a multiple of 16
//     24      8  the codec's parameter; 0 for a codec without one
#ifndef MILLRACE_ALGORITHMS_CODECS_CODED_HEADER_H_
#define MILLRACE_ALGORITHMS_CODECS_CODED_HEADER_H_

#include <millrace/runtime/core/target_function.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace::codecs {

enum class CodedKind : std::uint32_t {
  kDelta32 = 1,
  kDelta64 = 2,
  kBounded32 = 3,
  kSparse16 = 4,
};

struct CodedHeader {
  std::uint32_t magic;
  CodedKind kind;
  std::uint64_t count;
  std::uint64_t bytes;
  std::uint64_t parameter;
};
static_assert(sizeof(CodedHeader) == 32 && std::endian::native == std::endian::little);

inline constexpr std::uint32_t kCodedMagic = 0x3143524D;

// Alignment, in bytes, of everything in a chunk.
inline constexpr std::size_t kCodedUnit = 16;

MILLRACE_FUNCTION constexpr std::size_t round_up_to_unit(std::size_t bytes) {
  return (bytes + kCodedUnit - 1) / kCodedUnit * kCodedUnit;
}

MILLRACE_FUNCTION constexpr CodedHeader make_header(CodedKind kind, std::uint64_t count,
                                                    std::uint64_t bytes,
                                                    std::uint64_t parameter = 0) {
  return {kCodedMagic, kind, count, bytes, parameter};
}

// Returns true if a chunk of `available` bytes begins with a header of that kind, count and
// parameter, and has at least `least_bytes`. Reads nothing outside of the chunk.
MILLRACE_FUNCTION inline bool has_header(const std::byte* coded, std::uint64_t available,
                                         CodedKind kind, std::uint64_t count,
                                         std::uint64_t parameter, std::uint64_t least_bytes) {
  if (available < sizeof(CodedHeader) || available < least_bytes) return false;
  const auto& header = *reinterpret_cast<const CodedHeader*>(coded);
  return header.magic == kCodedMagic && header.kind == kind && header.count == count &&
         header.bytes == available && header.parameter == parameter;
}

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_CODED_HEADER_H_
