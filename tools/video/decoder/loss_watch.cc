// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/loss_watch.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace millrace::tools {
namespace {

constexpr std::string_view kGap = "Frame num gap";
constexpr std::string_view kNoPicture = "no picture";
constexpr std::string_view kOutOfOrder = "ooo";
constexpr std::string_view kMissingReference = "Could not find ref with POC";

bool refers_to_others(AVCodecID codec) {
  const AVCodecDescriptor* const descriptor = avcodec_descriptor_get(codec);
  return descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) == 0;
}

}  // namespace

LossWatch::LossWatch(const AVCodecParameters& parameters) : codec_(parameters.codec_id) {
  if (codec_ != AV_CODEC_ID_H264) return;
  headers_.emplace(std::span<const std::uint8_t>(
      parameters.extradata, static_cast<std::size_t>(std::max(parameters.extradata_size, 0))));
}

void LossWatch::start(const AVPacket& packet) {
  settle();
  is_pending_ = true;
  is_key_ = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  has_gap_ = false;
  before_ = picture_;
  picture_.reset();
  if (headers_) {
    picture_ = headers_->read({packet.data, static_cast<std::size_t>(packet.size)});
  }
  if (!has_begun_) {
    is_leading_ = !is_key_ && refers_to_others(codec_);
    // FFmpeg marks the frames of H.264 that are not to be shown.
    shows_leading_ = !is_leading_ || headers_.has_value();
  }
  has_begun_ = true;
  if (is_key_) {
    is_leading_ = false;
    if (!has_key_ && !headers_) losses_.lost += leading_packets_;
    has_key_ = true;
    missing_references_.clear();
  } else if (is_leading_) {
    ++leading_packets_;
  }
}

void LossWatch::reject_leading() {
  if (headers_) ++losses_.lost;
}

bool LossWatch::drops(const AVFrame& frame) {
  if (headers_) {
    const bool is_unrecovered =
        (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 && frame.decode_error_flags == 0;
    if (is_unrecovered) ++losses_.lost;
    return is_unrecovered;
  }
  if (!shows_leading_ && is_key_frame(frame)) shows_leading_ = true;
  return !shows_leading_;
}

ClipLosses LossWatch::losses() const {
  ClipLosses losses = losses_;
  if (is_pending_) {
    const Account last = account();
    losses.lost += last.lost;
    if (last.is_concealed) ++losses.concealed;
  }
  losses.concealed = std::max<std::int64_t>(losses.concealed, 0);
  return losses;
}

bool LossWatch::may_report_loss(std::string_view format) {
  return format.starts_with(kGap) || format.starts_with(kNoPicture) ||
         format.starts_with(kMissingReference);
}

// A picture that is not there yet is no loss.
bool LossWatch::reports_loss(std::string_view message) {
  if (message.starts_with(kNoPicture)) return message.find(kOutOfOrder) != message.npos;
  return may_report_loss(message);
}

bool LossWatch::Scope::wants(std::string_view format) const { return may_report_loss(format); }

void LossWatch::receive(std::string_view message) {
  if (!reports_loss(message)) return;
  if (message.starts_with(kGap)) {
    has_gap_ = true;
  } else if (message.starts_with(kNoPicture)) {
    // Decoded, and dropped since a later picture was shown before.
    ++losses_.lost;
    if (is_after_loss_ || has_gap_) --losses_.concealed;
  } else if (has_key_) {
    const int order = std::atoi(std::string(message.substr(kMissingReference.size())).c_str());
    if (!missing_references_.insert(order).second) return;
    ++losses_.lost;
    has_gap_ = true;
  }
}

LossWatch::Account LossWatch::account() const {
  if (is_key_ || !has_key_ || (headers_ && is_second_field())) return {};
  const bool may_gap = picture_ && picture_->allows_gaps;
  const bool has_lost = has_gap_ && !may_gap;
  return {.lost = has_lost && headers_ ? pictures_in_gap() : 0,
          .is_concealed = has_lost || is_after_loss_};
}

void LossWatch::settle() {
  if (!is_pending_) return;
  is_pending_ = false;
  const Account packet = account();
  losses_.lost += packet.lost;
  if (packet.is_concealed) ++losses_.concealed;
  if (is_key_)
    is_after_loss_ = false;
  else
    is_after_loss_ = is_after_loss_ || packet.is_concealed;
  if (picture_ && picture_->is_reference) last_reference_ = picture_->frame_num;
}

bool LossWatch::is_second_field() const {
  return picture_ && before_ && picture_->is_field && before_->is_field &&
         picture_->is_bottom_field != before_->is_bottom_field &&
         picture_->frame_num == before_->frame_num;
}

// frame_num counts reference pictures from the last IDR picture on (7.4.3). Where it goes back,
// either it began anew or an IDR picture was lost; the reading with fewer losses is taken.
std::int64_t LossWatch::pictures_in_gap() const {
  if (!picture_ || !last_reference_) return 1;
  const int number = picture_->frame_num;
  const int most = picture_->max_frame_num;
  const int skipped = (number - *last_reference_ - 1 + most) % most;
  const int since_key = number > *last_reference_ ? skipped : number;
  return std::max(1, std::min(skipped, since_key));
}

}  // namespace millrace::tools
