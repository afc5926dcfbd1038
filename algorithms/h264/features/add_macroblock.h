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
MILLRACE_FUNCTION constexpr int quarter_of(int block) { return 2 * (block / 8) + block % 4 / 2; }

// Returns an entry of a list; that of a missing picture where the list is shorter.
MILLRACE_FUNCTION inline MeasuredReference reference_at(const MeasuredSlice& slice, int list,
                                                        int index) {
  return index < slice.counts[list] ? slice.references[list][index] : MeasuredReference{};
}

// Partitions of a macroblock or of an 8x8 block. All 4x4 blocks of one have the same motion.
struct MotionPartitions {
  std::uint32_t first_blocks;  // Bit k: 4x4 block k is the first one of a partition.
  std::uint32_t blocks;        // 4x4 blocks of each partition.
};

// Returns the partitions of an inter macroblock that is not kInter8x8.
MILLRACE_FUNCTION constexpr MotionPartitions partitions_of(MacroblockType type) {
  switch (type) {
    case MacroblockType::kInter16x16: return {0x0001, 16};
    case MacroblockType::kInter16x8: return {0x0101, 8};
    case MacroblockType::kInter8x16: return {0x0005, 8};
    default:  // Direct prediction gives each 4x4 block its own motion.
      return {0xffff, 1};
  }
}

