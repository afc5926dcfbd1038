// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/tasks/picture_queue.h>
#include <millrace/algorithms/h264/features/tasks/picture_scheduler.h>
#include <millrace/algorithms/h264/prefetch_object.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/seconds_since.h>
#include <millrace/runtime/timeline/timeline.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace millrace::h264 {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void PictureScheduler::add(PictureQueue& stream) {
  const std::lock_guard lock(mutex_);
  stream.set_index(streams_.size());
  streams_.push_back(&stream);
}

// Moves the last stream to the index of the one that is removed.
void PictureScheduler::remove(const PictureQueue& stream) {
  const std::lock_guard lock(mutex_);
  PictureQueue* const last = streams_.back();
  last->set_index(stream.index());
  streams_[stream.index()] = last;
  streams_.pop_back();
  if (stream.is_unreported()) std::erase(unreported_, &stream);
}

FeatureStreamsReport PictureScheduler::run() {
  FeatureStreamsReport report;
  while (run_some(report)) {
  }
  // The list is emptied first: a sink may throw, and its stream may end then.
  const std::vector<PictureQueue*> unreported = std::exchange(unreported_, {});
  HostThreads::shared().for_each_in_pieces(unreported.size(), kPiece,
                                           [&](std::size_t k) { unreported[k]->report_rest(); });
  return report;
}

// Chooses the streams whose pictures the next run has: as many as fit.
void PictureScheduler::choose_pictures() {
  chosen_.clear();
  std::size_t pictures = 0;
  std::size_t bytes_left = device_bytes_;
  const std::size_t count = streams_.size();
  const auto stream_at = [&](std::size_t k) {
    const std::size_t index = first_ + k;
    return streams_[index < count ? index : index - count];
  };
  if (first_ >= count) first_ = 0;
  for (std::size_t k = 0; k < count && bytes_left > 0; ++k) {
    if (k + 2 * kAhead < count) __builtin_prefetch(&stream_at(k + 2 * kAhead)->waiting());
    PictureQueue* const stream = stream_at(k);
    PictureQueue::Waiting taken = stream->waiting();
    if (taken.bytes > bytes_left) {
      taken = stream->waiting_within(bytes_left, /*takes_one=*/pictures == 0);
    }
    if (taken.count == 0) continue;
    chosen_.push_back({stream, pictures, taken.count});
    pictures += taken.count;
    bytes_left -= std::min(taken.bytes, bytes_left);
  }
  pictures_.resize(pictures);
}

// Runs as many pictures as fit. Returns false if there are none.
bool PictureScheduler::run_some(FeatureStreamsReport& report) {
  choose_pictures();
  if (chosen_.empty()) return false;
  HostThreads::shared().for_each_in_pieces(chosen_.size(), kPiece, [&](std::size_t k) {
    const StreamPictures& chosen = chosen_[k];
    chosen.stream->add_to(std::span(pictures_).subspan(chosen.first, chosen.count));
  });
  // Bounds the memory of earlier runs that B slices may read.
  const std::uint64_t oldest = run_.oldest_within(2 * device_bytes_);
  const std::uint64_t oldest_samples = run_.samples().oldest_within(2 * device_bytes_);
  if (oldest > run_.oldest() || oldest_samples > run_.samples().oldest()) {
    for (PictureQueue* const stream : streams_) stream->move_out(queue_, oldest, oldest_samples);
  }
  const FeatureRunReport run = run_.run(pictures_, {.pictures_a_warp = options_.pictures_a_warp,
                                                    .samples = options_.samples,
                                                    .picture_tasks = options_.picture_tasks,
                                                    .run = options_.run});
  report.writing_seconds += run.writing_seconds;
  report.device_seconds += run.device_seconds;
  report.task_seconds += run.tasks.seconds;
  report.sample_seconds += run.reconstruction.seconds;
  ++report.runs;
  report.pictures += static_cast<std::int64_t>(pictures_.size());
  report.slices += static_cast<std::int64_t>(run.slices);
  report.payload_bytes += static_cast<std::int64_t>(run.payload_bytes);
  report.macroblocks += static_cast<std::int64_t>(run.macroblocks);
  report.bytes_up += static_cast<std::int64_t>(run.bytes_up);
  report.bytes_down += static_cast<std::int64_t>(run.bytes_down);
  const TimelineScope scope("host report", "features of a run");
  const Clock::time_point start = Clock::now();
  HostThreads::shared().for_each_in_pieces(chosen_.size(), kPiece, [&](std::size_t k) {
    if (k + 2 * kAhead < chosen_.size()) prefetch_object(*chosen_[k + 2 * kAhead].stream);
    if (k + kAhead < chosen_.size()) chosen_[k + kAhead].stream->prefetch();
    chosen_[k].stream->report(run_, chosen_[k].first, chosen_[k].count);
  });
  report.reporting_seconds += seconds_since(start);
  // The next run begins with another stream, so that none waits for ever.
  ++first_;
  return true;
}

}  // namespace millrace::h264
