// SPDX-License-Identifier: Apache-2.0

// A hash of a set of 3-stars that does not depend on their order.
#ifndef MILLRACE_ALGORITHMS_THREE_STAR_SET_HASH_H_
#define MILLRACE_ALGORITHMS_THREE_STAR_SET_HASH_H_

#include <millrace/algorithms/three_star/point.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/host/splitmix64.h>

#include <cstdint>

namespace millrace::three_star {

// Returns the hash of a 3-star. A set's hash is their sum modulo 2^64.
MILLRACE_FUNCTION constexpr std::uint64_t hash_of(const ThreeStar& star) {
  return splitmix64(std::uint64_t{star.a} << 42 ^ std::uint64_t{star.b} << 21 ^ star.c);
}

}  // namespace millrace::three_star

#endif  // MILLRACE_ALGORITHMS_THREE_STAR_SET_HASH_H_
