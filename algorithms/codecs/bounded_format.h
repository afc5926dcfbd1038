// SPDX-License-Identifier: Apache-2.0

// Bit packing of integers below a bound, such as indices: the format, byte by byte.
//
//   byte  bytes
//      0     32  header (coded_header.h), kind kBounded32, parameter: the bound, 1 to 2^32
//     32         packed blocks (bit_packing.h for 32 bits) of 128 integers each, all of width
//                bits_of(bound - 1), one after another; the last is filled up with zeros
//
// A decoder checks the header and that each integer is below the bound.
#ifndef MILLRACE_ALGORITHMS_CODECS_BOUNDED_FORMAT_H_
#define MILLRACE_ALGORITHMS_CODECS_BOUNDED_FORMAT_H_

#include <millrace/algorithms/codecs/bit_packing.h>
#include <millrace/algorithms/codecs/coded_header.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace millrace::codecs {

struct BoundedFormat {
  using Item = std::uint32_t;
  static constexpr std::string_view kName = "bounded-u32";
  static constexpr CodedKind kKind = CodedKind::kBounded32;

  std::uint64_t bound;

  MILLRACE_FUNCTION constexpr std::uint32_t most() const {
    return static_cast<std::uint32_t>(bound - 1);
  }
  MILLRACE_FUNCTION constexpr int width() const { return bits_of(most()); }

  MILLRACE_FUNCTION static constexpr std::uint64_t blocks(std::uint64_t count) {
    return (count + kBlockValues - 1) / kBlockValues;
  }
  MILLRACE_FUNCTION constexpr std::uint64_t block_offset(std::uint64_t block) const {
    return sizeof(CodedHeader) + block * packed_block_bytes(width());
  }
  MILLRACE_FUNCTION constexpr std::uint64_t coded_bytes(std::uint64_t count) const {
    return block_offset(blocks(count));
  }
  MILLRACE_FUNCTION constexpr CodedHeader header(std::uint64_t count) const {
    return make_header(kKind, count, coded_bytes(count), bound);
  }
  MILLRACE_FUNCTION bool has_header(const std::byte* coded, std::uint64_t bytes,
                                    std::uint64_t count) const {
    return bytes == coded_bytes(count) &&
           codecs::has_header(coded, bytes, kKind, count, bound, bytes);
  }

  std::size_t max_coded_bytes(std::size_t count) const { return coded_bytes(count); }
  static std::size_t scratch_bytes(std::size_t /*count*/) { return 0; }
};

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_BOUNDED_FORMAT_H_
