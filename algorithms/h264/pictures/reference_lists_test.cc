// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/reference_lists.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace millrace::h264 {
namespace {

using Ids = std::vector<std::int64_t>;

StoredPicture short_term(std::int64_t id, int frame_number, int picture_order) {
  StoredPicture picture;
  picture.id = id;
  picture.parsed = std::make_shared<ParsedPicture>();
  picture.frame_number = frame_number;
  picture.picture_order = picture_order;
  picture.marking = ReferenceMarking::kShortTerm;
  return picture;
}

StoredPicture long_term(std::int64_t id, int index) {
  StoredPicture picture = short_term(id, 1, 1);
  picture.marking = ReferenceMarking::kLongTerm;
  picture.long_term_index = index;
  return picture;
}

Slice slice_of(SliceType type, int frame_number, int count0, int count1 = 0) {
  Slice slice;
  slice.header.type = type;
  slice.header.frame_number = frame_number;
  slice.header.reference_counts[0] = count0;
  slice.header.reference_counts[1] = count1;
  return slice;
}

Ids ids(const std::vector<Reference>& list) {
  Ids result;
  for (const Reference& reference : list) {
    EXPECT_EQ(reference.picture < 0, reference.parsed == nullptr);
    result.push_back(reference.picture);
  }
  return result;
}

TEST(ReferenceListsTest, OfPSlicesBeginWithTheLastPicture) {
  // Clause 8.2.4.2.1: FrameNumWrap of 14 and 15 is -2 and -1 for the current frame_num 2.
  const std::vector<StoredPicture> stored = {long_term(7, 3),      short_term(1, 14, 0),
                                             short_term(2, 15, 2), long_term(8, 0),
                                             short_term(3, 0, 4),  short_term(4, 1, 6)};
  Slice slice = slice_of(SliceType::kP, 2, 6);
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 8}, slice), 0);
  EXPECT_EQ(ids(slice.references[0]), (Ids{4, 3, 2, 1, 8, 7}));
  EXPECT_TRUE(slice.references[1].empty());
  EXPECT_TRUE(slice.references[0][4].is_long_term);
  EXPECT_EQ(slice.references[0][1].picture_order, 4);
}

TEST(ReferenceListsTest, AreCutOrFilledUpToTheirLength) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 2), short_term(2, 2, 4)};
  Slice slice = slice_of(SliceType::kP, 3, 1);
  build_reference_lists(stored, {.picture_order = 6}, slice);
  EXPECT_EQ(ids(slice.references[0]), Ids{2});
  slice = slice_of(SliceType::kP, 3, 4);
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 6}, slice), 0);
  EXPECT_EQ(ids(slice.references[0]), (Ids{2, 1, -1, -1}));
}

TEST(ReferenceListsTest, OfBSlicesAreOrderedByDistance) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0),  short_term(2, 2, 16),
                                             short_term(3, 3, 8),  short_term(4, 4, 4),
                                             short_term(5, 5, 12), long_term(9, 0)};
  Slice slice = slice_of(SliceType::kB, 6, 6, 6);
  build_reference_lists(stored, {.picture_order = 10}, slice);
  EXPECT_EQ(ids(slice.references[0]), (Ids{3, 4, 1, 5, 2, 9}));
  EXPECT_EQ(ids(slice.references[1]), (Ids{5, 2, 3, 4, 1, 9}));
}

TEST(ReferenceListsTest, OfBSlicesExchangeTheFirstTwoWhereBothAreEqual) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0), short_term(2, 2, 4),
                                             short_term(3, 3, 2)};
  Slice slice = slice_of(SliceType::kB, 4, 3, 3);
  build_reference_lists(stored, {.picture_order = 6}, slice);
  EXPECT_EQ(ids(slice.references[0]), (Ids{2, 3, 1}));
  EXPECT_EQ(ids(slice.references[1]), (Ids{3, 2, 1}));
  // The exchange precedes the cut to the lists' lengths.
  slice = slice_of(SliceType::kB, 4, 1, 1);
  build_reference_lists(stored, {.picture_order = 6}, slice);
  EXPECT_EQ(ids(slice.references[0]), Ids{2});
  EXPECT_EQ(ids(slice.references[1]), Ids{3});
}

