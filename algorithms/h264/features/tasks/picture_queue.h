// SPDX-License-Identifier: Apache-2.0

// The queue of one stream's pictures whose headers are parsed and whose slices wait for a run.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_QUEUE_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_QUEUE_H_

#include <millrace/algorithms/h264/features/picture_order_step.h>
#include <millrace/algorithms/h264/features/tasks/event_replay.h>
#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/picture_reporter.h>
#include <millrace/algorithms/h264/features/tasks/picture_scheduler.h>
#include <millrace/algorithms/h264/features/tasks/stream_events.h>
#include <millrace/algorithms/h264/features/tasks/stream_references.h>
#include <millrace/algorithms/h264/features/tasks/stream_scalings.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/prefetch_object.h>
#include <millrace/algorithms/h264/stream/slice_collector.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace millrace::h264 {

// The parser parses headers alone, as NAL units arrive. The queue collects the bits that the device
// needs, and keeps the rest as events. Once the device has parsed the slices of a picture, the
// queue reports the events up to there, with the ends of those slices.
class PictureQueue final : public FeatureStream, private PictureSink, private SliceCollector {
 public:
  // Adds the queue to the scheduler. The scheduler and the sink must outlive the queue.
  PictureQueue(PictureScheduler& scheduler, FeatureSink& sink);
  ~PictureQueue() override;

  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                     int framing_bytes) override;
  void note_loss(int count) override { parser_.note_loss(count); }
  void finish() override;
  std::size_t pending_slices() const override;
  std::size_t pending_bytes() const override;
  MissingPictures missing() const override { return parser_.missing(); }

  // Index among the queues of the scheduler.
  std::size_t index() const { return index_; }
  void set_index(std::size_t index) { index_ = index; }
  bool is_unreported() const { return is_unreported_; }

  // The pictures that wait for a run, or the first ones of them.
  struct Waiting {
    std::size_t count = 0;
    std::size_t bytes = 0;  // Bytes of device memory.
  };
  const Waiting& waiting() const { return waiting_; }
  // Returns those that fit in `bytes`; with `takes_one` the first one in any case.
  Waiting waiting_within(std::size_t bytes, bool takes_one) const {
    Waiting some;
    for (const std::unique_ptr<PendingPicture>& picture : ended_) {
      const std::size_t next = some.bytes + picture->summary.bytes;
      if (next > bytes && !(takes_one && some.count == 0)) break;
      ++some.count;
      some.bytes = next;
    }
    return some;
  }

  // Fetches what report() uses.
  void prefetch() const {
    events_.prefetch();
    if (ended_.empty()) return;
    const PendingPicture& picture = *ended_.front();
    prefetch_object(picture);
  }

  // Adds the first pictures to a run.
  void add_to(std::span<PendingPicture*> pictures);
  // Reports the first `count` pictures, whose results are those of the run from `first` on.
  void report(const FeatureRun& run, std::size_t first, std::size_t count);
  // Reports the events before the next picture. The pictures that have ended are reported.
  void report_rest();
  // Moves what later pictures may read out of the memory of runs before the oldest ones.
  void move_out(Queue& queue, std::uint64_t oldest, std::uint64_t oldest_samples);

 private:
  // Take what the parser finds.
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override;
  void output(std::int64_t picture) override;
  void release(std::int64_t picture) override;
  void fault(const StreamFault& fault) override;
  void collect(ParsedPicture& picture, int index, const SliceBits& bits) override;

  void note_unreported();
  void begin_collected(const ParsedPicture& picture);
  // Keep memory that is no longer needed, for later pictures.
  void recycle(std::unique_ptr<PendingPicture> picture);
  void recycle(std::shared_ptr<DevicePicture> device);
  // Drops the scaling lists of no slice that waits.
  void drop_scalings();
  std::shared_ptr<const DevicePicture> find_kept(std::int64_t picture) const;
  void replay_events(const EventReplay::Pictures& pictures);

  // A stream that waited long has no more memory afterwards than others.
  static constexpr std::size_t kMostSpare = 4;
  static constexpr std::size_t kMostSpareDevices = 20;

  PictureScheduler& scheduler_;
  std::size_t index_ = 0;
  Waiting waiting_;
  std::vector<std::unique_ptr<PendingPicture>> ended_;
  std::unique_ptr<PendingPicture> collected_;  // The parser's current picture.
  StreamEvents events_;
  // Keyed by ParsedPicture::id.
  std::vector<std::pair<std::int64_t, std::shared_ptr<DevicePicture>>> kept_;
  // Without slices, and without memory of the device.
  std::vector<std::unique_ptr<PendingPicture>> spare_;
  std::vector<std::shared_ptr<DevicePicture>> spare_devices_;
  StreamScalings scalings_;
  PictureOrderStep order_step_;
  int step_ = 2;  // Step of the current picture.
  bool has_finished_ = false;
  bool is_unreported_ = false;  // The scheduler has it among those.
  StreamReferences samples_;
  PictureReporter reporter_;
  FeatureSink& sink_;
  StreamParser parser_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_PICTURE_QUEUE_H_
