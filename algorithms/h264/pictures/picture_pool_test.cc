// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/pictures/picture_pool.h>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <thread>

namespace millrace::h264 {
namespace {

TEST(PicturePoolTest, MakesPicturesThatAreFresh) {
  PicturePool pool;
  std::shared_ptr<ParsedPicture> picture = pool.make(4, true);
  const Macroblock* const memory = picture->macroblocks.data();
  picture->macroblocks[3].type = MacroblockType::kPcm;
  const CodedCoefficient coefficient = {255, 7};
  picture->coefficients.set(3, CoefficientView{&coefficient, 1});
  picture->macroblocks[3].qp = 9;
  picture->slices.resize(2);
  picture->is_idr = true;
  picture->bytes = 9;
  picture->sequence = std::make_shared<SequenceParameters>();
  picture.reset();
  picture = pool.make(4, true);
  EXPECT_EQ(picture->macroblocks.data(), memory);
  ASSERT_EQ(picture->macroblocks.size(), 4U);
  ASSERT_EQ(picture->coefficients.size(), 4U);
  EXPECT_EQ(picture->macroblocks[3].type, MacroblockType::kLost);
  EXPECT_EQ(picture->coefficients.list().size(), 0U);
  EXPECT_TRUE(picture->slices.empty());
  EXPECT_EQ(picture->sequence, nullptr);
  EXPECT_FALSE(picture->is_idr);
  EXPECT_EQ(picture->bytes, 0U);
}

TEST(PicturePoolTest, ClearsWhatIsLost) {
  PicturePool pool;
  const std::shared_ptr<ParsedPicture> picture = pool.make(2, true);
  for (int i = 0; i < 2; ++i) {
    picture->macroblocks[i].qp = 9;
    const CodedCoefficient coefficient = {255, 7};
    picture->coefficients.set(i, CoefficientView{&coefficient, 1});
  }
  picture->macroblocks[0].type = MacroblockType::kIntra4x4;
  clear_lost(*picture);
  EXPECT_EQ(picture->macroblocks[0].qp, 9);
  ASSERT_EQ(picture->coefficients.of(0).count, 1);
  EXPECT_EQ(picture->coefficients.of(0).first->value, 7);
  EXPECT_EQ(picture->macroblocks[1].qp, 0);
  EXPECT_EQ(picture->coefficients.of(1).count, 0);
}

TEST(PicturePoolTest, TakesCoefficientsBackFromTheLastReader) {
  PicturePool pool;
  const std::shared_ptr<ParsedPicture> picture = pool.make(4, true);
  picture->slices.resize(1);
  picture->slices[0].references[0].resize(1);
  picture->slices[0].references[0][0] = {.picture = 3, .parsed = picture.get()};
  picture->coefficients.extend(5);
  const CodedCoefficient* const memory = picture->coefficients.list().data();
  {
    std::shared_ptr<const ParsedPicture> reader = pool.lend(picture);
    const std::shared_ptr<const ParsedPicture> other = reader;
    reader.reset();
    EXPECT_EQ(other.get(), picture.get());
    EXPECT_EQ(picture->coefficients.size(), 4U);
  }
  EXPECT_TRUE(!picture->coefficients.are_wanted());
  EXPECT_EQ(picture->slices[0].references[0][0].picture, 3);
  EXPECT_EQ(picture->slices[0].references[0][0].parsed, nullptr);
  const std::shared_ptr<ParsedPicture> next = pool.make(3, true);
  EXPECT_EQ(next->coefficients.extend(5), memory);
  EXPECT_EQ(next->coefficients.size(), 3U);
  EXPECT_TRUE(!pool.make(3, false)->coefficients.are_wanted());
}

TEST(PicturePoolTest, LendsPicturesLongerThanTheirOwnersKeepThem) {
  PicturePool pool;
  std::shared_ptr<ParsedPicture> picture = pool.make(4, true);
  std::shared_ptr<const ParsedPicture> reader = pool.lend(picture);
  picture.reset();
  const CoefficientRange* const memory = reader->coefficients.ranges().data();
  EXPECT_EQ(reader->macroblocks.size(), 4U);
  EXPECT_NE(pool.make(4, true)->coefficients.ranges().data(), memory);
  reader.reset();
  EXPECT_EQ(pool.make(4, true)->macroblocks.size(), 4U);
}

TEST(PicturePoolTest, MayEndBeforeItsPicturesDo) {
  std::optional<PicturePool> pool(std::in_place);
  std::shared_ptr<ParsedPicture> picture = pool->make(4, true);
  pool.reset();
  EXPECT_EQ(picture->macroblocks.size(), 4U);
  std::thread([last = std::move(picture)]() mutable { last.reset(); }).join();
}

}  // namespace
}  // namespace millrace::h264
