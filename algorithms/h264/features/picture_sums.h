// SPDX-License-Identifier: Apache-2.0

// Sums over the macroblocks of a picture from which its features follow.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_SUMS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_SUMS_H_

#include <millrace/algorithms/h264/features/fixed_moments.h>
#include <millrace/algorithms/h264/features/macroblock_kind.h>
#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/macroblock.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace millrace::h264 {

inline constexpr int kQps = 52;
inline constexpr int kSubPartitions = 5;
inline constexpr int kReferenceDistances = 17;
inline constexpr int kFrequencies4x4 = 7;
inline constexpr int kFrequencies8x8 = 15;

// Coefficients of the blocks of one transform. The frequency of coefficient c_ij is i + j.
template <int frequencies>
struct FrequencyCounters {
  std::uint64_t blocks = 0;
  std::uint64_t energy[frequencies] = {};    // Sums of squares of dequantised coefficients.
  std::uint64_t nonzeros[frequencies] = {};  // Coefficients that are not 0.
};

// Motion of the 4x4 blocks of inter macroblocks that are not skipped (MotionStatistics).
struct MotionSums {
  std::uint64_t blocks = 0;
  FixedMoments length, x, y, difference;
};

// Counters of 64 bits, so that hosts and devices can add to them in any order and get the same.
// Those to which most macroblocks add; a thread may sum up some macroblocks in its own ones first.
struct PictureTotals {
  // Macroblocks that are not lost.
  std::uint64_t transforms_8x8 = 0;
  std::uint64_t bits[kSyntaxClasses] = {};
  // Inter macroblocks with a slice, skipped and direct ones too.
  std::uint64_t inter_macroblocks = 0;
  MotionSums motion;
  // References of their 8x8 blocks (ReferenceDistances).
  std::uint64_t missing_references = 0;
  std::uint64_t decoding_distance = 0;  // Sum over those that are not missing.
  std::uint64_t twice_output_distance = 0;
};
static_assert(std::is_trivially_copyable_v<PictureTotals>);
static_assert(sizeof(PictureTotals) % sizeof(std::uint64_t) == 0);

struct PictureSums : PictureTotals {
  std::uint64_t kinds[kMacroblockKinds] = {};  // Macroblocks by MacroblockKind.
  // Macroblocks that are not lost.
  std::uint64_t qp_histogram[kQps] = {};
  std::uint64_t sub_partitions[kSubPartitions] = {};
  std::uint64_t distances[kReferenceDistances] =
      {};  // Element d - 1: distance d; the last: longer.
  // Coefficients (CoefficientStatistics).
  FrequencyCounters<kFrequencies4x4> luma_4x4;
  FrequencyCounters<kFrequencies8x8> luma_8x8;
  FrequencyCounters<kFrequencies4x4> chroma;
};
static_assert(std::is_trivially_copyable_v<PictureSums>);

// Sums over one row of macroblocks.
struct MacroblockRowSums {
  std::uint64_t qp = 0;
  std::uint64_t macroblocks = 0;  // Number of macroblocks that are not lost.
  std::uint64_t empty = 0;        // Intra macroblocks without coefficients (count_black_rows()).
};

// Returns the sums over all macroblocks, computed by this thread, and one element of `rows` for
// each row of macroblocks.
PictureSums sum_macroblocks(const MeasuredPicture& picture, std::vector<MacroblockRowSums>& rows);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_PICTURE_SUMS_H_