// Returns the partitions of the first 8x8 block of a kInter8x8 macroblock.
MILLRACE_FUNCTION constexpr MotionPartitions partitions_of(SubPartition partition) {
  switch (partition) {
    case SubPartition::k8x8: return {0x0001, 4};
    case SubPartition::k8x4: return {0x0011, 2};
    case SubPartition::k4x8: return {0x0003, 2};
    default: return {0x0033, 1};
  }
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

// Adds the motion of a 4x4 block `count` times.
MILLRACE_FUNCTION inline void take_block(const MeasuredSlice& slice, const Macroblock& macroblock,
                                         int block, std::uint64_t count, MotionSums& sums) {
  std::uint64_t length = 0, x = 0, y = 0, difference = 0;
  std::uint64_t lists = 0;
  for (int list = 0; list < 2; ++list) {
    const int index = macroblock.references[list][quarter_of(block)];
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
MILLRACE_FUNCTION inline void add_motion(const MeasuredSlice& slice, const Macroblock& macroblock,
                                         MotionSums& sums) {
  constexpr int kBlocks = 16;
  sums.blocks += kBlocks;
  if (macroblock.type == MacroblockType::kDirect) return;
  const bool is_8x8 = macroblock.type == MacroblockType::kInter8x8;
  MotionPartitions partitions = partitions_of(macroblock.type);
  for (int block = 0; block < kBlocks; ++block) {
    const int in_quarter = block & 5;  // Index in its 8x8 block: 0, 1, 4 or 5.
    if (is_8x8) {
      partitions = partitions_of(macroblock.sub_partitions[quarter_of(block)]);
    }
    if ((partitions.first_blocks >> (is_8x8 ? in_quarter : block) & 1) == 0) continue;
    take_block(slice, macroblock, block, partitions.blocks, sums);
  }
}

// Adds the references of an inter macroblock.
template <class Add>
MILLRACE_FUNCTION void add_references(const MeasuredSlice& slice, const Macroblock& macroblock,
                                      PictureTotals& totals, PictureSums& sums, Add add) {
  constexpr int kQuarters = 4;
  for (int list = 0; list < 2; ++list) {
    const std::int8_t* const indices = macroblock.references[list];
    for (int quarter = 0; quarter < kQuarters;) {
      const int index = indices[quarter];
      std::uint64_t run = 0;
      for (; quarter < kQuarters && indices[quarter] == index; ++quarter) ++run;
      if (index < 0) continue;
      const MeasuredReference reference = reference_at(slice, list, index);
      const std::int32_t distance = reference.decoding_distance;
      if (distance == 0) {
        totals.missing_references += run;
        continue;
      }
      totals.decoding_distance += run * static_cast<std::uint64_t>(distance);
      totals.twice_output_distance +=
          run * static_cast<std::uint64_t>(reference.twice_output_distance);
      add(sums.distances[std::min(distance - 1, kReferenceDistances - 1)], run);
    }
  }
}

// Adds the energy and the nonzero coefficients of a macroblock's blocks at each frequency.
template <int frequencies, class Add>
MILLRACE_FUNCTION void add_frequencies(const std::uint64_t* energy, const std::uint64_t* nonzeros,
                                       FrequencyCounters<frequencies>& sums, Add add) {
  for (int frequency = 0; frequency < frequencies; ++frequency) {
    if (nonzeros[frequency] == 0) continue;
    add(sums.energy[frequency], energy[frequency]);
    add(sums.nonzeros[frequency], nonzeros[frequency]);
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

  std::uint64_t luma_energy[kFrequencies8x8] = {}, luma_nonzeros[kFrequencies8x8] = {};
  std::uint64_t chroma_energy[kFrequencies4x4] = {}, chroma_nonzeros[kFrequencies4x4] = {};
  const unsigned luma_mask = is_8x8 ? 7 : 3;
  for (const CodedCoefficient coded : coefficients) {
    const unsigned index = coded.index;
    const std::int64_t value = coded.value;
    const auto square = static_cast<std::uint64_t>(value * value);
    if (index < kFirstOfChroma) {
      const unsigned frequency = (index & luma_mask) + (index / 16 & luma_mask);
      luma_energy[frequency] += square;
      ++luma_nonzeros[frequency];
    } else {
      const unsigned frequency = (index & 3) + (index / 8 & 3);
      chroma_energy[frequency] += square;
      ++chroma_nonzeros[frequency];
    }
  }
  if (has_luma && is_8x8) add_frequencies(luma_energy, luma_nonzeros, sums.luma_8x8, add);
  if (has_luma && !is_8x8) add_frequencies(luma_energy, luma_nonzeros, sums.luma_4x4, add);
  if (has_chroma) add_frequencies(chroma_energy, chroma_nonzeros, sums.chroma, add);
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
// `totals` are this thread's own, which the caller adds to `sums`, or are `sums` itself.
// add(std::uint64_t& counter, std::uint64_t value) adds to one counter: threads that share `sums`
// need an atomic addition. Macroblocks may come in any order. One whose slice is not in the picture
// has neither motion nor coefficients.
template <class Add>
MILLRACE_FUNCTION void add_macroblock(const MeasuredPicture& picture, std::int32_t index,
                                      PictureTotals& totals, PictureSums& sums,
                                      MacroblockRowSums* rows, Add add) {
  const Macroblock& macroblock = picture.macroblocks[index];
  const MeasuredSlice* const slice =
      macroblock.slice < picture.slice_count ? picture.slices + macroblock.slice : nullptr;
  const MacroblockKind kind =
      macroblock_kind(macroblock.type, slice != nullptr ? slice->type : SliceType::kI);
  add(sums.kinds[static_cast<int>(kind)], 1);
  if (kind == MacroblockKind::kLost) return;

  add(sums.qp_histogram[std::min<int>(macroblock.qp, kQps - 1)], 1);
  totals.transforms_8x8 += macroblock.has_8x8_transform ? 1 : 0;
  for (int i = 0; i < kSyntaxClasses; ++i) totals.bits[i] += macroblock.bits[i];
  if (macroblock.type == MacroblockType::kInter8x8) {
    for (int i = 0; i < kSubPartitions; ++i) {
      std::uint64_t count = 0;
      for (const SubPartition partition : macroblock.sub_partitions) {
        count += static_cast<int>(partition) == i ? 1 : 0;
      }
      if (count != 0) add(sums.sub_partitions[i], count);
    }
  }

  if (slice != nullptr && !is_intra(macroblock.type)) {
    ++totals.inter_macroblocks;
    add_references(*slice, macroblock, totals, sums, add);
    if (macroblock.type != MacroblockType::kSkip) add_motion(*slice, macroblock, totals.motion);
  }

  CoefficientView coefficients;
  if (slice != nullptr && picture.ranges != nullptr) {
    const CoefficientRange range = picture.ranges[index];
    coefficients = {slice->coefficients + range.first, range.count};
  }
  if (picture.ranges != nullptr && macroblock.type != MacroblockType::kPcm) {
    add_coefficients(macroblock, coefficients, sums, add);
  }

  MacroblockRowSums& row = rows[index / picture.width];
  add(row.macroblocks, 1);
  if (macroblock.qp != 0) add(row.qp, macroblock.qp);
  if (index > 0 && is_empty(macroblock, coefficients)) add(row.empty, 1);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_ADD_MACROBLOCK_H_
