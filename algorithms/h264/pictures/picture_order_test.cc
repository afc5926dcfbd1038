// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/picture_order.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace millrace::h264 {
namespace {

// One picture: what its slices say, and the count that clause 8.2.1 derives by hand.
struct OrderedPicture {
  bool is_idr;
  bool is_reference;
  int frame_number;
  int lsb;
  int expected;
};

SliceHeader header_of(const OrderedPicture& picture) {
  SliceHeader header;
  header.nal_unit_type = picture.is_idr ? 5 : 1;
  header.nal_reference = picture.is_reference ? 1 : 0;
  header.frame_number = picture.frame_number;
  header.picture_order_lsb = picture.lsb;
  return header;
}

void expect_counts(const SequenceParameters& sequence,
                   const std::vector<OrderedPicture>& pictures) {
  PictureOrderCounter counter;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_EQ(counter.begin(sequence, header_of(pictures[i])).frame(), pictures[i].expected) << i;
    counter.end(pictures[i].is_reference);
  }
}

TEST(PictureOrderTest, OfType0WrapsInBothDirections) {
  SequenceParameters sequence;  // Counts modulo 16.
  expect_counts(sequence, {{true, true, 0, 0, 0},
                           {false, true, 1, 8, 8},
                           {false, true, 2, 14, 14},
                           {false, true, 3, 4, 20},    // 14 - 4 >= 8: a period later.
                           {false, false, 4, 2, 18},   // No reference: 4 stays the previous one.
                           {false, false, 4, 14, 14},  // 14 - 4 > 8: a period earlier.
                           {false, false, 4, 12, 28},  // 12 - 4 = 8 is not more than 8.
                           {false, true, 4, 12, 28},
                           {false, true, 5, 4, 36},  // 12 - 4 = 8 is as much as 8.
                           {true, true, 0, 6, 6}});
}

TEST(PictureOrderTest, OfType0IsTheSmallerOfBothFields) {
  SequenceParameters sequence;
  SliceHeader header = header_of({true, true, 0, 5, 0});
  header.delta_picture_order_bottom = -3;
  PictureOrderCounter counter;
  EXPECT_EQ(counter.begin(sequence, header).top, 5);
  EXPECT_EQ(counter.begin(sequence, header).bottom, 2);
  EXPECT_EQ(counter.begin(sequence, header).frame(), 2);
}

TEST(PictureOrderTest, OfType1FollowsTheCycle) {
  SequenceParameters sequence;
  sequence.picture_order_type = 1;
  sequence.offsets_for_reference_frames = {2, 4};
  sequence.offset_for_non_reference = -1;
  expect_counts(sequence, {{true, true, 0, 0, 0},
                           {false, true, 1, 0, 2},
                           {false, true, 2, 0, 6},
                           {false, false, 3, 0, 5},  // The count of frame 2, less 1.
                           {false, true, 3, 0, 8},
                           {false, true, 15, 0, 44},  // 7 cycles of 6, and 2.
                           {false, true, 0, 0, 48},   // Frame 16: 7 cycles and both offsets.
                           {false, false, 1, 0, 47}});
}

TEST(PictureOrderTest, OfType1AddsTheDeltas) {
  SequenceParameters sequence;
  sequence.picture_order_type = 1;
  sequence.offset_for_top_to_bottom = 3;
  SliceHeader header = header_of({true, true, 0, 0, 0});
  header.delta_picture_order[0] = 10;
  header.delta_picture_order[1] = -5;
  PictureOrderCounter counter;
  const PictureOrder order = counter.begin(sequence, header);
  EXPECT_EQ(order.top, 10);
  EXPECT_EQ(order.bottom, 8);
}

TEST(PictureOrderTest, OfType2IsTheDecodingOrder) {
  SequenceParameters sequence;
  sequence.picture_order_type = 2;
  expect_counts(sequence, {{true, true, 0, 0, 0},
                           {false, false, 1, 0, 1},
                           {false, true, 1, 0, 2},
                           {false, true, 15, 0, 30},
                           {false, true, 0, 0, 32},
                           {false, false, 1, 0, 33},
                           {true, true, 0, 0, 0}});
}

TEST(PictureOrderTest, OfType0BeginsAgainAfterAReset) {
  SequenceParameters sequence;
  PictureOrderCounter counter;
  counter.begin(sequence, header_of({true, true, 0, 0, 0}));
  counter.end(true);
  SliceHeader header = header_of({false, true, 1, 6, 0});
  header.delta_picture_order_bottom = -2;
  EXPECT_EQ(counter.begin(sequence, header).frame(), 4);
  const PictureOrder reset = counter.end_with_reset();
  EXPECT_EQ(reset.top, 2);
  EXPECT_EQ(reset.bottom, 0);
  // prevPicOrderCntMsb is 0 and prevPicOrderCntLsb 2: 11 - 2 > 8, so a period earlier.
  EXPECT_EQ(counter.begin(sequence, header_of({false, true, 1, 11, 0})).frame(), -5);
}

TEST(PictureOrderTest, OfType2BeginsAgainAfterAReset) {
  SequenceParameters sequence;
  sequence.picture_order_type = 2;
  PictureOrderCounter counter;
  counter.begin(sequence, header_of({true, true, 0, 0, 0}));
  counter.end(true);
  EXPECT_EQ(counter.begin(sequence, header_of({false, true, 7, 0, 0})).frame(), 14);
  EXPECT_EQ(counter.end_with_reset().frame(), 0);
  EXPECT_EQ(counter.begin(sequence, header_of({false, true, 1, 0, 0})).frame(), 2);
}

TEST(PictureOrderTest, StaysWithin30BitsWhateverAStreamSays) {
  SequenceParameters sequence;
  sequence.picture_order_type = 1;
  sequence.log2_max_frame_number = 16;
  sequence.offsets_for_reference_frames.assign(255, 2147483647);
  sequence.offset_for_non_reference = 2147483647;
  SliceHeader header = header_of({false, false, 65535, 0, 0});
  header.delta_picture_order[0] = 2147483647;
  PictureOrderCounter counter;
  for (int i = 0; i < 100; ++i) {
    header.frame_number = i % 2 == 0 ? 65535 : 0;
    const int count = counter.begin(sequence, header).frame();
    EXPECT_LT(count, 1 << 30);
    EXPECT_GT(count, 0);
    counter.end(false);
  }
}

}  // namespace
}  // namespace millrace::h264
