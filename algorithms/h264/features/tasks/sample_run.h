// SPDX-License-Identifier: Apache-2.0

// Reconstructs the pictures of a run on the device that has parsed them.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_SAMPLE_RUN_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_SAMPLE_RUN_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/features/tasks/memory/kept_memory.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace millrace::h264 {

// The coefficients of a parsed picture in memory of the device.
struct ParsedCoefficients {
  const CodedCoefficient* list = nullptr;
  const CoefficientRange* ranges = nullptr;  // Indexed by macroblock; lost ones have any.
};

// Memory of one queue that one run after the other uses. One thread at a time may call it.
class SampleRun {
 public:
  // The queue must outlive it.
  explicit SampleRun(Queue& queue) : queue_(queue) {}

  // Returns the bytes of the device that a picture takes in a run, at most.
  static std::size_t bytes_of(const PendingPicture& picture);

  // The pictures of one run, and the memory that they are reconstructed from.
  class Pictures;

  // Writes what the device reads, enqueues its upload, and sets the DeviceSamples of the pictures.
  // They wait for those of the run that they are predicted from. `run` counts the runs;
  // `coefficients` are those of the pictures, which may be parsed later. What it returns must end
  // before this object. Throws kOutOfMemory.
  std::shared_ptr<Pictures> prepare(std::uint64_t run, std::span<PendingPicture* const> pictures,
                                    std::span<const ParsedCoefficients> coefficients,
                                    PictureTasks tasks);

  // The bytes that the run copies to the device, and with `is_given` from it.
  static std::size_t bytes_up(const Pictures& pictures);
  static std::size_t bytes_down(const Pictures& pictures, bool is_given);

  // Reconstructs the pictures, whose macroblocks are parsed. With `is_given` copies the samples to
  // the host, where they are valid until the next run. Throws what run_tasks throws, and
  // kOutOfMemory.
  RunReport run(Pictures& pictures, const RunOptions& options, bool is_given);

  // Returns the planes Y, Cb and Cr of a picture of the last run that were copied to the host, one
  // behind the other.
  std::span<const std::uint8_t> samples(const DeviceSamples& picture) const;

  // See FeatureRun::oldest_within().
  std::uint64_t oldest_within(std::size_t bytes) const { return kept_.oldest_within(bytes); }
  std::uint64_t oldest() const { return kept_.oldest(); }

 private:
  Queue& queue_;
  KeptMemory<std::uint8_t> kept_;
  Buffer<std::uint8_t> grey_;  // Has the size of the largest picture so far.
  // Pinned copies of the samples of the last run, and what they are copies of.
  Buffer<std::uint8_t> host_, host_kept_;
  const void* kept_memory_ = nullptr;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_SAMPLE_RUN_H_
