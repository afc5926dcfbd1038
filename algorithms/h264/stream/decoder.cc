// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/stream/decoder.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

// Returns a picture without slices, all of whose macroblocks are lost.
ParsedPicture lost_picture(const ParsedPicture& picture) {
  ParsedPicture lost;
  lost.id = picture.id;
  lost.sequence = picture.sequence;
  lost.macroblocks.resize(static_cast<std::size_t>(picture.sequence->macroblock_count()));
  return lost;
}

// Shows pictures to a function before it passes them on.
class Preparation final : public PictureSink {
 public:
  Preparation(std::function<void(const ParsedPicture&)> prepare, PictureSink& next)
      : prepare_(std::move(prepare)), next_(next) {}

  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    prepare_(*picture);
    next_.decode(picture);
  }
  void output(std::int64_t picture) override { next_.output(picture); }
  void release(std::int64_t picture) override { next_.release(picture); }
  void fault(const StreamFault& fault) override { next_.fault(fault); }

 private:
  const std::function<void(const ParsedPicture&)> prepare_;
  PictureSink& next_;
};

}  // namespace

Decoder::Decoder(std::function<void(const DecodedFrame&)> take_frame, const DecoderOptions& options)
    : take_frame_(std::move(take_frame)),
      options_(options),
      thread_(options.has_thread ? std::make_unique<SinkThread>(static_cast<PictureSink&>(*this))
                                 : nullptr),
      preparation_(options.prepare ? std::make_unique<Preparation>(options.prepare, taker())
                                   : nullptr),
      parser_(preparation_ != nullptr ? *preparation_ : taker()) {}

PictureSink& Decoder::taker() {
  if (thread_ != nullptr) return *thread_;
  return *this;
}

void Decoder::push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte,
                            int framing_bytes) {
  parser_.push_nal_unit(unit, byte, framing_bytes);
  statistics_.missing = parser_.missing();
}

void Decoder::note_loss(int count) { parser_.note_loss(count); }

void Decoder::finish() {
  parser_.finish();
  statistics_.missing = parser_.missing();
  wait();
}

void Decoder::wait() {
  if (thread_ != nullptr) thread_->wait();
}

void Decoder::decode(const std::shared_ptr<const ParsedPicture>& picture) {
  StoredFrame stored;
  stored.sequence = picture->sequence;
  stored.samples = frames_.take_samples(*picture->sequence);
  stored.damage = damage_.measure(*picture);
  const FindPicture find = [this](std::int64_t id) { return frames_.find(id); };
  if (picture->is_inferred || picture->slices.empty()) {
    options_.reconstruct(lost_picture(*picture), find, *stored.samples);
  } else {
    options_.reconstruct(*picture, find, *stored.samples);
    count(*picture, stored);
  }
  frames_.store(picture->id, std::move(stored));
  if (options_.observer != nullptr) options_.observer->decode(picture);
}

void Decoder::count(const ParsedPicture& picture, StoredFrame& stored) {
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
        if (frames_.find(reference.picture) == nullptr) ++statistics_.missing_references;
      }
    }
  }
}

void Decoder::output(std::int64_t picture) {
  const DecodedFrame frame = frames_.frame(picture);
  if (frame.samples == nullptr) return;
  ++statistics_.frames;
  take_frame_(frame);
  if (options_.observer != nullptr) options_.observer->output(picture);
}

void Decoder::release(std::int64_t picture) {
  damage_.release(picture);
  frames_.release(picture);
  if (options_.observer != nullptr) options_.observer->release(picture);
}

void Decoder::fault(const StreamFault& fault) {
  ++statistics_.faults;
  if (options_.take_fault) options_.take_fault(fault);
  if (options_.observer != nullptr) options_.observer->fault(fault);
}

}  // namespace millrace::h264
