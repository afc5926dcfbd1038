// SPDX-License-Identifier: Apache-2.0

// Adds one macroblock to the sums of its picture. One source for hosts and devices.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_ADD_MACROBLOCK_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_ADD_MACROBLOCK_H_

#include <millrace/algorithms/h264/coded_coefficient.h>
#include <millrace/algorithms/h264/features/fixed_moments.h>
#include <millrace/algorithms/h264/features/macroblock_kind.h>
#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace millrace::h264 {

// Returns the 8x8 block of a 4x4 block.
MILLRACE_FUNCTION constexpr int part_of(int block) { return 2 * (block / 8) + block % 4 / 2; }

// Returns an entry of a list; that of a missing picture where the list is shorter.
MILLRACE_FUNCTION inline MeasuredReference reference_at(const MeasuredSlice& slice, int list,
                                                        int index) {
  return index < slice.counts[list] ? slice.references[list][index] : MeasuredReference{};
}

// Returns true if two 4x4 blocks have the same motion.
MILLRACE_FUNCTION inline bool move_alike(const Macroblock& macroblock, int a, int b) {
  bool is_same = true;
  for (int list = 0; list < 2; ++list) {
    is_same = is_same &&
              macroblock.references[list][part_of(a)] == macroblock.references[list][part_of(b)] &&
              macroblock.vectors[list][a] == macroblock.vectors[list][b] &&
              macroblock.differences[list][a] == macroblock.differences[list][b];
  }
  return is_same;
}

// Returns the length of a vector times `scale`, as to_fixed() gives it.
MILLRACE_FUNCTION inline std::uint64_t fixed_length(MotionVector vector, double scale) {
  // The square is exact, and sqrt() is rounded correctly everywhere.
  const std::int64_t square = std::int64_t{vector.x} * vector.x + std::int64_t{vector.y} * vector.y;
  return to_fixed(std::sqrt(static_cast<double>(square)) * scale);
}

// Returns the size of a vector's component times `scale`, as to_fixed() gives it.
MILLRACE_FUNCTION inline std::uint64_t fixed_size(std::int16_t component, double scale) {
  return to_fixed((component < 0 ? -1.0 * component : 1.0 * component) * scale);
}

// Takes the motion of a 4x4 block `count` times.
MILLRACE_FUNCTION inline void take_block(const MeasuredSlice& slice, const Macroblock& macroblock,
                                         int block, std::uint64_t count, MotionSums& sums) {
  std::uint64_t length = 0, x = 0, y = 0, difference = 0;
  std::uint64_t lists = 0;
  for (int list = 0; list < 2; ++list) {
    const int index = macroblock.references[list][part_of(block)];
    if (index < 0) continue;
    ++lists;
    const double scale = reference_at(slice, list, index).vector_scale;
    const MotionVector vector = macroblock.vectors[list][block];
    length += fixed_length(vector, scale);
    x += fixed_size(vector.x, scale);
    y += fixed_size(vector.y, scale);
    difference += fixed_length(macroblock.differences[list][block], 1);
  }
  if (lists == 0) return;
  const std::uint64_t factor = 2 / lists;  // FixedMoments takes the sum of two values.
  sums.length.take(factor * length, count);
  sums.x.take(factor * x, count);
  sums.y.take(factor * y, count);
  sums.difference.take(factor * difference, count);
}

// Adds the motion of an inter macroblock that is not skipped.
template <class Add>
MILLRACE_FUNCTION void add_motion(const MeasuredSlice& slice, const Macroblock& macroblock,
                                  MotionSums& sums, Add add) {
  constexpr int kBlocks = 16;
  add(sums.blocks, kBlocks);
  if (macroblock.type == MacroblockType::kDirect) return;
  MotionSums own;
  // Most blocks of a macroblock move alike: each run of them is computed once.
  int first = 0;
  std::uint64_t run = 0;
  for (int i = 0; i < kBlocks; ++i) {
    // 8x8 block by 8x8 block.
    const int block = 8 * (i / 8) + 4 * (i / 2 % 2) + 2 * (i / 4 % 2) + i % 2;
    if (!move_alike(macroblock, first, block)) {
      take_block(slice, macroblock, first, run, own);
      first = block;
      run = 0;
    }
    ++run;
  }
  take_block(slice, macroblock, first, run, own);
  own.length.add_to(sums.length, add);
  own.x.add_to(sums.x, add);
  own.y.add_to(sums.y, add);
  own.difference.add_to(sums.difference, add);
}

// Adds the references of an inter macroblock.
template <class Add>
MILLRACE_FUNCTION void add_references(const MeasuredSlice& slice, const Macroblock& macroblock,
                                      PictureSums& sums, Add add) {
  constexpr int kParts = 4;
  std::uint64_t missing = 0, decoding = 0, output = 0;
  for (int list = 0; list < 2; ++list) {
    const std::int8_t* const indices = macroblock.references[list];
    for (int part = 0; part < kParts;) {
      const int index = indices[part];
      std::uint64_t run = 0;
      for (; part < kParts && indices[part] == index; ++part) ++run;
      if (index < 0) continue;
      const MeasuredReference reference = reference_at(slice, list, index);
      const std::int32_t distance = reference.decoding_distance;
      if (distance == 0) {
        missing += run;
        continue;
      }
      decoding += run * static_cast<std::uint64_t>(distance);
      output += run * static_cast<std::uint64_t>(reference.twice_output_distance);
      add(sums.distances[std::min(distance - 1, kReferenceDistances - 1)], run);
    }
  }
  if (missing != 0) add(sums.missing_references, missing);
  if (decoding == 0) return;
  add(sums.decoding_distance, decoding);
  add(sums.twice_output_distance, output);
}

