// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/picture_queue.h>
#include <millrace/algorithms/h264/features/tasks/picture_scheduler.h>

#include <memory>

namespace millrace::h264 {

FeatureStreamsReport& FeatureStreamsReport::operator+=(const FeatureStreamsReport& other) {
  runs += other.runs;
  pictures += other.pictures;
  slices += other.slices;
  payload_bytes += other.payload_bytes;
  macroblocks += other.macroblocks;
  bytes_up += other.bytes_up;
  bytes_down += other.bytes_down;
  writing_seconds += other.writing_seconds;
  device_seconds += other.device_seconds;
  task_seconds += other.task_seconds;
  sample_seconds += other.sample_seconds;
  reporting_seconds += other.reporting_seconds;
  return *this;
}

FeatureStreams::FeatureStreams(Queue& queue, const FeatureStreamsOptions& options)
    : scheduler_(std::make_unique<PictureScheduler>(queue, options)) {}

FeatureStreams::~FeatureStreams() = default;

std::unique_ptr<FeatureStream> FeatureStreams::open(FeatureSink& sink) {
  return std::make_unique<PictureQueue>(*scheduler_, sink);
}

FeatureStreamsReport FeatureStreams::run() { return scheduler_->run(); }

}  // namespace millrace::h264
