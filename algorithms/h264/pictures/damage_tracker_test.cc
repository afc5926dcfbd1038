// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/pictures/damage_tracker.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>

namespace millrace::h264 {
namespace {

constexpr int kColumns = 4;
constexpr int kRows = 3;

ParsedPicture picture_of(std::int64_t id, MacroblockType type) {
  ParsedPicture picture;
  auto sequence = std::make_shared<SequenceParameters>();
  sequence->width_in_macroblocks = kColumns;
  sequence->height_in_macroblocks = kRows;
  picture.id = id;
  picture.sequence = sequence;
  picture.slices.resize(1);
  picture.macroblocks.resize(kColumns * kRows);
  for (Macroblock& macroblock : picture.macroblocks) macroblock.type = type;
  return picture;
}

Macroblock& at(ParsedPicture& picture, int column, int row) {
  return picture.macroblocks[static_cast<std::size_t>(row * kColumns + column)];
}

// All macroblocks refer to `reference` by one vector.
ParsedPicture predicted(std::int64_t id, std::int64_t reference, MotionVector vector = {0, 0}) {
  ParsedPicture picture = picture_of(id, MacroblockType::kInter16x16);
  picture.slices[0].references[0].push_back({.picture = reference});
  for (Macroblock& macroblock : picture.macroblocks) {
    for (auto& index : macroblock.references[0]) index = 0;
    for (auto& block : macroblock.vectors[0]) block = vector;
  }
  return picture;
}

// A tracker of a picture 0 whose macroblock (1, 1) is lost.
DamageTracker tracker_after_a_loss() {
  ParsedPicture first = picture_of(0, MacroblockType::kIntra16x16);
  at(first, 1, 1).type = MacroblockType::kLost;
  DamageTracker tracker;
  const PictureDamage damage = tracker.measure(first);
  EXPECT_EQ(damage.inter_macroblocks, 0);
  EXPECT_EQ(damage.refer_to_damaged, 0);
  return tracker;
}

std::int64_t referring(MotionVector vector) {
  DamageTracker tracker = tracker_after_a_loss();
  const PictureDamage damage = tracker.measure(predicted(1, 0, vector));
  EXPECT_EQ(damage.inter_macroblocks, kColumns * kRows);
  EXPECT_EQ(damage.refer_to_damaged, damage.refer_to_concealed);
  return damage.refer_to_concealed;
}

TEST(DamageTracker, SoundPicturesHaveNoDamage) {
  DamageTracker tracker;
  tracker.measure(picture_of(0, MacroblockType::kIntra4x4));
  const PictureDamage damage = tracker.measure(predicted(1, 0, {5, 7}));
  EXPECT_EQ(damage.inter_macroblocks, kColumns * kRows);
  EXPECT_EQ(damage.refer_to_concealed, 0);
  EXPECT_EQ(damage.refer_to_damaged, 0);
  EXPECT_EQ(damage.damaged_reference_fraction(), 0);
}

// The lost macroblock has samples 16 to 31 in both directions.
TEST(DamageTracker, VectorsSayWhichMacroblocksAreReferredTo) {
  EXPECT_EQ(referring({0, 0}), 1);
  EXPECT_EQ(referring({4, 0}), 2);    // One sample to the right: columns 0 and 1.
  EXPECT_EQ(referring({64, 0}), 1);   // A macroblock to the right: column 0.
  EXPECT_EQ(referring({64, 64}), 1);  // Macroblock (0, 0).
  EXPECT_EQ(referring({4, -4}), 4);
}

// Half a sample to the right, macroblock (0, 1) reads samples up to 18, and (2, 1) from 30 on.
TEST(DamageTracker, TheInterpolationFilterCounts) {
  EXPECT_EQ(referring({2, 0}), 3);
  EXPECT_EQ(referring({0, 1}), 3);
  EXPECT_EQ(referring({2, 1}), 9);
}

// Vectors far outside of the picture read its border: column 0 here.
TEST(DamageTracker, BordersAreRepeated) {
  EXPECT_EQ(referring({-32'000, 0}), 0);
  DamageTracker tracker;
  ParsedPicture first = picture_of(0, MacroblockType::kIntra16x16);
  at(first, 0, 1).type = MacroblockType::kLost;
  tracker.measure(first);
  EXPECT_EQ(tracker.measure(predicted(1, 0, {-32'000, 0})).refer_to_concealed, kColumns);
}

TEST(DamageTracker, DamageGoesOnAndConcealmentDoesNot) {
  DamageTracker tracker = tracker_after_a_loss();
  tracker.measure(predicted(1, 0, {4, 0}));  // Damages (0, 1) and (1, 1).
  const PictureDamage damage = tracker.measure(predicted(2, 1));
  EXPECT_EQ(damage.refer_to_concealed, 0);
  EXPECT_EQ(damage.refer_to_damaged, 2);
  EXPECT_DOUBLE_EQ(damage.damaged_reference_fraction(), 2.0 / (kColumns * kRows));
  // An intra picture ends it.
  tracker.measure(picture_of(3, MacroblockType::kIntra16x16));
  EXPECT_EQ(tracker.measure(predicted(4, 3)).refer_to_damaged, 0);
}

TEST(DamageTracker, BothListsCount) {
  DamageTracker tracker = tracker_after_a_loss();
  tracker.measure(picture_of(1, MacroblockType::kIntra16x16));
  ParsedPicture picture = predicted(2, 1);
  picture.slices[0].references[1].push_back({.picture = 0});
  for (auto& index : at(picture, 1, 1).references[1]) index = 0;
  EXPECT_EQ(tracker.measure(picture).refer_to_concealed, 1);
}

TEST(DamageTracker, MissingAndInferredReferencesAreConcealed) {
  DamageTracker tracker;
  EXPECT_EQ(tracker.measure(predicted(0, -1)).refer_to_concealed, kColumns * kRows);
  ParsedPicture inferred = picture_of(1, MacroblockType::kLost);
  inferred.is_inferred = true;
  inferred.slices.clear();
  tracker.measure(inferred);
  EXPECT_EQ(tracker.measure(predicted(2, 1)).refer_to_concealed, kColumns * kRows);
}

TEST(DamageTracker, FractionsAreOfInterMacroblocks) {
  DamageTracker tracker = tracker_after_a_loss();
  ParsedPicture picture = predicted(1, 0);
  at(picture, 0, 0).type = MacroblockType::kIntra4x4;
  at(picture, 2, 2).type = MacroblockType::kLost;
  const PictureDamage damage = tracker.measure(picture);
  EXPECT_EQ(damage.inter_macroblocks, kColumns * kRows - 2);
  EXPECT_DOUBLE_EQ(damage.concealed_reference_fraction(), 1.0 / (kColumns * kRows - 2));
}

TEST(DamageTracker, ReleasedPicturesAreForgotten) {
  DamageTracker tracker = tracker_after_a_loss();
  tracker.release(0);
  EXPECT_EQ(tracker.measure(predicted(1, 0)).refer_to_concealed, 0);
}

TEST(DamageTracker, SoundPicturesNeedNoMacroblocks) {
  const DamageTracker tracker = tracker_after_a_loss();
  EXPECT_FALSE(tracker.needs_macroblocks(picture_of(1, MacroblockType::kIntra16x16), false));
  EXPECT_FALSE(tracker.needs_macroblocks(predicted(2, 1), false));
  EXPECT_TRUE(tracker.needs_macroblocks(predicted(2, 1), true));
  EXPECT_TRUE(tracker.needs_macroblocks(predicted(2, 0), false));
  EXPECT_TRUE(tracker.needs_macroblocks(predicted(2, -1), false));
  ParsedPicture inferred = picture_of(3, MacroblockType::kLost);
  inferred.slices.clear();
  EXPECT_TRUE(tracker.needs_macroblocks(inferred, false));
}

TEST(DamageTracker, TakesAnyContents) {
  DamageTracker tracker = tracker_after_a_loss();
  EXPECT_EQ(tracker.measure(ParsedPicture()).inter_macroblocks, 0);
  ParsedPicture picture = predicted(1, 0);
  at(picture, 0, 0).slice = 7;
  for (auto& index : at(picture, 1, 0).references[0]) index = 30;  // Not in the list.
  picture.macroblocks.resize(kColumns);
  const PictureDamage damage = tracker.measure(picture);
  EXPECT_EQ(damage.inter_macroblocks, kColumns - 1);
  EXPECT_EQ(damage.refer_to_concealed, 1);
}

}  // namespace
}  // namespace millrace::h264
