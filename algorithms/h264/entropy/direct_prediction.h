// SPDX-License-Identifier: Apache-2.0

// Direct prediction in B slices (ITU-T H.264 clause 8.4.1.2).
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_DIRECT_PREDICTION_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_DIRECT_PREDICTION_H_

#include <millrace/algorithms/h264/entropy/neighbours.h>
#include <millrace/algorithms/h264/entropy/slice_parameters.h>
#include <millrace/algorithms/h264/entropy/vector_prediction.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>

#include <cstdint>

namespace millrace::h264 {

// Motion of a block of the colocated picture (clause 8.4.1.2.1).
struct ColocatedMotion {
  int reference = -1;  // refIdxCol
  int list = 0;        // The list that `reference` is an index into.
  MotionVector vector{};
};

// Returns the motion of the colocated macroblock that block (x, y) of a direct macroblock uses.
MILLRACE_FUNCTION inline ColocatedMotion colocated_motion(const Macroblock& colocated, int x, int y,
                                                          bool corners_only) {
  if (corners_only) {
    x = x < 2 ? 0 : 3;
    y = y < 2 ? 0 : 3;
  }
  const int quarter = 2 * (y >> 1) + (x >> 1);
  for (int list = 0; list < 2; ++list) {
    if (colocated.references[list][quarter] >= 0) {
      return {colocated.references[list][quarter], list, colocated.vectors[list][4 * y + x]};
    }
  }
  return {};
}

// Returns colZeroFlag of a block whose reference is a short-term one.
MILLRACE_FUNCTION inline bool is_still(const ColocatedMotion& motion) {
  return motion.reference == 0 && motion.vector.x >= -1 && motion.vector.x <= 1 &&
         motion.vector.y >= -1 && motion.vector.y <= 1;
}

// Predicts the 8x8 blocks in `quarters`, a bit each, of the current macroblock by spatial direct
// prediction (clause 8.4.1.2.2).
MILLRACE_FUNCTION inline void predict_spatial_direct(const SliceParameters& slice,
                                                     const Neighbours& around,
                                                     const Macroblock* colocated, int quarters,
                                                     Macroblock& macroblock) {
  int references[2];
  MotionVector vectors[2] = {};
  for (int list = 0; list < 2; ++list) {
    const NeighbourMotion a = motion_of(list, around.left_of(0, 0));
    const NeighbourMotion b = motion_of(list, around.above_of(0, 0));
    const NeighbourMotion c = motion_above_right(list, around, 0, 0, 4);
    // The least index that is not negative: as unsigned, the negative ones are highest.
    unsigned least = static_cast<unsigned>(a.reference);
    least = static_cast<unsigned>(b.reference) < least ? static_cast<unsigned>(b.reference) : least;
    least = static_cast<unsigned>(c.reference) < least ? static_cast<unsigned>(c.reference) : least;
    references[list] = static_cast<int>(least);
    if (references[list] >= 0) {
      vectors[list] = median_vector(references[list], a, b, c);
    }
  }
  const bool is_zero = references[0] < 0 && references[1] < 0;
  if (is_zero) {
    references[0] = 0;
    references[1] = 0;
  }
  const bool can_be_still = !is_zero && colocated != nullptr && !slice.colocated_is_long_term &&
                            (references[0] == 0 || references[1] == 0);
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((quarters >> quarter & 1) == 0) {
      continue;
    }
    for (int list = 0; list < 2; ++list) {
      macroblock.references[list][quarter] =
          static_cast<std::int8_t>(references[list] < 0 ? -1 : references[list]);
      fill_8x8(macroblock.vectors[list], quarter, vectors[list]);
    }
    if (!can_be_still) {
      continue;
    }
    for (int block = 0; block < 4; ++block) {
      const int x = 2 * (quarter & 1) + (block & 1);
      const int y = (quarter & 2) + (block >> 1);
      const ColocatedMotion motion =
          colocated_motion(*colocated, x, y, slice.has_direct_8x8_inference);
      if (is_still(motion)) {
        for (int list = 0; list < 2; ++list) {
          if (references[list] != 0) {
            continue;
          }
          if (slice.has_direct_8x8_inference) {
            fill_8x8(macroblock.vectors[list], quarter, {});
          } else {
            macroblock.vectors[list][4 * y + x] = {};
          }
        }
      }
      if (slice.has_direct_8x8_inference) {
        break;  // The other blocks see the same corner.
      }
    }
  }
}

// Does the same by temporal direct prediction (clause 8.4.1.2.3).
MILLRACE_FUNCTION inline void predict_temporal_direct(const SliceParameters& slice,
                                                      const Macroblock* colocated, int quarters,
                                                      Macroblock& macroblock) {
  const bool has_map = colocated != nullptr && colocated->slice < slice.colocated_slices;
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((quarters >> quarter & 1) == 0) {
      continue;
    }
    for (int block = 0; block < 4; ++block) {
      const int x = 2 * (quarter & 1) + (block & 1);
      const int y = (quarter & 2) + (block >> 1);
      ColocatedMotion motion;
      if (colocated != nullptr) {
        motion = colocated_motion(*colocated, x, y, slice.has_direct_8x8_inference);
      }
      int reference = 0;
      if (motion.reference >= 0 && has_map) {
        reference = slice.colocated_references[colocated->slice]
                        .indices[motion.list][motion.reference & 31];
      }
      const int scale = slice.distance_scales[reference];
      const MotionVector first = {static_cast<std::int16_t>((scale * motion.vector.x + 128) >> 8),
                                  static_cast<std::int16_t>((scale * motion.vector.y + 128) >> 8)};
      const MotionVector second = {static_cast<std::int16_t>(first.x - motion.vector.x),
                                   static_cast<std::int16_t>(first.y - motion.vector.y)};
      macroblock.references[0][quarter] = static_cast<std::int8_t>(reference);
      macroblock.references[1][quarter] = 0;
      if (slice.has_direct_8x8_inference) {
        fill_8x8(macroblock.vectors[0], quarter, first);
        fill_8x8(macroblock.vectors[1], quarter, second);
        break;  // The other blocks see the same corner.
      }
      macroblock.vectors[0][4 * y + x] = first;
      macroblock.vectors[1][4 * y + x] = second;
    }
  }
}

// Predicts the 8x8 blocks in `quarters` of the macroblock at `address`, and marks them as direct.
MILLRACE_NOINLINE_FUNCTION inline void predict_direct(const SliceParameters& slice,
                                                      const Neighbours& around, int address,
                                                      int quarters, Macroblock& macroblock) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    if ((quarters >> quarter & 1) != 0) {
      macroblock.sub_partitions[quarter] = SubPartition::kDirect;
    }
  }
  const Macroblock* colocated = slice.colocated == nullptr ? nullptr : slice.colocated + address;
  if (slice.is_direct_spatial) {
    predict_spatial_direct(slice, around, colocated, quarters, macroblock);
  } else {
    predict_temporal_direct(slice, colocated, quarters, macroblock);
  }
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_DIRECT_PREDICTION_H_
