// SPDX-License-Identifier: Apache-2.0

// Rejections of bytes that are no chunk of 3-stars.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHECK_CHUNK_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHECK_CHUNK_H_

#include <millrace/runtime/core/check.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

namespace millrace::three_star {

// Throws kInvalidArgument.
[[noreturn]] inline void reject_chunk(const std::string& why) {
  reject("this is no chunk of 3-stars of these points: " + why +
         "; give one that a search of them made");
}

// Throws likewise unless `is_good`.
inline void check_chunk(bool is_good, const char* why) {
  if (!is_good) reject_chunk(why);
}

// Throws likewise unless a chunk has as many 3-stars as its header says.
inline void check_star_count(std::uint64_t found, std::uint64_t promised) {
  if (found == promised) return;
  reject_chunk("it has " + std::to_string(found) + " 3-stars, but its header says " +
               std::to_string(promised));
}

// Returns the header that the chunk begins with. Throws likewise unless there is one, for a chunk
// of this size.
template <class Header>
Header chunk_header_of(std::span<const std::byte> chunk) {
  Header header;
  if (chunk.size() < sizeof header) {
    reject_chunk("it has " + std::to_string(chunk.size()) + " bytes, but its header alone has " +
                 std::to_string(sizeof header));
  }
  std::memcpy(&header, chunk.data(), sizeof header);
  if (header.magic != Header::kMagic) {
    char words[64];
    std::snprintf(words, sizeof words, "its first 4 bytes are %08x, but must be %08x",
                  static_cast<unsigned>(header.magic), static_cast<unsigned>(Header::kMagic));
    reject_chunk(words);
  }
  if (header.bytes != chunk.size()) {
    reject_chunk("it has " + std::to_string(chunk.size()) + " bytes, but its header says " +
                 std::to_string(header.bytes));
  }
  return header;
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_CHUNKS_CHECK_CHUNK_H_
