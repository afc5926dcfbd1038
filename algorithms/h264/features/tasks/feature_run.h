// SPDX-License-Identifier: Apache-2.0

// Runs the tasks of pending pictures on a device, and gives their sums.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_RUN_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_RUN_H_

#include <millrace/algorithms/h264/entropy/cabac/cabac_tables.h>
#include <millrace/algorithms/h264/entropy/cavlc/cavlc_tables.h>
#include <millrace/algorithms/h264/entropy/level_scales.h>
#include <millrace/algorithms/h264/entropy/scan_order.h>
#include <millrace/algorithms/h264/entropy/tasks/parsed_slice_end.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/features/tasks/memory/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/sample_run.h>
#include <millrace/algorithms/h264/features/tasks/stream_samples.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace millrace::h264 {

struct FeatureRunOptions {
  // These are the members of FeatureStreamsOptions.
  int pictures_a_warp = 0;
  StreamSamples samples = StreamSamples::kNone;
  PictureTasks picture_tasks = PictureTasks::kByCount;
  RunOptions run = {};
};

struct FeatureRunReport {
  RunReport tasks;           // Report of the tasks that parse and measure.
  RunReport reconstruction;  // Empty, if samples are not wanted.
  std::size_t slices = 0;
  std::size_t payload_bytes = 0;
  std::size_t macroblocks = 0;
  std::size_t bytes_up = 0;    // Copied to the device: bits, parameters and tables.
  std::size_t bytes_down = 0;  // Copied from it: sums, ends of slices, samples that are given.
  double writing_seconds = 0;  // Time on the host before the device has work.
  double device_seconds = 0;   // Until the results are on the host.
};

// Memory of one queue that one run after the other uses. One thread at a time may call it.
class FeatureRun {
 public:
  // The results of a run for one picture. The memory belongs to the run and is valid until the next
  // one.
  struct Result {
    std::span<const ParsedSliceEnd> ends;  // Indexed by slice; 0 for one that could not be parsed.
    const PictureSums* sums = nullptr;
    std::span<const MacroblockRowSums> rows;
  };

  // The queue must outlive it.
  explicit FeatureRun(Queue& queue);
  ~FeatureRun();

  SampleRun& samples() { return samples_; }
  const SampleRun& samples() const { return samples_; }

  // Sets the summary of a picture that has all its slices.
  static void summarise(PendingPicture& picture);

  // Parses and measures the pictures, reconstructs those whose samples are wanted, and returns when
  // that has ended. The pictures of a stream
  // are in decoding order. Sets their DevicePictures. Throws what run_tasks throws, and
  // kOutOfMemory.
  FeatureRunReport run(std::span<PendingPicture* const> pictures, const FeatureRunOptions& options);

  Result result(std::size_t picture) const;
  // Counts the runs from 1 on.
  std::uint64_t number() const { return number_; }
  // Copies the macroblocks of a picture from the device, and waits.
  void download(const DevicePicture& picture, std::span<Macroblock> macroblocks);
  // Bounds the memory of earlier runs: pictures of runs before the oldest that fits in `bytes` are
  // moved to memory of their own by move_out() (memory/kept_memory.h).
  std::uint64_t oldest_within(std::size_t bytes) const { return kept_.oldest_within(bytes); }
  std::uint64_t oldest() const { return kept_.oldest(); }

 private:
  class Writer;
  struct Arrays;

  Queue& queue_;
  Buffer<CabacTables> cabac_;
  Buffer<CavlcTables> cavlc_;
  Buffer<ScanOffsets> scans_;
  std::unique_ptr<Arrays> arrays_;  // Arrays of the last run. The next one uses their memory.
  Buffer<std::byte> results_;       // Pinned.
  // Offsets in the results.
  std::size_t ends_ = 0, sums_ = 0, rows_ = 0;
  KeptMemory<Macroblock> kept_;
  SampleRun samples_;
  std::uint64_t number_ = 0;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_RUN_H_
