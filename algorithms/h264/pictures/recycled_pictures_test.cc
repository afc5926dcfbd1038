// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/pictures/recycled_pictures.h>

#include <gtest/gtest.h>

#include <memory>

namespace millrace::h264 {
namespace {

TEST(RecycledPicturesTest, MakesPicturesThatAreFresh) {
  RecycledPictures pictures;
  std::shared_ptr<ParsedPicture> picture = pictures.make();
  const ParsedPicture* const memory = picture.get();
  picture->slices.resize(2);
  picture->picture_parameters.resize(2);
  picture->sequence = std::make_shared<SequenceParameters>();
  picture->is_idr = true;
  picture->bytes = 9;
  picture.reset();
  picture = pictures.make();
  EXPECT_EQ(picture.get(), memory);
  EXPECT_TRUE(picture->slices.empty());
  EXPECT_TRUE(picture->picture_parameters.empty());
  EXPECT_EQ(picture->sequence, nullptr);
  EXPECT_FALSE(picture->is_idr);
  EXPECT_EQ(picture->bytes, 0U);
}

TEST(RecycledPicturesTest, LeavesPicturesThatSomebodyOwns) {
  RecycledPictures pictures;
  const std::shared_ptr<ParsedPicture> kept = pictures.make();
  kept->bytes = 7;
  std::shared_ptr<ParsedPicture> other = pictures.make();
  EXPECT_NE(other, kept);
  const ParsedPicture* const memory = other.get();
  other.reset();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pictures.make().get(), memory);
  EXPECT_EQ(kept->bytes, 7U);
}

TEST(RecycledPicturesTest, LendsTheMemoryOfListsOnce) {
  RecycledPictures pictures;
  std::shared_ptr<ParsedPicture> picture = pictures.make();
  Slice& slice = picture->slices.emplace_back();
  slice.references[1].resize(5);
  slice.header.marking_operations.resize(3);
  const Reference* const references = slice.references[1].data();
  picture.reset();
  picture = pictures.make();
  Slice& next = picture->slices.emplace_back();
  pictures.lend_lists(next);
  pictures.lend_lists(next.header);
  EXPECT_TRUE(next.references[1].empty());
  EXPECT_EQ(next.references[1].data(), references);
  EXPECT_TRUE(next.header.marking_operations.empty());
  EXPECT_GE(next.header.marking_operations.capacity(), 3U);
  Slice third;
  pictures.lend_lists(third);
  EXPECT_EQ(third.references[1].capacity(), 0U);
}

}  // namespace
}  // namespace millrace::h264
