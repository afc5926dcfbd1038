// SPDX-License-Identifier: Apache-2.0

// Searched pictures for tests of the outputs of `millrace me`.
#ifndef MILLRACE_TOOLS_COMMAND_ME_VECTORS_ME_TEST_PICTURE_H_
#define MILLRACE_TOOLS_COMMAND_ME_VECTORS_ME_TEST_PICTURE_H_

#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/tests/random/seeded_random.h>
#include <millrace/tools/command/me/vectors/motion_view.h>
#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::tools {

// Owns the data of a MotionView: at first all zeros, on grey.
class MeTestPicture {
 public:
  MeTestPicture(int width, int height, int references = 1) : picture_(width, height) {
    const PicturePlane luma = picture_.plane(0);
    for (int y = 0; y < luma.padded_height; ++y) {
      for (int x = 0; x < luma.padded_width; ++x) luma.row(y)[x] = 128;
    }
    motion.index = 1;
    motion.references = references;
    vectors.resize(references, std::vector<motion::MotionVector>(elements()));
    costs.resize(references, std::vector<std::uint32_t>(elements()));
    modes.resize(macroblocks());
    predictors.resize(macroblocks());
  }

  // Sets random vectors, costs and modes.
  void randomise(SeededRandom& random) {
    const auto component = [&] { return static_cast<std::int16_t>(random(0, 65'535)); };
    for (auto& field : vectors) {
      for (motion::MotionVector& vector : field) vector = {component(), component()};
    }
    for (auto& field : costs) {
      for (std::uint32_t& cost : field) cost = static_cast<std::uint32_t>(random());
    }
    for (motion::MacroblockMode& mode : modes) {
      mode.cost = static_cast<std::uint32_t>(random());
      mode.shape = static_cast<motion::MacroblockShape>(random(0, 4));
      for (int quarter = 0; quarter < 4; ++quarter) {
        mode.quarters[quarter] = static_cast<motion::QuarterShape>(random(0, 3));
        mode.references[quarter] = static_cast<std::uint8_t>(random(0, motion.references - 1));
      }
    }
  }

  MotionView view() {
    for (int i = 0; i < motion.references; ++i) {
      motion.vectors[i] = vectors[i];
      motion.costs[i] = costs[i];
    }
    motion.modes = modes;
    return {motion, picture_.plane(0), predictors};
  }

  PicturePlane luma() { return picture_.plane(0); }

  std::size_t macroblocks() const {
    return static_cast<std::size_t>(picture_.macroblock_columns()) * picture_.macroblock_rows();
  }

  motion::PictureMotion motion;
  std::vector<std::vector<motion::MotionVector>> vectors;  // Indexed by reference.
  std::vector<std::vector<std::uint32_t>> costs;
  std::vector<motion::MacroblockMode> modes;
  std::vector<motion::MotionVector> predictors;

 private:
  std::size_t elements() const { return macroblocks() * motion::kPartitions; }

  Picture picture_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_ME_VECTORS_ME_TEST_PICTURE_H_