// Adds what the blocks of a macroblock have in each band.
template <int bands, class Add>
MILLRACE_FUNCTION void add_bands(const std::uint64_t* energy, const std::uint64_t* nonzeros,
                                 BandCounters<bands>& sums, Add add) {
  for (int band = 0; band < bands; ++band) {
    if (nonzeros[band] == 0) continue;
    add(sums.energy[band], energy[band]);
    add(sums.nonzeros[band], nonzeros[band]);
  }
}

// Adds the coefficients of a macroblock that is not PCM.
template <class Add>
MILLRACE_FUNCTION void add_coefficients(const Macroblock& macroblock, CoefficientView coefficients,
                                        PictureSums& sums, Add add) {
  const bool has_luma =
      macroblock.type == MacroblockType::kIntra16x16 || (macroblock.coded_block_pattern & 15) != 0;
  const bool has_chroma = macroblock.coded_block_pattern >> 4 != 0;
  if (!has_luma && !has_chroma) return;
  const bool is_8x8 = macroblock.has_8x8_transform;
  if (has_luma && is_8x8) add(sums.luma_8x8.blocks, 4);
  if (has_luma && !is_8x8) add(sums.luma_4x4.blocks, 16);
  if (has_chroma) add(sums.chroma.blocks, 8);
  if (coefficients.count == 0) return;

  std::uint64_t luma_energy[kBands8x8] = {}, luma_nonzeros[kBands8x8] = {};
  std::uint64_t chroma_energy[kBands4x4] = {}, chroma_nonzeros[kBands4x4] = {};
  const unsigned luma_mask = is_8x8 ? 7 : 3;
  for (const CodedCoefficient coded : coefficients) {
    const unsigned index = coded.index;
    const std::int64_t value = coded.value;
    const auto square = static_cast<std::uint64_t>(value * value);
    if (index < kFirstOfChroma) {
      const unsigned band = (index & luma_mask) + (index / 16 & luma_mask);
      luma_energy[band] += square;
      ++luma_nonzeros[band];
    } else {
      const unsigned band = (index & 3) + (index / 8 & 3);
      chroma_energy[band] += square;
      ++chroma_nonzeros[band];
    }
  }
  if (has_luma && is_8x8) add_bands(luma_energy, luma_nonzeros, sums.luma_8x8, add);
  if (has_luma && !is_8x8) add_bands(luma_energy, luma_nonzeros, sums.luma_4x4, add);
  if (has_chroma) add_bands(chroma_energy, chroma_nonzeros, sums.chroma, add);
}

// Returns true if a macroblock counts as empty (count_black_rows()).
MILLRACE_FUNCTION inline bool is_empty(const Macroblock& macroblock, CoefficientView coefficients) {
  if (!is_intra(macroblock.type) || macroblock.type == MacroblockType::kPcm) return false;
  if (macroblock.coded_block_pattern != 0 || macroblock.coded_blocks != 0) return false;
  // The DC of Intra16x16 is coded whatever the pattern.
  for (const CodedCoefficient coded : coefficients) {
    if (coded.index < kFirstOfChroma) return false;
  }
  return true;
}

// Adds macroblock `index` to the sums of its picture and to those of its row, rows[index / width].
// add(std::uint64_t& counter, std::uint64_t value) adds to one counter: threads that share `sums`
// need an atomic addition. Macroblocks may come in any order. One whose slice is not in the picture
// has neither motion nor coefficients.
template <class Add>
MILLRACE_FUNCTION void add_macroblock(const MeasuredPicture& picture, std::int32_t index,
                                      PictureSums& sums, RowSums* rows, Add add) {
  const Macroblock& macroblock = picture.macroblocks[index];
  const MeasuredSlice* const slice =
      macroblock.slice < picture.slice_count ? picture.slices + macroblock.slice : nullptr;
  const MacroblockKind kind =
      macroblock_kind(macroblock.type, slice != nullptr ? slice->type : SliceType::kI);
  add(sums.kinds[static_cast<int>(kind)], 1);
  if (kind == MacroblockKind::kLost) return;

  add(sums.qp_histogram[std::min<int>(macroblock.qp, kQps - 1)], 1);
  if (macroblock.has_8x8_transform) add(sums.transforms_8x8, 1);
  for (int i = 0; i < kSyntaxClasses; ++i) {
    if (macroblock.bits[i] != 0) add(sums.bits[i], macroblock.bits[i]);
  }
  if (macroblock.type == MacroblockType::kInter8x8) {
    for (int i = 0; i < kSubPartitions; ++i) {
      std::uint64_t count = 0;
      for (const SubPartition part : macroblock.sub_partitions) {
        count += static_cast<int>(part) == i ? 1 : 0;
      }
      if (count != 0) add(sums.sub_partitions[i], count);
    }
  }

  if (slice != nullptr && !is_intra(macroblock.type)) {
    add(sums.inter_macroblocks, 1);
    add_references(*slice, macroblock, sums, add);
    if (macroblock.type != MacroblockType::kSkip) {
      add_motion(*slice, macroblock, sums.motion, add);
    }
  }

  CoefficientView coefficients;
  if (slice != nullptr && picture.ranges != nullptr) {
    const CoefficientRange range = picture.ranges[index];
    coefficients = {slice->coefficients + range.first, range.count};
  }
  if (picture.ranges != nullptr && macroblock.type != MacroblockType::kPcm) {
    add_coefficients(macroblock, coefficients, sums, add);
  }

  RowSums& row = rows[index / picture.width];
  add(row.macroblocks, 1);
  if (macroblock.qp != 0) add(row.qp, macroblock.qp);
  if (index > 0 && is_empty(macroblock, coefficients)) add(row.empty, 1);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_ADD_MACROBLOCK_H_
