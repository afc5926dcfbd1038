// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/random_parsed_pictures.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/tests/simd/simd_target.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace millrace::h264 {
namespace {

using ReconstructOnTarget = OnSimdTarget;

TEST_P(ReconstructOnTarget, GivesTheSamplesOfTheReference) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomParsedPictures pictures(7, 5, seed);
    const ParsedPicture picture = pictures.picture();
    SamplePicture expected(7, 5);
    SamplePicture samples(7, 5);
    reconstruct_picture(picture, pictures.find(), expected);
    reconstruct_picture_simd(picture, pictures.find(), samples);
    for (int plane = 0; plane < 3; ++plane) {
      const int width = samples.width(plane);
      for (int i = 0; i < width * samples.height(plane); ++i) {
        ASSERT_EQ(samples.plane(plane)[i], expected.plane(plane)[i])
            << "seed " << seed << ", plane " << plane << " (" << i % width << ", " << i / width
            << ")";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ReconstructOnTarget, simd_targets(), name_of_simd_target);

}  // namespace
}  // namespace millrace::h264
