// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/add_macroblock.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/motion_statistics.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/features/reference_distances.h>
#include <millrace/algorithms/h264/features/test_picture.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace millrace::h264 {
namespace {

constexpr int kWidth = 7;
constexpr int kHeight = 5;
constexpr int kStep = 1;

class RandomMotionPicture {
 public:
  explicit RandomMotionPicture(unsigned seed) : random_(seed) {
    picture = made_picture(kWidth, kHeight, SliceType::kB, MacroblockType::kSkip);
    picture.id = 40;
    picture.picture_order = 50;
    for (int list = 0; list < 2; ++list) {
      for (int i = 0; i < 4; ++i) add_reference(picture, list, any(-1, 39), any(0, 100));
    }
    for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) fill(i);
  }

  ParsedPicture picture;

 private:
  int any(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  std::int16_t any_component() { return static_cast<std::int16_t>(any(-300, 300)); }

  void fill(std::size_t index) {
    Macroblock& macroblock = picture.macroblocks[index];
    macroblock.type = static_cast<MacroblockType>(any(0, 10));
    macroblock.qp = static_cast<std::uint8_t>(any(0, 51));
    macroblock.coded_block_pattern = static_cast<std::uint8_t>(any(0, 47));
    macroblock.has_8x8_transform = any(0, 1) == 1;
    for (auto& bits : macroblock.bits) bits = static_cast<std::uint32_t>(any(0, 1000));
    for (auto& partition : macroblock.sub_partitions) {
      partition = static_cast<SubPartition>(any(0, 4));
    }
    if (is_intra(macroblock.type)) {
      set_coefficients(picture, index, {{static_cast<std::uint16_t>(any(0, 383)), -100}});
      return;
    }
    for (int list = 0; list < 2; ++list) {
      std::int8_t* const references = macroblock.references[list];
      for (int quarter = 0; quarter < 4; ++quarter) {
        const int first = first_of_partition(macroblock, 8 * (quarter / 2) + 2 * (quarter % 2));
        const int first_quarter = 2 * (first / 8) + first % 4 / 2;
        references[quarter] = first_quarter == quarter
                                  ? static_cast<std::int8_t>(any(-1, 4))  // The lists have 0 to 3.
                                  : references[first_quarter];
      }
      for (int block = 0; block < 16; ++block) {
        const int first = first_of_partition(macroblock, block);
        MotionVector& vector = macroblock.vectors[list][block];
        MotionVector& difference = macroblock.differences[list][block];
        if (first == block) {
          vector = {any_component(), any_component()};
          difference = {any_component(), any_component()};
        } else {
          vector = macroblock.vectors[list][first];
          difference = macroblock.differences[list][first];
        }
      }
    }
  }

  std::mt19937 random_;
};

template <class T>
bool are_same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

TEST(PictureSums, DoNotDependOnTheOrderOfMacroblocks) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  const RandomMotionPicture random(seed);
  MeasuredPictureMaker maker;
  const MeasuredPicture measured = maker.make(random.picture, kStep);
  std::vector<MacroblockRowSums> rows;
  const PictureSums in_order = sum_macroblocks(measured, rows);

  std::vector<std::int32_t> order(random.picture.macroblocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  PictureSums shuffled;
  std::vector<MacroblockRowSums> shuffled_rows(kHeight);
  for (const std::int32_t index : order) {
    add_macroblock(measured, index, shuffled, shuffled, shuffled_rows.data(),
                   [](std::uint64_t& counter, std::uint64_t value) { counter += value; });
  }
  EXPECT_TRUE(are_same_bytes(in_order, shuffled));
  ASSERT_EQ(rows.size(), shuffled_rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(are_same_bytes(rows[i], shuffled_rows[i])) << i;
  }
}

// Motion and references by their definitions, in floating point.
struct Defined {
  explicit Defined(const ParsedPicture& picture) {
    const Slice& slice = picture.slices[0];
    for (const Macroblock& macroblock : picture.macroblocks) {
      if (is_intra(macroblock.type) || macroblock.type == MacroblockType::kLost) continue;
      for (int list = 0; list < 2; ++list) {
        for (const std::int8_t index : macroblock.references[list]) {
          const Reference* const reference = find(slice, list, index);
          if (reference == nullptr) continue;
          ++references;
          output += distance(picture, *reference);
          decoding += static_cast<double>(picture.id - reference->picture);
        }
      }
      if (macroblock.type == MacroblockType::kSkip) continue;
      for (int block = 0; block < 16; ++block) add_block(picture, macroblock, block);
    }
  }

  static const Reference* find(const Slice& slice, int list, int index) {
    if (index < 0 || index >= static_cast<int>(slice.references[list].size())) return nullptr;
    const Reference& reference = slice.references[list][static_cast<std::size_t>(index)];
    return reference.picture < 0 ? nullptr : &reference;
  }
  static double distance(const ParsedPicture& picture, const Reference& reference) {
    return std::max(1, std::abs(picture.picture_order - reference.picture_order) / kStep);
  }

  void add_block(const ParsedPicture& picture, const Macroblock& macroblock, int block) {
    double length = 0, x = 0, difference = 0;
    int lists = 0;
    for (int list = 0; list < 2 && macroblock.type != MacroblockType::kDirect; ++list) {
      const int index = macroblock.references[list][2 * (block / 8) + block % 4 / 2];
      if (index < 0) continue;
      ++lists;
      const MotionVector coded = macroblock.differences[list][block];
      difference += std::hypot(coded.x, coded.y);
      const Reference* const reference = find(picture.slices[0], list, index);
      if (reference == nullptr) continue;
      const MotionVector vector = macroblock.vectors[list][block];
      length += std::hypot(vector.x, vector.y) / (2 * distance(picture, *reference));
      x += std::abs(vector.x) / (2 * distance(picture, *reference));
    }
    lengths.push_back(lists == 0 ? 0 : length / lists);
    xs.push_back(lists == 0 ? 0 : x / lists);
    differences.push_back(lists == 0 ? 0 : difference / lists);
  }

