// SPDX-License-Identifier: Apache-2.0

// The scheduler's random numbers: fast, small, and the same on every platform.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_RANDOM_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_RANDOM_H_

#include <cstdint>

namespace millrace::simt {

// splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  // Returns a number in [0, bound).
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_RANDOM_H_
