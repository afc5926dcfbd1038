// SPDX-License-Identifier: Apache-2.0

// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), as a
// hash and as a generator of random numbers. Both give the same numbers on every processor.
//
//   const std::uint64_t child = splitmix64(parent + index);  // An unbalanced tree without memory.
//
//   SplitMix64 random(seed);
//   const std::uint32_t slot = random.below(slots);
//
// The numbers are not for cryptography.
#ifndef MILLRACE_RUNTIME_HOST_SPLITMIX64_H_
#define MILLRACE_RUNTIME_HOST_SPLITMIX64_H_

#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace {

// Distance between successive states, 2^64 divided by the golden ratio.
inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15;

// Returns the output that follows `state`. As a hash it is a bijection of 64 bits.
MILLRACE_FUNCTION constexpr std::uint64_t splitmix64(std::uint64_t state) {
  state += kSplitMixStep;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

// A generator with a state of 64 bits and a period of 2^64. Not thread-safe.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

  // Returns the next number, uniform in [0, 2^64).
  constexpr std::uint64_t next() {
    const std::uint64_t number = splitmix64(state_);
    state_ += kSplitMixStep;
    return number;
  }

  // Returns a number in [0, bound). The bias is at most bound / 2^32.
  constexpr std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_SPLITMIX64_H_