TEST(ReferenceListsTest, OfBSlicesKeepASingleEntry) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0)};
  Slice slice = slice_of(SliceType::kB, 4, 1, 1);
  build_reference_lists(stored, {.picture_order = 6}, slice);
  EXPECT_EQ(ids(slice.references[0]), Ids{1});
  EXPECT_EQ(ids(slice.references[1]), Ids{1});
}

TEST(ReferenceListsTest, AreModifiedByDifferencesThatWrap) {
  const std::vector<StoredPicture> stored = {short_term(1, 14, 0), short_term(2, 15, 2),
                                             short_term(3, 0, 4), short_term(4, 1, 6)};
  Slice slice = slice_of(SliceType::kP, 2, 4);
  // 2 - 4 = -2 is frame_num 14 (picture 1); 14 + 3 = 17 wraps to 1 (picture 4); 1 - 2 = -1 is
  // frame_num 15 (picture 2).
  slice.header.list_operations[0] = {{0, 3}, {1, 2}, {0, 1}};
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 8}, slice), 0);
  EXPECT_EQ(ids(slice.references[0]), (Ids{1, 4, 2, 3}));
}

TEST(ReferenceListsTest, MayHaveAPictureTwice) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0), short_term(2, 2, 2)};
  Slice slice = slice_of(SliceType::kP, 3, 3);
  // 3 - 1 = 2, and 2 - 16 = 2 again.
  slice.header.list_operations[0] = {{0, 0}, {0, 15}};
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 4}, slice), 0);
  EXPECT_EQ(ids(slice.references[0]), (Ids{2, 2, 1}));
}

TEST(ReferenceListsTest, AreModifiedByLongTermPictures) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0), short_term(2, 2, 2),
                                             long_term(5, 0), long_term(6, 2)};
  Slice slice = slice_of(SliceType::kB, 3, 4, 2);
  slice.header.list_operations[0] = {{2, 2}, {0, 0}};
  slice.header.list_operations[1] = {{2, 0}};
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 1}, slice), 0);
  EXPECT_EQ(ids(slice.references[0]), (Ids{6, 2, 1, 5}));
  EXPECT_EQ(ids(slice.references[1]), (Ids{5, 2}));
}

TEST(ReferenceListsTest, HaveAMissingEntryWhereAnOperationNamesNothing) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0), short_term(2, 2, 2)};
  Slice slice = slice_of(SliceType::kP, 3, 3);
  slice.header.list_operations[0] = {{0, 5}, {2, 4}, {0, 0xFFFFFFFE}};
  EXPECT_EQ(build_reference_lists(stored, {.picture_order = 4}, slice), 3);
  EXPECT_EQ(ids(slice.references[0]), (Ids{-1, -1, -1}));
}

TEST(ReferenceListsTest, HaveInferredPicturesAsMissing) {
  std::vector<StoredPicture> stored = {short_term(1, 1, 0), short_term(2, 2, 2)};
  stored[1].is_inferred = true;
  stored[1].parsed = nullptr;
  Slice slice = slice_of(SliceType::kP, 3, 2);
  build_reference_lists(stored, {.picture_order = 4}, slice);
  EXPECT_EQ(ids(slice.references[0]), (Ids{-1, 1}));
  // Lists of B slices have none of them where order counts are of type 0.
  slice = slice_of(SliceType::kB, 3, 2, 1);
  build_reference_lists(stored, {.picture_order = 4, .picture_order_type = 0}, slice);
  EXPECT_EQ(ids(slice.references[0]), (Ids{1, -1}));
  build_reference_lists(stored, {.picture_order = 4, .picture_order_type = 1}, slice);
  EXPECT_EQ(ids(slice.references[0]), (Ids{-1, 1}));
}

TEST(ReferenceListsTest, OfISlicesAreEmpty) {
  const std::vector<StoredPicture> stored = {short_term(1, 1, 0)};
  Slice slice = slice_of(SliceType::kI, 2, 0);
  EXPECT_EQ(build_reference_lists(stored, {}, slice), 0);
  EXPECT_TRUE(slice.references[0].empty());
}

}  // namespace
}  // namespace millrace::h264
