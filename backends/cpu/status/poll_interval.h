// SPDX-License-Identifier: Apache-2.0

// The interval at which a worker polls for a stop of its run.
#ifndef MILLRACE_BACKENDS_CPU_STATUS_POLL_INTERVAL_H_
#define MILLRACE_BACKENDS_CPU_STATUS_POLL_INTERVAL_H_

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace millrace::cpu {

// The number of items that a worker runs between two polls. It is one at first, and then adapts so
// that an interval takes about ten microseconds: the clock costs little beside the items, and a
// stop is noticed soon.
class PollInterval {
 public:
  std::size_t items() const { return items_; }

  // Called after these items, or the rest of a batch, have run. Adapts the interval.
  void adapt() {
    const std::uint64_t now = ticks();
    const std::uint64_t passed = now - last_;
    last_ = now;
    if (passed < kShort) {
      items_ = std::min(4 * items_, kMax);
    } else if (passed > kLong) {
      items_ = std::max<std::size_t>(items_ / 4, 1);
    }
  }

 private:
  static constexpr std::size_t kMax = 256;
  static constexpr std::uint64_t kShort = 8'000;
  static constexpr std::uint64_t kLong = 64'000;

  // Returns a time with one to two ticks per nanosecond.
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

#endif  // MILLRACE_BACKENDS_CPU_STATUS_POLL_INTERVAL_H_
