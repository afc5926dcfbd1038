// SPDX-License-Identifier: Apache-2.0

// Parsed pictures made by hand.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TEST_PICTURE_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TEST_PICTURE_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <initializer_list>
#include <memory>

namespace millrace::h264 {

// Returns a picture of one slice, whose macroblocks are of `type`, with QP 30 and coefficients of
// 0.
inline ParsedPicture made_picture(int width, int height, SliceType slice, MacroblockType type) {
  ParsedPicture picture;
  auto sequence = std::make_shared<SequenceParameters>();
  sequence->width_in_macroblocks = width;
  sequence->height_in_macroblocks = height;
  picture.sequence = sequence;
  picture.slices.resize(1);
  picture.slices[0].header.type = slice;
  picture.macroblocks.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  picture.coefficients.reset(picture.macroblocks.size());
  for (Macroblock& macroblock : picture.macroblocks) {
    macroblock.type = type;
    macroblock.qp = 30;
  }
  return picture;
}

// Returns the first 4x4 block of the partition of an inter macroblock's 4x4 block (ITU-T H.264
// tables 7-13, 7-14, 7-17 and 7-18). With direct prediction each block has its own motion.
inline int first_of_partition(const Macroblock& macroblock, int block) {
  int width = 1;
  int height = 1;
  if (macroblock.type == MacroblockType::kInter16x16) {
    width = height = 4;
  } else if (macroblock.type == MacroblockType::kInter16x8) {
    width = 4;
    height = 2;
  } else if (macroblock.type == MacroblockType::kInter8x16) {
    width = 2;
    height = 4;
  } else if (macroblock.type == MacroblockType::kInter8x8) {
    const SubPartition partition = macroblock.sub_partitions[2 * (block / 8) + block % 4 / 2];
    width = partition == SubPartition::k8x8 || partition == SubPartition::k8x4 ? 2 : 1;
    height = partition == SubPartition::k8x8 || partition == SubPartition::k4x8 ? 2 : 1;
  }
  const int x = block % 4;
  const int y = block / 4;
  return 4 * (y - y % height) + x - x % width;
}

// Gives macroblock `index` these coefficients.
inline void set_coefficients(ParsedPicture& picture, std::size_t index,
                             std::initializer_list<CodedCoefficient> coded) {
  picture.coefficients.set(index, CoefficientView{coded.begin(), static_cast<int>(coded.size())});
}

// Adds a reference to the end of a list of the first slice.
inline void add_reference(ParsedPicture& picture, int list, std::int64_t id, int picture_order) {
  picture.slices[0].references[list].push_back({.picture = id, .picture_order = picture_order});
}

// Has all of a macroblock refer to entry 0 of a list by one vector, coded with `difference`.
inline void refer(Macroblock& macroblock, int list, MotionVector vector, MotionVector difference) {
  for (auto& index : macroblock.references[list]) index = 0;
  for (auto& block : macroblock.vectors[list]) block = vector;
  for (auto& block : macroblock.differences[list]) block = difference;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TEST_PICTURE_H_
