// SPDX-License-Identifier: Apache-2.0

// Features of many H.264 streams, whose slices a device parses, many streams in one run. The bits
// are uploaded and the sums of features downloaded; macroblocks and coefficients stay on the
// device. Where samples are wanted, the device reconstructs the pictures, too.
//
//   FeatureStreams streams(*queue);
//   const auto stream = streams.open(sink);  // One for each stream, each with its own sink.
//   stream->push_nal_unit(bytes);            // For some NAL units of each stream, in order.
//   streams.run();                           // The sinks have the pictures that ended.
//   ...
//   stream->finish();                        // At the end of each stream.
//   streams.run();
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_STREAMS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_STREAMS_H_

#include <millrace/algorithms/h264/features/frame_features.h>
#include <millrace/algorithms/h264/features/tasks/stream_samples.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruct_on.h>
#include <millrace/algorithms/h264/stream/decoded_frame.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace millrace::h264 {

class PictureScheduler;

// Receives the features and faults of one stream, in decoding order. run() calls it: by one thread
// at a time for each stream, and by several threads for several streams.
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  // Takes the features of a picture. Inferred pictures have none.
  virtual void add(const FrameFeatures& features) = 0;
  virtual void fault(const StreamFault& fault) = 0;
  // With StreamSamples::kGiven, takes the next frame in output order. Its features came earlier,
  // and only they have its damage: `frame.damage` is not set.
  virtual void frame(const DecodedFrame& frame) { static_cast<void>(frame); }
  // Called once no later picture refers to this one, and after its output if it is output.
  virtual void release(std::int64_t picture) { static_cast<void>(picture); }
};

struct FeatureStreamsOptions {
  // The most device memory of one run, in bytes. A single larger picture may exceed it; pictures
  // that do not fit wait for the next run. Macroblocks of earlier runs, which B slices may read,
  // take at most twice as much beside it, and so do samples. 0: a sixteenth of the device's memory.
  std::size_t device_bytes = 0;
  // Pictures that a warp parses at a time, each by a lane, at most 32; 0: by their number. Lanes
  // that parse different slices wait for each other at each branch, so fewer of them are faster
  // where the pictures do not fill all warps.
  int pictures_a_warp = 0;
  StreamSamples samples = StreamSamples::kNone;
  PictureTasks picture_tasks = PictureTasks::kByCount;  // Applies where samples are decoded.
  RunOptions run = {};
};

// One stream. One thread at a time may call it, and none during run(). What is pushed stays in host
// memory until a run has parsed it. It never throws because of a stream's contents: the sink
// receives the faults.
class FeatureStream {
 public:
  virtual ~FeatureStream() = default;

  // See StreamParser.
  virtual void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte = 0,
                             int framing_bytes = 4) = 0;
  virtual void note_loss(int count = 0) = 0;
  virtual void finish() = 0;

  // Slices and bytes of pictures that have ended and wait for a run.
  virtual std::size_t pending_slices() const = 0;
  virtual std::size_t pending_bytes() const = 0;

  // Returns the counts from the beginning of the stream on, as StreamParser::missing().
  virtual MissingPictures missing() const = 0;
};

// Counts what one call of run() did.
struct FeatureStreamsReport {
  std::int64_t runs = 0;  // Runs of tasks on the device.
  std::int64_t pictures = 0;
  std::int64_t slices = 0;
  std::int64_t payload_bytes = 0;
  std::int64_t macroblocks = 0;
  std::int64_t bytes_up = 0;    // Copied to the device,
  std::int64_t bytes_down = 0;  // and from it.
  // The phases of its time.
  double writing_seconds = 0;    // Writing what the device reads.
  double device_seconds = 0;     // Copies to the device and back, and tasks, as the host waits.
  double task_seconds = 0;       // Tasks alone that parse and measure.
  double sample_seconds = 0;     // Tasks alone that reconstruct.
  double reporting_seconds = 0;  // Features of pictures, and calls of the sinks.

  FeatureStreamsReport& operator+=(const FeatureStreamsReport& other);
};

// Streams that one queue serves.
class FeatureStreams {
 public:
  // The queue must outlive this object.
  explicit FeatureStreams(Queue& queue, const FeatureStreamsOptions& options = {});
  ~FeatureStreams();
  FeatureStreams(const FeatureStreams&) = delete;
  FeatureStreams& operator=(const FeatureStreams&) = delete;

  // The sink must outlive the stream, and the stream must end before this object. Any thread may
  // open and destroy streams, but not during run().
  std::unique_ptr<FeatureStream> open(FeatureSink& sink);

  // Parses and measures all pictures that have ended. The sinks get their features and the faults
  // before them. Both are the same as those of a StreamParser with a FrameFeatureExtractor, and
  // frames are the same to the bit as those of a Decoder. Throws what run_tasks throws,
  // kOutOfMemory, and the first exception of a sink. After an exception, streams that are open can
  // only be destroyed.
  FeatureStreamsReport run();

 private:
  std::unique_ptr<PictureScheduler> scheduler_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_STREAMS_H_
