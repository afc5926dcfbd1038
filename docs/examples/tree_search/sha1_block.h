// SPDX-License-Identifier: Apache-2.0

// SHA-1 (FIPS 180-4) of messages that fit one block, as a hash of random numbers; not for
// cryptography.
//
//   std::uint32_t block[16] = {0x61626380};  // "abc" and a bit 1.
//   block[15] = 24;                          // The message's length in bits.
//   const Sha1Digest digest = sha1_of_block(block);
#ifndef MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_SHA1_BLOCK_H_
#define MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_SHA1_BLOCK_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::examples {

// 20 bytes as big-endian words.
struct Sha1Digest {
  std::uint32_t words[5];

  friend bool operator==(const Sha1Digest&, const Sha1Digest&) = default;
};

namespace sha1 {

MILLRACE_FUNCTION inline std::uint32_t rotate_left(std::uint32_t word, int bits) {
  return (word << bits) | (word >> (32 - bits));
}

// The function and the constant of 20 of the 80 rounds.
template <int kPhase>
MILLRACE_FUNCTION std::uint32_t mix(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if constexpr (kPhase == 0) return 0x5A827999 + (d ^ (b & (c ^ d)));
  if constexpr (kPhase == 1) return 0x6ED9EBA1 + (b ^ c ^ d);
  if constexpr (kPhase == 2) return 0x8F1BBCDC + ((b & c) | (d & (b | c)));
  return 0xCA62C1D6 + (b ^ c ^ d);
}

// `words` are the 16 latest of the message schedule.
template <int kPhase>
MILLRACE_FUNCTION void run_rounds(std::uint32_t (&state)[5], std::uint32_t (&words)[16]) {
  for (unsigned i = 20 * kPhase; i < 20 * (kPhase + 1); ++i) {
    std::uint32_t& word = words[i % 16];
    if (i >= 16) {
      word =
          rotate_left(words[(i + 13) % 16] ^ words[(i + 8) % 16] ^ words[(i + 2) % 16] ^ word, 1);
    }
    const std::uint32_t first =
        rotate_left(state[0], 5) + state[4] + word + mix<kPhase>(state[1], state[2], state[3]);
    state[4] = state[3];
    state[3] = state[2];
    state[2] = rotate_left(state[1], 30);
    state[1] = state[0];
    state[0] = first;
  }
}

}  // namespace sha1

// Returns the digest of the message that is padded in `block`, which is overwritten.
MILLRACE_FUNCTION inline Sha1Digest sha1_of_block(std::uint32_t (&block)[16]) {
  constexpr std::uint32_t kInitial[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476,
                                         0xC3D2E1F0};
  std::uint32_t state[5] = {kInitial[0], kInitial[1], kInitial[2], kInitial[3], kInitial[4]};
  sha1::run_rounds<0>(state, block);
  sha1::run_rounds<1>(state, block);
  sha1::run_rounds<2>(state, block);
  sha1::run_rounds<3>(state, block);
  return {{kInitial[0] + state[0], kInitial[1] + state[1], kInitial[2] + state[2],
           kInitial[3] + state[3], kInitial[4] + state[4]}};
}

}  // namespace millrace::examples

#endif  // MILLRACE_DOCS_EXAMPLES_TREE_SEARCH_SHA1_BLOCK_H_
