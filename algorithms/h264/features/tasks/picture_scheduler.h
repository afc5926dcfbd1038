// SPDX-License-Identifier: Apache-2.0

// Chooses the pictures of each run, of all streams, and runs them on a device.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_SCHEDULER_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_SCHEDULER_H_

#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/memory/scaling_pool.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/stream_samples.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace millrace::h264 {

class PictureQueue;

// The streams of a FeatureStreams share it. Which thread may call what is as in FeatureStreams.
class PictureScheduler {
 public:
  PictureScheduler(Queue& queue, const FeatureStreamsOptions& options)
      : options_(options),
        device_bytes_(options.device_bytes > 0 ? options.device_bytes
                                               : queue.device().info().memory_bytes / 16),
        queue_(queue),
        run_(queue) {}

  void add(PictureQueue& stream);
  void remove(const PictureQueue& stream);
  // Makes run() report what the stream has found besides pictures.
  void add_unreported(PictureQueue& stream) {
    const std::lock_guard lock(mutex_);
    unreported_.push_back(&stream);
  }
  FeatureStreamsReport run();
  bool wants_samples() const { return options_.samples != StreamSamples::kNone; }
  ScalingPool& scalings() { return scalings_; }
  bool gives_samples() const { return options_.samples == StreamSamples::kGiven; }

  // Copies macroblocks of a damaged stream; several threads may call it.
  void download(const DevicePicture& picture, std::span<Macroblock> macroblocks) {
    const std::lock_guard lock(mutex_);
    run_.download(picture, macroblocks);
  }

 private:
  // The pictures of one stream in a run.
  struct StreamPictures {
    PictureQueue* stream;
    std::size_t first;  // Among the pictures of the run.
    std::size_t count;
  };

  void choose_pictures();
  bool run_some(FeatureStreamsReport& report);

  static constexpr std::size_t kPiece = 64;  // Number of streams that a thread examines at a time.
  static constexpr std::size_t kAhead = 4;   // Number of streams from one to that which is fetched.

  const FeatureStreamsOptions options_;
  const std::size_t device_bytes_;
  Queue& queue_;
  FeatureRun run_;
  ScalingPool scalings_;
  std::mutex mutex_;
  std::vector<PictureQueue*> streams_;
  std::size_t first_ = 0;                  // Index of the stream that the next run begins with.
  std::vector<PictureQueue*> unreported_;  // Queues with events that may belong to no picture.
  // Streams and pictures of the current run.
  std::vector<StreamPictures> chosen_;
  std::vector<PendingPicture*> pictures_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_SCHEDULER_H_
