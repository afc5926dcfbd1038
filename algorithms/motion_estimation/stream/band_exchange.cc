// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/band_exchange.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>

namespace millrace::motion {
namespace {

template <class T>
void copy_all(std::span<const T> from, std::span<T> to) {
  std::copy(from.begin(), from.end(), to.begin());
}

void rethrow(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

}  // namespace

template <class Sample>
BandExchange<Sample>::BandExchange(const std::shared_ptr<MemoryPool>& pool,
                                   const PictureLayout<Sample>& layout,
                                   const EstimatorOptions& options, std::size_t pictures)
    : layout_(layout), options_(options), pictures_(pictures) {
  for (PictureInFlight& picture : pictures_) {
    picture.input = Buffer<std::byte>(pool, layout_.input_bytes);
    if (options_.downloads) picture.output.resize(layout_.output_bytes);
  }
}

template <class Sample>
void BandExchange<Sample>::begin(CallerStages<Sample>& caller) {
  caller_ = &caller;
  produced_ = 0;
  delivered_ = 0;
  is_producing_ = false;
  is_delivering_ = false;
  is_complete_ = false;
  produce_error_ = nullptr;
  consume_error_ = nullptr;
}

template <class Sample>
void BandExchange<Sample>::begin_segment(std::span<const MacroblockRows> bands, std::uint64_t end) {
  bands_ = bands;
  bands_with_rows_ = static_cast<std::size_t>(
      std::ranges::count_if(bands, [](const MacroblockRows& band) { return band.count > 0; }));
  segment_end_ = end;
}

template <class Sample>
std::vector<std::span<const MotionVector>> BandExchange<Sample>::last_vectors() const {
  if (produced_ == 0) return {};
  const PictureMotion last = motion_of(produced_ - 1);
  return {last.vectors.begin(), last.vectors.begin() + last.references};
}

template <class Sample>
void BandExchange<Sample>::throw_produce_error() const {
  rethrow(produce_error_);
}

template <class Sample>
void BandExchange<Sample>::throw_consume_error() const {
  rethrow(consume_error_);
}

template <class Sample>
bool BandExchange<Sample>::read(InputPicture<Sample>& target, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (target.index == produced_) {
    if (is_complete_ || target.index == segment_end_) return false;
    if (stop.stop_requested()) {
      throw Error(ErrorCode::kCancelled, "the motion search was stopped by request");
    }
    if (is_producing_ || !has_free_memory()) {
      wait_for_change(lock, stop);
    } else {
      read_next(lock);
    }
  }
  lock.unlock();
  give(picture_at(target.index), target);
  return true;
}

// The last picture that was read may refer to the one whose memory the next one takes.
template <class Sample>
bool BandExchange<Sample>::has_free_memory() const {
  return produced_ < delivered_ + pictures_.size() - options_.references;
}

template <class Sample>
void BandExchange<Sample>::wait_for_change(std::unique_lock<std::mutex>& lock,
                                           const std::stop_token& stop) {
  changed_.wait(lock, stop, [this, wanted = produced_, was = is_producing_] {
    return produced_ != wanted || is_complete_ || (was && !is_producing_) ||
           (!is_producing_ && has_free_memory());
  });
}

template <class Sample>
void BandExchange<Sample>::read_next(std::unique_lock<std::mutex>& lock) {
  is_producing_ = true;
  lock.unlock();
  bool is_there = false;
  std::exception_ptr error;
  try {
    is_there = read_into_memory();
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  is_producing_ = false;
  produce_error_ = error;
  is_complete_ = !is_there;  // Also set after an error: the pictures before are consumed.
  if (is_there) ++produced_;
  changed_.notify_all();
}

template <class Sample>
bool BandExchange<Sample>::read_into_memory() {
  PictureInFlight& next = picture_at(produced_);
  InputPicture<Sample> picture = layout_.input(produced_, next.input.data());
  if (!caller_->read(picture)) return false;
  next.source = picture.source != nullptr ? picture.source : picture.current.data();
  next.bands_done = 0;
  return true;
}

template <class Sample>
void BandExchange<Sample>::give(const PictureInFlight& from, InputPicture<Sample>& target) const {
  target.source = from.source;
  const std::byte* const memory = from.input.data();
  copy_all(layout_.reconstruction.in(memory), target.reconstruction);
  copy_all(layout_.predictors.in(memory), target.predictors);
}

template <class Sample>
void BandExchange<Sample>::put(std::size_t band, const PictureMotion& motion) {
  if (caller_->consumes() && options_.downloads) keep(band, motion);
  std::unique_lock lock(mutex_);
  PictureInFlight& of = picture_at(motion.index);
  of.references = motion.references;
  ++of.bands_done;
  deliver(lock);
}

template <class Sample>
void BandExchange<Sample>::keep(std::size_t band, const PictureMotion& motion) {
  std::byte* const output = picture_at(motion.index).output.data();
  const auto first = static_cast<std::size_t>(bands_[band].first) *
                     static_cast<std::size_t>(layout_.width / kMacroblockWidth);
  const std::size_t offset = MotionField::index(first, 0);
  for (int i = 0; i < motion.references; ++i) {
    std::copy(motion.vectors[i].begin(), motion.vectors[i].end(),
              layout_.vectors[i].in(output).data() + offset);
    std::copy(motion.costs[i].begin(), motion.costs[i].end(),
              layout_.costs[i].in(output).data() + offset);
  }
  std::copy(motion.modes.begin(), motion.modes.end(), layout_.modes.in(output).data() + first);
}

template <class Sample>
PictureMotion BandExchange<Sample>::motion_of(std::uint64_t picture) const {
  const PictureInFlight& of = picture_at(picture);
  return layout_.results(picture, of.references, options_.downloads ? of.output.data() : nullptr);
}

// Delivers pictures in order, on one thread at a time: the one that has brought the last band of
// the next picture.
template <class Sample>
void BandExchange<Sample>::deliver(std::unique_lock<std::mutex>& lock) {
  if (is_delivering_) return;
  is_delivering_ = true;
  while (delivered_ < produced_ && picture_at(delivered_).bands_done == bands_with_rows_ &&
         !consume_error_) {
    const PictureMotion motion = motion_of(delivered_);
    lock.unlock();
    std::exception_ptr error;
    try {
      caller_->put(motion);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      consume_error_ = error;
    } else {
      ++delivered_;
    }
    changed_.notify_all();
  }
  is_delivering_ = false;
  rethrow(consume_error_);
}

template class BandExchange<std::uint8_t>;
template class BandExchange<std::uint16_t>;

}  // namespace millrace::motion
