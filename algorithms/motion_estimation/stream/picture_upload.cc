// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/stream/picture_upload.h>
#include <millrace/runtime/host/seconds_since.h>

#include <algorithm>

namespace millrace::motion {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

template <class Sample>
PictureUpload<Sample>::PictureUpload(Device& device, const PictureLayout<Sample>& layout,
                                     PictureMemory<Sample>& memory, PictureSource<Sample>& source,
                                     const ChunkPlan& plan)
    : layout_(layout),
      memory_(memory),
      source_(source),
      first_(plan.first_picture),
      most_pictures_(plan.most_size),
      next_pictures_(plan.first_size),
      chunks_(plan.slots),
      end_(plan.first_picture),
      queue_(device.make_queue()) {}

template <class Sample>
bool PictureUpload<Sample>::upload(int slot) {
  PictureChunk& chunk = chunks_[slot].chunk;
  chunk.first = end_;
  chunk.count = 0;
  try {
    while (!is_complete_ && chunk.count < next_pictures_) is_complete_ = !read_picture(slot);
  } catch (...) {
    if (chunk.count == 0) throw;
    error_ = std::current_exception();
    is_complete_ = true;
  }
  next_pictures_ = std::min(2 * next_pictures_, most_pictures_);
  if (chunk.count == 0) {
    if (error_) std::rethrow_exception(error_);
    return false;
  }
  if (memory_.copies()) chunk.uploaded = queue_->record();
  return true;
}

template <class Sample>
bool PictureUpload<Sample>::read_picture(int slot) {
  UploadedChunk& uploaded = chunks_[slot];
  std::byte* const host = memory_.on_host(slot, uploaded.chunk.count, end_);
  InputPicture<Sample> picture = layout_.input(end_, host);
  if (!source_.read(picture)) return false;
  if (memory_.copies()) {
    if (uploaded.chunk.count == 0) uploaded.enqueued = Clock::now();
    copy_up(host, picture.source, memory_.on_device(end_));
  }
  memory_.set_source(end_, memory_.copies() ? nullptr : picture.source);
  ++end_;
  ++uploaded.chunk.count;
  return true;
}

template <class Sample>
void PictureUpload<Sample>::copy_up(const std::byte* host, const Sample* source,
                                    std::byte* on_device) {
  std::size_t begin = 0;
  if (source != nullptr) {
    queue_->copy(on_device, source, layout_.current.count * sizeof(Sample));
    begin = layout_.reconstruction.offset;
  }
  if (begin == layout_.input_bytes) return;
  queue_->copy(on_device + begin, host + begin, layout_.input_bytes - begin);
}

template <class Sample>
void PictureUpload<Sample>::account(int slot) {
  if (!memory_.copies()) return;
  if (queue_->has_failed()) queue_->wait();
  const Time begin = std::max(chunks_[slot].enqueued, last_upload_);
  last_upload_ = std::max(begin, chunks_[slot].chunk.uploaded.reached_at());
  seconds_ += seconds_between(begin, last_upload_);
}

template <class Sample>
void PictureUpload<Sample>::add_to(PipelineReport& report) const {
  report.bytes_up += (end_ - first_) * layout_.input_bytes;
  report.upload_seconds += seconds_;
}

template class PictureUpload<std::uint8_t>;
template class PictureUpload<std::uint16_t>;

}  // namespace millrace::motion
