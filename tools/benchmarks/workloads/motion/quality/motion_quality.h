// SPDX-License-Identifier: Apache-2.0

// The quality of a motion search: the cost of the modes chosen by its vectors, and the closeness of
// each picture to its prediction from the one before. The cost stands for the bit rate of the
// paper's tables (docs/experiments/cost_j_in_place_of_bit_rate.md).
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_MOTION_QUALITY_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_MOTION_QUALITY_H_

#include <millrace/algorithms/motion_estimation/fast_search/fast_search.h>
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace millrace::tools {

using motion::CodedMotion;
using motion::SearchOptions;
using LumaFrame = motion::SearchFrame<std::uint8_t>;

// Memory for what is found in a picture of so many macroblocks.
struct MotionBuffers {
  explicit MotionBuffers(std::size_t macroblocks);

  CodedMotion view() { return {{vectors.data(), costs.data()}, modes.data(), skip_vectors.data()}; }

  std::vector<motion::MotionVector> vectors;
  std::vector<std::uint32_t> costs;
  std::vector<motion::MacroblockMode> modes;
  std::vector<motion::MotionVector> skip_vectors;
};

// A search of pictures in host memory.
struct LumaSearch {
  std::string name;

  // True if it fills all of `motion` as search_in_coding_order() does. Otherwise it has the frame's
  // predictors, which are the 16x16 vectors it found in the picture before, and fills the field and
  // the modes by these predictors.
  bool is_in_coding_order = false;

  std::function<void(const LumaFrame&, const SearchOptions&, const CodedMotion& motion)> run;
};

struct MotionQuality {
  // J of the chosen modes, a macroblock: by the search's own predictors, and coded with the
  // standard's predictors, for which modes are chosen anew.
  double searched_cost = 0;
  double coded_cost = 0;

  // PSNR of the coded modes' prediction, over all visible luma samples.
  double psnr_db = 0;
};

// Searches each picture but the first in the source picture before it. There are two or more, of
// one size.
MotionQuality measure_quality(const std::vector<Picture>& pictures, const LumaSearch& search,
                              const SearchOptions& options);

// Writes the padded luma that the modes of `motion` predict. `out` has the size of the reference.
void predict_luma(const motion::HalfSamplePicture<std::uint8_t>& reference,
                  const CodedMotion& motion, const PicturePlane& out);

// The padded luma of a picture.
motion::LumaPlane<std::uint8_t> padded_luma(const Picture& picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_QUALITY_MOTION_QUALITY_H_
