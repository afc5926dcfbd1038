// SPDX-License-Identifier: Apache-2.0

// Gives a sink what a device has found of the pictures of a stream.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_REPORTER_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_REPORTER_H_

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/stream/frame_store.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace millrace::h264 {

// Reports the pictures of one stream. One thread at a time may call it. StreamEvents::replay()
// calls it in the order of the stream.
class PictureReporter {
 public:
  // The macroblocks of a picture on the device, copied to the host.
  using Download = std::function<void(const DevicePicture&, std::span<Macroblock>)>;

  // The sink must outlive it. With `gives_samples` the sink has the frames, too.
  PictureReporter(FeatureSink& sink, bool gives_samples)
      : sink_(sink), gives_samples_(gives_samples) {}

  // Reports the faults of the slices from `first` to before `end` of a picture.
  void report_slices(const PendingPicture& picture, const FeatureRun::Result& result,
                     std::size_t first, std::size_t end);
  // Reports the features of a picture whose slices are reported. Calls `download` if
  // the extractor needs the macroblocks to follow losses. `samples` are those of the run; they are
  // read if the sink has frames.
  void report(const PendingPicture& picture, const FeatureRun::Result& result,
              const SampleRun& samples, const Download& download);
  void report_inferred(const ParsedPicture& picture);
  void report_output(std::int64_t picture);
  void report_release(std::int64_t picture);

 private:
  void store(const ParsedPicture& picture, const PendingPicture* pending, const SampleRun* samples);

  FeatureSink& sink_;
  const bool gives_samples_;
  FrameFeatureExtractor extractor_;
  FrameStore frames_;  // Until they are output.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_REPORTER_H_
