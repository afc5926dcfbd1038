// SPDX-License-Identifier: Apache-2.0

// Full-search motion estimation of H.264 P pictures: for every macroblock the best vector of each
// of its 41 partitions, the task of Rodriguez-Sanchez, Martinez, Fernandez-Escribano, Sanchez and
// Claver, "H.264/AVC inter prediction on accelerator-based multi-core systems", section 3.
//
//   search_motion<std::uint8_t>(*queue, {current, reference, predictors}, {vectors, costs},
//                               {.range = 32, .lambda = motion_lambda(28)});
//   decide_modes<std::uint8_t>(*queue, {current, reference, predictors}, {&field, 1}, modes, ...);
//   queue->wait();
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_H_

#include <millrace/algorithms/motion_estimation/macroblock_mode.h>
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/algorithms/picture/basic_plane.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace::motion {

// A plane of luma samples: std::uint8_t of 8 bits, or std::uint16_t of 10 bits. Functions of this
// header do not check the values; if some are above 1023 the results are unspecified.
template <class Sample>
using LumaPlane = picture::BasicPlane<const Sample>;

// Precision of vectors. Costs use SAD with kInteger and SATD with the others.
enum class Precision : std::uint8_t { kInteger, kHalf, kQuarter };

// Rows of macroblocks of a picture; {0, 0} selects all rows.
struct MacroblockRows {
  int first = 0;
  int count = 0;

  // Returns these rows in a picture that has `rows` rows.
  constexpr MacroblockRows of(int rows) const {
    return count == 0 ? MacroblockRows{0, rows} : *this;
  }

  friend bool operator==(const MacroblockRows&, const MacroblockRows&) = default;
};

struct SearchOptions {
  // Search range in whole samples around the window's centre, 8 to 128: candidates are the offsets
  // -range to range - 1 in x and in y.
  int range = 32;

  // 0 to kMostLambda; see motion_cost.h. (297 is the value of QP 32.)
  int lambda = 297;

  Precision precision = Precision::kQuarter;

  // Rows to search. Results of other rows are not written. A macroblock's result does not depend on
  // this.
  MacroblockRows rows{};
};

inline constexpr int kLeastRange = 8;
inline constexpr int kMostRange = 128;

// Largest width and height of a plane.
inline constexpr int kMostPictureSize = 32768;

// Input of a search, in device memory. Both planes have the same size. Reads beyond `reference`
// give the nearest sample inside, so vectors may point anywhere.
template <class Sample>
struct SearchFrame {
  LumaPlane<Sample> current;
  LumaPlane<Sample> reference;

  // One per macroblock, in raster order, at a distance of `predictor_stride`: 1 for an array of
  // predictors, kPartitions for the 16x16 vectors of a field, 0 for one predictor of all.
  const MotionVector* predictors = nullptr;
  std::ptrdiff_t predictor_stride = 1;
};

// Returns the limited predictor of a macroblock.
template <class Sample>
MILLRACE_FUNCTION constexpr MotionVector predictor_of(const SearchFrame<Sample>& frame,
                                                      std::size_t macroblock) {
  return limited_predictor(
      frame.predictors[static_cast<std::ptrdiff_t>(macroblock) * frame.predictor_stride]);
}

// Output of a search, in device memory: kPartitions elements per macroblock.
struct MotionField {
  MotionVector* vectors = nullptr;
  std::uint32_t* costs = nullptr;

  // Returns the index of partition `partition` of macroblock `macroblock`.
  static constexpr std::size_t index(std::size_t macroblock, int partition) {
    return macroblock * kPartitions + static_cast<std::size_t>(partition);
  }
};

// Enqueues the search of one frame; its input and output must stay valid until the queue has passed
// it. The result is the same to the bit on every backend:
//
// Integer: J = motion_cost(SAD, lambda, 4 x - p_x, 4 y - p_y) for each candidate (x, y), in whole
// samples, around (window_centre(p_x), window_centre(p_y)) of the limited predictor p. The smallest
// J wins; of equal ones the first in raster order (y, then x).
// Half: J with SATD, the sum of satd_4x4 of the partition's 4x4 blocks, at the nine half samples
// around the partition's integer vector (that one too); the smallest J, then the first in raster
// order. Quarter: the same with the nine quarter samples around the half one.
//
// Throws kInvalidArgument for null arrays, planes of different sizes or not of whole macroblocks,
// options out of range, and rows outside the picture.
template <class Sample>
void search_motion(Queue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                   const SearchOptions& options = {});

// Enqueues searches of frames one after another, frames[i] to fields[i], without synchronisation
// between them. On a GPU this is faster than separate calls, most of all for small frames. A
// macroblock's predictor may be a result of the same macroblock in an earlier frame, and no other
// result. Also throws kInvalidArgument for frames of different sizes, and if the numbers of frames
// and fields differ.
template <class Sample>
void search_motion(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                   std::span<const MotionField> fields, const SearchOptions& options = {});

// Enqueues the choice of each macroblock's mode, given the fields of searches of one picture with
// the same options in 1 to kMostReferences references; `frame` is that of the first field.
//
// The cost of a mode is the sum of its partitions' costs, and lambda * reference_bits of each
// quarter, half or whole that has a reference. The smallest wins; of equal ones the first in the
// order of MacroblockShape and QuarterShape, and then the first reference. P_Skip has the limited
// predictor of `frame` as its vector, rounded to whole samples by window_centre if the precision is
// kInteger, and the cost 32 * distortion alone; it wins unless another costs less.
template <class Sample>
void decide_modes(Queue& queue, const SearchFrame<Sample>& frame,
                  std::span<const MotionField> fields, MacroblockMode* modes,
                  const SearchOptions& options = {});

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_H_
