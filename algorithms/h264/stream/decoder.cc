// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/decoder.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

// Samples of released pictures that are kept for further ones.
constexpr std::size_t kMostUnusedPictures = 2;

bool has_size(const SamplePicture& samples, const SequenceParameters& sequence) {
  return samples.width(0) == 16 * sequence.width_in_macroblocks &&
         samples.height(0) == 16 * sequence.height_in_macroblocks;
}

// Returns a picture without slices, all of whose macroblocks are lost.
ParsedPicture lost_picture(const ParsedPicture& picture) {
  ParsedPicture lost;
  lost.id = picture.id;
  lost.sequence = picture.sequence;
  lost.macroblocks.resize(static_cast<std::size_t>(picture.sequence->macroblock_count()));
  return lost;
}

}  // namespace

Decoder::Decoder(std::function<void(const DecodedFrame&)> take_frame, const DecoderOptions& options)
    : take_frame_(std::move(take_frame)),
      options_(options),
      thread_(options.has_thread ? std::make_unique<SinkThread>(static_cast<PictureSink&>(*this))
                                 : nullptr),
      parser_(thread_ != nullptr ? static_cast<PictureSink&>(*thread_) : *this) {}

void Decoder::push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                            int framing_bytes) {
  parser_.push_nal_unit(unit, byte, framing_bytes);
}

void Decoder::note_loss(int count) { parser_.note_loss(count); }

void Decoder::finish() {
  parser_.finish();
  if (thread_ != nullptr) thread_->wait();
}

void Decoder::decode(const std::shared_ptr<const ParsedPicture>& picture) {
  StoredPicture stored;
  stored.sequence = picture->sequence;
  stored.samples = take_samples(*picture->sequence);
  stored.damage = damage_.measure(*picture);
  const FindPicture find = [this](std::int64_t id) { return this->find(id); };
  if (picture->is_inferred || picture->slices.empty()) {
    options_.reconstruct(lost_picture(*picture), find, *stored.samples);
  } else {
    options_.reconstruct(*picture, find, *stored.samples);
    count(*picture, stored);
  }
  if (is_last_released_) {
    is_last_released_ = false;
    drop(std::exchange(last_, -1));
  }
  last_ = picture->id;
  pictures_[picture->id] = std::move(stored);
  if (options_.observer != nullptr) options_.observer->decode(picture);
}

void Decoder::count(const ParsedPicture& picture, StoredPicture& stored) {
  stored.concealed_macroblocks = static_cast<int>(
      std::count_if(picture.macroblocks.begin(), picture.macroblocks.end(),
                    [](const Macroblock& m) { return m.type == MacroblockType::kLost; }));
  ++statistics_.pictures;
  statistics_.damage += stored.damage;
  statistics_.macroblocks += static_cast<std::int64_t>(picture.macroblocks.size());
  statistics_.concealed_macroblocks += stored.concealed_macroblocks;
  statistics_.pictures_with_concealment += stored.concealed_macroblocks > 0 ? 1 : 0;
  for (const Slice& slice : picture.slices) {
    for (const auto& list : slice.references) {
      for (const Reference& reference : list) {
        if (find(reference.picture) == nullptr) ++statistics_.missing_references;
      }
    }
  }
}

void Decoder::output(std::int64_t picture) {
  const auto found = pictures_.find(picture);
  if (found == pictures_.end()) return;
  ++statistics_.frames;
  const StoredPicture& stored = found->second;
  take_frame_({.picture = picture,
               .samples = stored.samples.get(),
               .sequence = stored.sequence.get(),
               .concealed_macroblocks = stored.concealed_macroblocks,
               .damage = stored.damage});
  if (options_.observer != nullptr) options_.observer->output(picture);
}

void Decoder::release(std::int64_t picture) {
  damage_.release(picture);
  if (picture == last_) {
    is_last_released_ = true;
  } else {
    drop(picture);
  }
  if (options_.observer != nullptr) options_.observer->release(picture);
}

void Decoder::drop(std::int64_t picture) {
  const auto found = pictures_.find(picture);
  if (found == pictures_.end()) return;
  if (unused_.size() < kMostUnusedPictures) unused_.push_back(std::move(found->second.samples));
  pictures_.erase(found);
}

void Decoder::fault(const StreamFault& fault) {
  ++statistics_.faults;
  if (options_.take_fault) options_.take_fault(fault);
  if (options_.observer != nullptr) options_.observer->fault(fault);
}

const SamplePicture* Decoder::find(std::int64_t picture) const {
  const auto found = pictures_.find(picture);
  return found == pictures_.end() ? nullptr : found->second.samples.get();
}

std::unique_ptr<SamplePicture> Decoder::take_samples(const SequenceParameters& sequence) {
  while (!unused_.empty()) {
    std::unique_ptr<SamplePicture> samples = std::move(unused_.back());
    unused_.pop_back();
    if (has_size(*samples, sequence)) return samples;
  }
  return std::make_unique<SamplePicture>(sequence.width_in_macroblocks,
                                         sequence.height_in_macroblocks);
}

}  // namespace millrace::h264
