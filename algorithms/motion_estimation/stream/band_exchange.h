// SPDX-License-Identifier: Apache-2.0

// Pictures of a clip between its caller and the bands of a group: each is read once and given to
// every band, and is delivered once the results of every band are there.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_EXCHANGE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_EXCHANGE_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/caller_stages.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/algorithms/motion_estimation/stream/picture_source.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/internal/memory_pool.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace millrace::motion {

// Memory for the pictures in flight and their results.
template <class Sample>
class BandExchange {
 public:
  // Takes memory for this many pictures from `pool`. `layout` and `options` outlive this object.
  BandExchange(const std::shared_ptr<MemoryPool>& pool, const PictureLayout<Sample>& layout,
               const EstimatorOptions& options, std::size_t pictures);

  // Begins a clip. `caller` outlives the clip.
  void begin(CallerStages<Sample>& caller);

  // Begins a segment of the clip: pictures produced() to end - 1 by these bands. No thread uses
  // this object meanwhile. The bands outlive the segment.
  void begin_segment(std::span<const MacroblockRows> bands, std::uint64_t end);

  // Returns the number of pictures that were read. Called between segments, like the next three.
  std::uint64_t produced() const { return produced_; }
  // Returns true if the caller has no more pictures.
  bool is_complete() const { return is_complete_; }
  // Returns all vectors of the last picture, for each reference that it had.
  std::vector<std::span<const MotionVector>> last_vectors() const;
  // Throws the error of the caller's produce, or of its consume, if there was one.
  void throw_produce_error() const;
  void throw_consume_error() const;

  // Gives a picture of the segment to a band; the first band that needs it reads it from the
  // caller. Returns false at the segment's end. Throws kCancelled if `stop` is requested meanwhile.
  bool read(InputPicture<Sample>& target, const std::stop_token& stop);

  // Takes a band's results of a picture; the last band of the next picture delivers it. Throws what
  // the caller's consume throws.
  void put(std::size_t band, const PictureMotion& motion);

 private:
  // A picture in flight and its state.
  struct PictureInFlight {
    Buffer<std::byte> input;  // See PictureLayout.
    std::vector<std::byte> output;
    const Sample* source = nullptr;  // The picture in the caller's memory.
    int references = 0;
    std::size_t bands_done = 0;
  };

  PictureInFlight& picture_at(std::uint64_t index) { return pictures_[index % pictures_.size()]; }
  const PictureInFlight& picture_at(std::uint64_t index) const {
    return pictures_[index % pictures_.size()];
  }
  // Returns true if neither the picture whose memory the next one takes nor one that refers to it
  // is in flight.
  bool has_free_memory() const;
  void wait_for_change(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);
  void read_next(std::unique_lock<std::mutex>& lock);
  bool read_into_memory();
  void give(const PictureInFlight& from, InputPicture<Sample>& target) const;
  void keep(std::size_t band, const PictureMotion& motion);
  void deliver(std::unique_lock<std::mutex>& lock);
  PictureMotion motion_of(std::uint64_t picture) const;

  const PictureLayout<Sample>& layout_;
  const EstimatorOptions& options_;
  std::vector<PictureInFlight> pictures_;
  CallerStages<Sample>* caller_ = nullptr;

  std::span<const MacroblockRows> bands_;
  std::size_t bands_with_rows_ = 0;
  // No picture from here on is read until the earlier ones are done.
  std::uint64_t segment_end_ = 0;

  std::mutex mutex_;  // Guards what follows.
  std::condition_variable_any changed_;
  std::uint64_t produced_ = 0;
  // Pictures that were consumed; they are free unless others refer to them.
  std::uint64_t delivered_ = 0;
  bool is_producing_ = false;
  bool is_delivering_ = false;
  bool is_complete_ = false;
  std::exception_ptr produce_error_;
  std::exception_ptr consume_error_;
};

// One band's end of an exchange, on the thread of its device.
template <class Sample>
class ExchangeEnd : public PictureSource<Sample>, public MotionSink {
 public:
  ExchangeEnd(BandExchange<Sample>& exchange, std::size_t band, std::stop_token stop)
      : exchange_(exchange), band_(band), stop_(std::move(stop)) {}

  bool read(InputPicture<Sample>& target) override { return exchange_.read(target, stop_); }
  void put(const PictureMotion& motion) override { exchange_.put(band_, motion); }

 private:
  BandExchange<Sample>& exchange_;
  const std::size_t band_;
  const std::stop_token stop_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_BAND_EXCHANGE_H_
