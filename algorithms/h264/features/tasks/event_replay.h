// SPDX-License-Identifier: Apache-2.0

// Gives the sink of a stream its events, in the order of the stream, when a run has ended.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_EVENT_REPLAY_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_EVENT_REPLAY_H_

#include <millrace/algorithms/h264/features/tasks/feature_run.h>
#include <millrace/algorithms/h264/features/tasks/feature_streams.h>
#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/features/tasks/picture_reporter.h>
#include <millrace/algorithms/h264/features/tasks/stream_events.h>
#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace millrace::h264 {

// The receiver of StreamEvents::replay(). Events of a picture need what the run has found of it, so
// the replay ends before the first picture that the run does not have.
class EventReplay {
 public:
  // The pictures that the run has of the stream.
  struct Pictures {
    const FeatureRun* run = nullptr;  // Null: there are no pictures.
    std::size_t first = 0;            // Index in the run of the first picture.
    std::span<const std::unique_ptr<PendingPicture>> pending = {};
  };

  // The sink is that of the reporter, and `download` what PictureReporter::report() takes.
  EventReplay(const Pictures& pictures, PictureReporter& reporter, FeatureSink& sink,
              PictureReporter::Download download)
      : pictures_(pictures), reporter_(reporter), sink_(sink), download_(std::move(download)) {}

  bool picture() {
    if (reported_ == pictures_.pending.size()) return false;
    const PendingPicture& picture = *pictures_.pending[reported_];
    report_slices(picture.slices.size());
    reporter_.report(picture, result(), pictures_.run->samples(), download_);
    ++reported_;
    slices_ = 0;
    return true;
  }
  void inferred(const ParsedPicture& picture) { reporter_.report_inferred(picture); }
  void output(std::int64_t picture) { reporter_.report_output(picture); }
  void release(std::int64_t picture) { reporter_.report_release(picture); }
  bool fault(const StreamEvents::Fault& fault) {
    if (fault.slices > slices_) {
      if (reported_ == pictures_.pending.size()) return false;
      report_slices(fault.slices);
    }
    sink_.fault(fault.fault);
    return true;
  }

 private:
  FeatureRun::Result result() const { return pictures_.run->result(pictures_.first + reported_); }
  // Reports the slices of the next picture up to `end`.
  void report_slices(std::size_t end) {
    reporter_.report_slices(*pictures_.pending[reported_], result(), slices_, end);
    slices_ = end;
  }

  const Pictures pictures_;
  PictureReporter& reporter_;
  FeatureSink& sink_;
  const PictureReporter::Download download_;
  std::size_t reported_ = 0;  // Number of pictures that are reported,
  std::size_t slices_ = 0;    // and of slices of the next one.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_EVENT_REPLAY_H_
