// SPDX-License-Identifier: Apache-2.0

// How often a worker looks whether its run has been stopped.
#ifndef MILLRACE_BACKENDS_CPU_RUN_POLL_INTERVAL_H_
#define MILLRACE_BACKENDS_CPU_RUN_POLL_INTERVAL_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace millrace::cpu {

// The items that a worker runs between two looks: one at first, then as many as take some ten
// microseconds, so that the clock costs little beside them and a stop is heard of soon.
class Stretch {
 public:
  std::size_t items() const { return items_; }

  // They have been run, or those that were left of a batch.
  void note() {
    const std::uint64_t now = ticks();
    const std::uint64_t passed = now - last_;
    last_ = now;
    if (passed < kShort) {
      items_ = std::min(4 * items_, kMost);
    } else if (passed > kLong) {
      items_ = std::max<std::size_t>(items_ / 4, 1);
    }
  }

 private:
  static constexpr std::size_t kMost = 256;
  static constexpr std::uint64_t kShort = 8'000;
  static constexpr std::uint64_t kLong = 64'000;

  // Some one to two in a nanosecond.
  static std::uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc() / 2;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                      std::chrono::nanoseconds(1));
#endif
  }

  std::size_t items_ = 1;
  std::uint64_t last_ = 0;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_POLL_INTERVAL_H_
