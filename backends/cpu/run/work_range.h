// SPDX-License-Identifier: Apache-2.0

// A range of root items that one worker owns and others steal from.
#ifndef MILLRACE_BACKENDS_CPU_RUN_WORK_RANGE_H_
#define MILLRACE_BACKENDS_CPU_RUN_WORK_RANGE_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace millrace::cpu {

// Lock-free: begin and end, the whole state, are in one word. The owner takes items from the front;
// thieves take half from the back.
class WorkRange {
 public:
  struct Items {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool empty() const { return begin == end; }
  };

  bool empty() const { return unpack(word_.load(std::memory_order_relaxed)).empty(); }

  std::size_t size() const {
    const Items all = unpack(word_.load(std::memory_order_relaxed));
    return all.end - all.begin;
  }

  // Called by the owner when the range is empty.
  void assign(Items items) { word_.store(pack(items), std::memory_order_release); }

  // Takes an eighth of the rest, at most kMaxTaken items: large pieces while much is left, single
  // items at the end, where balance matters.
  Items take() {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    for (;;) {
      const Items all = unpack(word);
      const std::uint32_t count = all.end - all.begin;
      if (count == 0) return {};
      const std::uint32_t taken = std::clamp<std::uint32_t>(count / 8, 1, kMaxTaken);
      const Items rest = {all.begin + taken, all.end};
      if (word_.compare_exchange_weak(word, pack(rest), std::memory_order_acq_rel)) {
        return {all.begin, all.begin + taken};
      }
    }
  }

  // Takes all items that are left.
  Items take_all() { return unpack(word_.exchange(0, std::memory_order_acq_rel)); }

  // Takes the last half, rounded up.
  Items steal() {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    for (;;) {
      const Items all = unpack(word);
      if (all.empty()) return {};
      const std::uint32_t middle = all.begin + (all.end - all.begin) / 2;
      if (word_.compare_exchange_weak(word, pack({all.begin, middle}), std::memory_order_acq_rel)) {
        return {middle, all.end};
      }
    }
  }

 private:
  static constexpr std::uint32_t kMaxTaken = 1024;

  static std::uint64_t pack(Items items) { return std::uint64_t{items.begin} << 32 | items.end; }
  static Items unpack(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }

  std::atomic<std::uint64_t> word_ = 0;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_RUN_WORK_RANGE_H_
