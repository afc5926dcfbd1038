// SPDX-License-Identifier: Apache-2.0

// Counts the encoded macroblocks of each row, for threads that encode rows side by side.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_PROGRESS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_PROGRESS_H_

#include <millrace/runtime/host/pause_core.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace millrace::h264 {

// A thread that has waited for a number sees all that was written before the number was set.
class PictureProgress {
 public:
  PictureProgress(int columns, int rows)
      : width_(columns),
        interval_(std::max(columns / 16, 1)),
        columns_(static_cast<std::size_t>(rows)) {}

  // No thread may be at work.
  void reset() {
    for (std::atomic<int>& columns : columns_) columns.store(0, std::memory_order_relaxed);
    deblocked_.store(0, std::memory_order_relaxed);
  }

  // Return when `count` macroblocks of a row are encoded, or `rows` rows deblocked.
  void wait_for_columns(int row, int count) {
    wait(columns_[static_cast<std::size_t>(row)], count);
  }
  void wait_for_deblocked(int rows) { wait(deblocked_, rows); }

  // Threads are notified at an interval of macroblocks: to wake one costs more than a macroblock.
  void set_columns(int row, int count) {
    if (count % interval_ != 0 && count != width_) return;
    set(columns_[static_cast<std::size_t>(row)], count);
  }
  void set_deblocked(int rows) { set(deblocked_, rows); }

 private:
  static constexpr int kPolls = 200;  // Some microseconds.

  static void wait(std::atomic<int>& number, int least) {
    for (int poll = 0; poll < kPolls; ++poll) {
      if (number.load(std::memory_order_acquire) >= least) return;
      pause_core();
    }
    for (int now = number.load(std::memory_order_acquire); now < least;
         now = number.load(std::memory_order_acquire)) {
      number.wait(now, std::memory_order_acquire);
    }
  }
  static void set(std::atomic<int>& number, int value) {
    number.store(value, std::memory_order_release);
    number.notify_all();
  }

  const int width_;
  const int interval_;
  std::vector<std::atomic<int>> columns_;  // Indexed by row.
  std::atomic<int> deblocked_ = 0;         // Rows.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_PICTURE_PROGRESS_H_