  std::vector<double> lengths, xs, differences;
  double output = 0, decoding = 0;
  std::int64_t references = 0;
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += (value - mean(values)) * (value - mean(values));
  return std::sqrt(1e-5 + sum / static_cast<double>(values.size()));
}

// Rounding to units of 2^-20 is off by at most 2^-21 for each list, and so is the mean of blocks.
// The deviation without its floor is off by no more than the values are.
TEST(PictureSums, AreThoseOfTheDefinitions) {
  constexpr double kTolerance = 1.0 / (1 << 21) + 1e-9;
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  const ParsedPicture picture = RandomMotionPicture(seed).picture;
  MeasuredPictureMaker maker;
  std::vector<MacroblockRowSums> rows;
  const PictureSums sums = sum_macroblocks(maker.make(picture, kStep), rows);
  const MotionStatistics motion = measure_motion(sums.motion);
  const ReferenceDistances distances = measure_references(sums);

  const Defined defined(picture);
  ASSERT_EQ(motion.blocks, static_cast<std::int64_t>(defined.lengths.size()));
  if (motion.blocks > 0) {
    EXPECT_NEAR(motion.length.mean, mean(defined.lengths), kTolerance);
    EXPECT_NEAR(motion.x.mean, mean(defined.xs), kTolerance);
    EXPECT_NEAR(motion.difference.mean, mean(defined.differences), kTolerance);
    EXPECT_NEAR(motion.length.deviation, deviation(defined.lengths), kTolerance);
    EXPECT_NEAR(motion.x.deviation, deviation(defined.xs), kTolerance);
    EXPECT_NEAR(motion.difference.deviation, deviation(defined.differences), kTolerance);
  }
  EXPECT_EQ(distances.references - distances.missing, defined.references);
  if (defined.references > 0) {
    const auto count = static_cast<double>(defined.references);
    EXPECT_DOUBLE_EQ(distances.mean_output_distance, defined.output / count);
    EXPECT_DOUBLE_EQ(distances.mean_decoding_distance, defined.decoding / count);
  }
}

TEST(PictureSums, EqualVectorsHaveNoVariance) {
  ParsedPicture picture = made_picture(9, 7, SliceType::kP, MacroblockType::kInter16x16);
  picture.id = 3;
  picture.picture_order = 3;
  add_reference(picture, 0, 0, 0);  // A scale of 1 / 6, which is not a binary fraction.
  for (Macroblock& macroblock : picture.macroblocks) refer(macroblock, 0, {1, 1}, {-5, 7});
  MeasuredPictureMaker maker;
  std::vector<MacroblockRowSums> rows;
  const MotionStatistics motion =
      measure_motion(sum_macroblocks(maker.make(picture, kStep), rows).motion);
  EXPECT_NEAR(motion.length.mean, std::sqrt(2.0) / 6, 1e-6);
  EXPECT_EQ(motion.length.deviation, std::sqrt(1e-5));
  EXPECT_EQ(motion.x.deviation, std::sqrt(1e-5));
  EXPECT_EQ(motion.difference.deviation, std::sqrt(1e-5));
}

TEST(PictureSums, RowsHaveTheirOwnMacroblocks) {
  ParsedPicture picture = made_picture(2, 2, SliceType::kI, MacroblockType::kIntra16x16);
  picture.macroblocks[0].qp = 7;
  picture.macroblocks[3] = {};  // Lost.
  MeasuredPictureMaker maker;
  std::vector<MacroblockRowSums> rows;
  const PictureSums sums = sum_macroblocks(maker.make(picture, kStep), rows);
  EXPECT_EQ(sums.kinds[static_cast<int>(MacroblockKind::kLost)], 1);
  EXPECT_EQ(rows[0].qp, 37);
  EXPECT_EQ(rows[0].macroblocks, 2);
  EXPECT_EQ(rows[0].empty, 1);  // The first of the picture never is.
  EXPECT_EQ(rows[1].qp, 30);
  EXPECT_EQ(rows[1].macroblocks, 1);
  EXPECT_EQ(rows[1].empty, 1);
}

TEST(MeasuredPictureMaker, MakesOneRowOfAPictureOfAnotherSize) {
  ParsedPicture picture = made_picture(4, 4, SliceType::kI, MacroblockType::kIntra16x16);
  picture.macroblocks.resize(7);
  MeasuredPictureMaker maker;
  const MeasuredPicture measured = maker.make(picture, kStep);
  EXPECT_EQ(measured.width, 7);
  EXPECT_EQ(measured.height, 1);
  EXPECT_EQ(measured.ranges, nullptr);
}

TEST(MeasuredPictureMaker, GivesDistancesInPictures) {
  ParsedPicture picture = made_picture(1, 1, SliceType::kP, MacroblockType::kSkip);
  picture.id = 5;
  picture.picture_order = 7;
  add_reference(picture, 0, 3, 2);
  add_reference(picture, 1, -1, 2);
  add_reference(picture, 1, 9, 7);
  std::vector<MeasuredReference> references;
  append_references(picture, picture.slices[0], 2, references);
  ASSERT_EQ(references.size(), 3);
  EXPECT_EQ(references[0], (MeasuredReference{0.2, 5, 2}));  // 2.5 pictures.
  EXPECT_EQ(references[1], MeasuredReference());
  EXPECT_EQ(references[2], (MeasuredReference{0.5, 2, 1}));
}

}  // namespace
}  // namespace millrace::h264
