// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/mark_references.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::h264 {
namespace {

// Decodes reference pictures one after another; MaxFrameNum is 16.
class MarkReferencesTest : public testing::Test {
 protected:
  MarkingResult decode(int frame_number, std::vector<ReferenceOperation> operations = {}) {
    SliceHeader header;
    header.nal_reference = 1;
    header.frame_number = frame_number;
    header.has_marking_operations = !operations.empty();
    header.marking_operations = std::move(operations);
    return decode(header);
  }
  MarkingResult decode(const SliceHeader& header) {
    StoredPicture current;
    current.id = next_id++;
    current.frame_number = header.frame_number;
    const MarkingResult result = mark_references(stored, current, header, limits);
    stored.push_back(current);
    return result;
  }
  // Returns the references in decoding order: s and frame_num, or L and LongTermFrameIdx.
  std::string references() const {
    std::string text;
    for (const StoredPicture& picture : stored) {
      if (picture.is_short_term()) text += " s" + std::to_string(picture.frame_number);
      if (picture.is_long_term()) text += " L" + std::to_string(picture.long_term_index);
    }
    return text;
  }

  MarkingLimits limits = {
      .max_frame_number = 16, .max_reference_frames = 3, .max_long_term_index = -1};
  std::vector<StoredPicture> stored;
  std::int64_t next_id = 0;
};

TEST_F(MarkReferencesTest, SlidesTheWindowOverAWrapOfFrameNum) {
  for (const int frame : {13, 14, 15}) decode(frame);
  EXPECT_EQ(references(), " s13 s14 s15");
  decode(0);
  EXPECT_EQ(references(), " s14 s15 s0");
  decode(1);
  EXPECT_EQ(references(), " s15 s0 s1");
}

TEST_F(MarkReferencesTest, KeepsOneReferenceWhereTheSequenceHasNone) {
  limits.max_reference_frames = 0;
  decode(1);
  decode(2);
  EXPECT_EQ(references(), " s2");
}

TEST_F(MarkReferencesTest, UnmarksAShortTermPicture) {
  for (const int frame : {15, 0, 1}) decode(frame);
  // CurrPicNum 2, picNumX = 2 - (2 + 1) = -1: frame_num 15.
  EXPECT_EQ(decode(2, {{1, 2}}).damage, nullptr);
  EXPECT_EQ(references(), " s0 s1 s2");
}

TEST_F(MarkReferencesTest, MakesShortTermPicturesLongTerm) {
  for (const int frame : {1, 2}) decode(frame);
  // At most index 1; picture 1 gets index 1.
  EXPECT_EQ(decode(3, {{4, 2}, {3, 1, 1}}).damage, nullptr);
  EXPECT_EQ(references(), " L1 s2 s3");
  // The window slides over short-term pictures alone.
  decode(4);
  EXPECT_EQ(references(), " L1 s3 s4");
  // Index 1 goes to picture 3; picture 1 is unmarked.
  EXPECT_EQ(decode(5, {{3, 1, 1}}).damage, nullptr);
  EXPECT_EQ(references(), " L1 s4 s5");
  EXPECT_EQ(stored[2].frame_number, 3);
  EXPECT_TRUE(stored[2].is_long_term());
}

TEST_F(MarkReferencesTest, MakesTheCurrentPictureLongTermAndUnmarksIt) {
  decode(1);
  EXPECT_EQ(decode(2, {{4, 1}, {6, 0}}).damage, nullptr);
  EXPECT_EQ(references(), " s1 L0");
  EXPECT_EQ(decode(3, {{2, 0}}).damage, nullptr);
  EXPECT_EQ(references(), " s1 s3");
}

TEST_F(MarkReferencesTest, LimitsTheLongTermIndices) {
  decode(1);
  decode(2, {{4, 3}, {3, 0, 2}});
  decode(3, {{3, 0, 0}});
  EXPECT_EQ(references(), " L2 L0 s3");
  EXPECT_EQ(decode(4, {{4, 1}}).damage, nullptr);
  EXPECT_EQ(references(), " L0 s3 s4");
  EXPECT_EQ(decode(5, {{4, 0}}).damage, nullptr);
  EXPECT_EQ(references(), " s3 s4 s5");
}

TEST_F(MarkReferencesTest, ForgetsAllAtAReset) {
  decode(1);
  decode(2, {{4, 1}, {3, 0, 0}});
  const MarkingResult result = decode(3, {{5}});
  EXPECT_TRUE(result.has_reset);
  EXPECT_EQ(references(), " s3");
  EXPECT_EQ(limits.max_long_term_index, -1);
}

TEST_F(MarkReferencesTest, ForgetsAllAtAnIdrPicture) {
  decode(1);
  SliceHeader idr;
  idr.nal_unit_type = 5;
  idr.nal_reference = 1;
  decode(idr);
  EXPECT_EQ(references(), " s0");
  idr.is_long_term = true;
  decode(idr);
  EXPECT_EQ(references(), " L0");
  EXPECT_EQ(limits.max_long_term_index, 0);
}

TEST_F(MarkReferencesTest, SaysWhatIsDamagedAndStaysWithinTheLimit) {
  for (const int frame : {1, 2, 3}) decode(frame);
  EXPECT_NE(decode(4, {{1, 9}}).damage, nullptr);  // Not there, so four would be left.
  EXPECT_EQ(references(), " s2 s3 s4");
  EXPECT_NE(decode(5, {{2, 0}}).damage, nullptr);
  EXPECT_NE(decode(6, {{3, 0, 0}}).damage, nullptr);  // Above "no long-term frame indices".
  EXPECT_NE(decode(7, {{4, 17}}).damage, nullptr);
  EXPECT_NE(decode(8, {{1, 0xFFFFFFFE}}).damage, nullptr);
  EXPECT_NE(decode(9, {{4, 16}}).damage, nullptr);  // Three others are left.
  EXPECT_EQ(references(), " s7 s8 s9");
}

TEST_F(MarkReferencesTest, KeepsTheNewerOfTwoPicturesOfOneNumber) {
  decode(1);
  decode(1);
  EXPECT_EQ(references(), " s1");
}

TEST_F(MarkReferencesTest, UnmarksALongTermPictureWhereNoOtherIsLeft) {
  limits.max_long_term_index = 15;
  decode(1, {{6, 0}});
  decode(2, {{6, 1}});
  decode(3, {{6, 2}});
  decode(4);
  EXPECT_EQ(references(), " L1 L2 s4");
}

}  // namespace
}  // namespace millrace::h264
