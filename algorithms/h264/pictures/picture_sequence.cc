// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/sequence_parameters.h>
#include <millrace/algorithms/h264/pictures/picture_sequence.h>
#include <millrace/algorithms/h264/pictures/reference_lists.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {

void PictureSequence::restart() {
  decoded_.flush();
  order_ = {};
  limits_.max_long_term_index = -1;
  has_previous_ = false;
}

void PictureSequence::activate(const std::shared_ptr<const SequenceParameters>& sequence) {
  if (sequence == sequence_) return;
  sequence_ = sequence;
  limits_.max_frame_number = 1 << sequence->log2_max_frame_number;
  limits_.max_reference_frames = sequence->max_reference_frames;
  // Pictures of type 2 are output in decoding order (clause 8.2.1.3).
  const int max_reorder = sequence->picture_order_type == 2 ? 0 : sequence->max_reorder_frames;
  decoded_.set_capacity(decoded_frame_capacity(*sequence), max_reorder);
}

std::string PictureSequence::begin(const std::shared_ptr<const SequenceParameters>& sequence,
                                   const SliceHeader& header, ParsedPicture& picture) {
  const bool is_idr = header.is_idr();
  if (is_idr) {
    if (header.keeps_no_prior_pictures) {
      decoded_.discard();
    } else {
      decoded_.flush();
    }
  }
  activate(sequence);
  std::string damage;
  if (!is_idr && has_previous_) damage = fill_gap(header.frame_number);
  has_previous_ = true;

  current_ = {.id = next_id_++,
              .parsed = nullptr,
              .frame_number = header.frame_number,
              .picture_order = order_.begin(*sequence, header).frame(),
              .awaits_output = true};
  picture.id = current_.id;
  picture.sequence = sequence;
  picture.picture_order = current_.picture_order;
  picture.frame_number = header.frame_number;
  picture.is_idr = is_idr;
  picture.is_reference = header.nal_reference != 0;
  return damage;
}

// Clause 8.2.5.2. Where the sequence has no such gaps, the pictures are lost; references are then
// kept as if they had arrived.
std::string PictureSequence::fill_gap(int frame_number) {
  const int period = limits_.max_frame_number;
  const int previous = previous_reference_frame_number_;
  if (frame_number == previous || frame_number == (previous + 1) % period) return {};
  const bool is_lost = !sequence_->gaps_in_frame_number_allowed;
  const int count = (frame_number - previous - 1 + period) % period;
  // Older ones would not stay among the references.
  const int kept = std::min(count, std::max(limits_.max_reference_frames, 1));
  for (int i = kept; i > 0; --i) infer_picture((frame_number - i + period) % period, is_lost);
  if (!is_lost) return {};
  lost_pictures_ += count;
  return "frame_num goes from " + std::to_string(previous) + " to " + std::to_string(frame_number) +
         ": " + std::to_string(count) +
         (count == 1 ? " reference picture is lost" : " reference pictures are lost");
}

void PictureSequence::infer_picture(int frame_number, bool is_lost) {
  auto picture = std::make_shared<ParsedPicture>();
  picture->id = next_id_++;
  picture->sequence = sequence_;
  picture->frame_number = frame_number;
  picture->is_reference = true;
  picture->is_inferred = true;
  if (is_lost) picture->lost_macroblocks = sequence_->macroblock_count();
  if (sequence_->picture_order_type != 0) {
    SliceHeader header;
    header.nal_reference = 1;
    header.frame_number = frame_number;
    picture->picture_order = order_.begin(*sequence_, header).frame();
    order_.end(true);
  }
  sink_.decode(picture);

  slide_window(decoded_.stored(), frame_number, limits_);
  decoded_.store({.id = picture->id,
                  .parsed = nullptr,
                  .frame_number = frame_number,
                  .picture_order = picture->picture_order,
                  .marking = ReferenceMarking::kShortTerm,
                  .is_inferred = true});
  previous_reference_frame_number_ = frame_number;
}

std::string PictureSequence::add_references(Slice& slice) const {
  const CurrentPicture current = {.picture_order = current_.picture_order,
                                  .max_frame_number = limits_.max_frame_number,
                                  .picture_order_type = sequence_->picture_order_type};
  const int missing = build_reference_lists(decoded_.stored(), current, slice);
  if (missing == 0) return {};
  return std::to_string(missing) + " operations on reference lists name pictures that are missing";
}

std::string PictureSequence::end(std::shared_ptr<const ParsedPicture> picture,
                                 const SliceHeader& header) {
  MarkingResult marking;
  const bool is_reference = header.nal_reference != 0;
  if (is_reference) {
    marking = mark_references(decoded_.stored(), current_, header, limits_);
    current_.parsed = std::move(picture);
    previous_reference_frame_number_ = header.frame_number;
  }
  if (marking.has_reset) {
    current_.picture_order = order_.end_with_reset().frame();
    current_.frame_number = 0;
    previous_reference_frame_number_ = 0;
    decoded_.flush();
  } else {
    order_.end(is_reference);
  }
  decoded_.store(std::move(current_));
  return marking.damage == nullptr ? std::string() : marking.damage;
}

}  // namespace millrace::h264
