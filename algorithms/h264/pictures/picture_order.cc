// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/picture_order.h>

#include <cstddef>

namespace millrace::h264 {
namespace {

int limited(std::int64_t count) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 30;
  return static_cast<int>(std::clamp(count, -kLimit, kLimit - 1));
}

}  // namespace

PictureOrder PictureOrderCounter::begin(const SequenceParameters& sequence,
                                        const SliceHeader& header) {
  const bool is_idr = header.is_idr();
  if (is_idr) {
    previous_msb_ = 0;
    previous_lsb_ = 0;
    frame_number_offset_ = 0;
  } else if (frame_number_ > header.frame_number) {
    frame_number_offset_ += std::int64_t{1} << sequence.log2_max_frame_number;
  }
  frame_number_ = header.frame_number;
  switch (sequence.picture_order_type) {
    case 0: order_ = of_type_0(sequence, header); break;
    case 1: order_ = of_type_1(sequence, header); break;
    default: order_ = of_type_2(header); break;
  }
  return order_;
}

// Clause 8.2.1.1.
PictureOrder PictureOrderCounter::of_type_0(const SequenceParameters& sequence,
                                            const SliceHeader& header) {
  const std::int64_t period = std::int64_t{1} << sequence.log2_max_picture_order;
  lsb_ = header.picture_order_lsb;
  msb_ = previous_msb_;
  if (lsb_ < previous_lsb_ && previous_lsb_ - lsb_ >= period / 2) {
    msb_ += period;
  } else if (lsb_ > previous_lsb_ && lsb_ - previous_lsb_ > period / 2) {
    msb_ -= period;
  }
  return {limited(msb_ + lsb_), limited(msb_ + lsb_ + header.delta_picture_order_bottom)};
}

// Clause 8.2.1.2.
PictureOrder PictureOrderCounter::of_type_1(const SequenceParameters& sequence,
                                            const SliceHeader& header) const {
  const std::vector<int>& offsets = sequence.offsets_for_reference_frames;
  const auto cycle = static_cast<std::int64_t>(offsets.size());
  std::int64_t frame = cycle != 0 ? frame_number_offset_ + header.frame_number : 0;
  if (header.nal_reference == 0 && frame > 0) --frame;
  std::int64_t expected = 0;
  if (frame > 0) {
    std::int64_t sum = 0;
    for (const int offset : offsets) sum += offset;
    // A stream of 2^31 frames with offsets of 31 bits would overflow.
    expected = std::clamp<std::int64_t>((frame - 1) / cycle, 0, std::int64_t{1} << 22) * sum;
    for (std::int64_t i = 0; i <= (frame - 1) % cycle; ++i) {
      expected += offsets[static_cast<std::size_t>(i)];
    }
  }
  if (header.nal_reference == 0) expected += sequence.offset_for_non_reference;
  const std::int64_t top = expected + header.delta_picture_order[0];
  const std::int64_t bottom =
      top + sequence.offset_for_top_to_bottom + header.delta_picture_order[1];
  return {limited(top), limited(bottom)};
}

// Clause 8.2.1.3.
PictureOrder PictureOrderCounter::of_type_2(const SliceHeader& header) const {
  std::int64_t count = 2 * (frame_number_offset_ + header.frame_number);
  if (header.is_idr()) count = 0;
  if (header.nal_reference == 0) --count;
  return {limited(count), limited(count)};
}

void PictureOrderCounter::end(bool is_reference) {
  if (!is_reference) return;
  previous_msb_ = msb_;
  previous_lsb_ = lsb_;
}

PictureOrder PictureOrderCounter::end_with_reset() {
  const int frame = order_.frame();
  order_ = {limited(std::int64_t{order_.top} - frame),
            limited(std::int64_t{order_.bottom} - frame)};
  previous_msb_ = 0;
  previous_lsb_ = order_.top;
  frame_number_ = 0;
  frame_number_offset_ = 0;
  return order_;
}

}  // namespace millrace::h264
