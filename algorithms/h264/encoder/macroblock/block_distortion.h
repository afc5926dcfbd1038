// SPDX-License-Identifier: Apache-2.0

// Differences between blocks of a source and of its prediction.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_DISTORTION_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_DISTORTION_H_

#include <millrace/algorithms/h264/reconstruction/inter_prediction.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Returns the sum of motion::satd_4x4() of the 4x4 blocks. Width and height are multiples of 4.
MILLRACE_FUNCTION inline std::uint32_t block_satd(SampleRows a, SampleRows b, int width,
                                                  int height) {
  std::uint32_t sum = 0;
  for (int y = 0; y < height; y += 4) {
    for (int x = 0; x < width; x += 4) {
      int differences[16];
      for (int i = 0; i < 16; ++i) {
        const int at_y = y + i / 4;
        const int at_x = x + i % 4;
        differences[i] = a.samples[at_y * a.stride + at_x] - b.samples[at_y * b.stride + at_x];
      }
      sum += motion::satd_4x4(differences);
    }
  }
  return sum;
}

// Returns by how much the SATD of a 16x16 block changes from block_satd() if the DC values of its
// 4x4 blocks pass a second Hadamard transform, as in kIntra16x16. `sums` has the sum of the
// differences of each 4x4 block.
MILLRACE_FUNCTION inline std::int32_t satd_difference_of_dc(const std::int32_t (&sums)[16]) {
  int dc[16];
  int before = 0;
  for (int block = 0; block < 16; ++block) {
    before += sums[block] < 0 ? -sums[block] : sums[block];
    dc[block] = sums[block] / 4;  // The gain of the first transform.
  }
  return static_cast<std::int32_t>(motion::satd_4x4(dc)) - before / 2;
}

// Returns satd_difference_of_dc() of the differences between two 16x16 blocks.
MILLRACE_FUNCTION inline std::int32_t dc_satd_difference(SampleRows a, SampleRows b) {
  std::int32_t sums[16];
  for (int block = 0; block < 16; ++block) {
    std::int32_t sum = 0;
    for (int i = 0; i < 16; ++i) {
      const int y = block / 4 * 4 + i / 4;
      const int x = block % 4 * 4 + i % 4;
      sum += a.samples[y * a.stride + x] - b.samples[y * b.stride + x];
    }
    sums[block] = sum;
  }
  return satd_difference_of_dc(sums);
}

// Returns the sum of absolute differences.
MILLRACE_FUNCTION inline std::uint32_t block_sad(SampleRows a, SampleRows b, int width,
                                                 int height) {
  std::uint32_t sum = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int difference = a.samples[y * a.stride + x] - b.samples[y * b.stride + x];
      sum += static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
    }
  }
  return sum;
}

// Returns the sum of squared differences.
MILLRACE_FUNCTION inline std::uint32_t block_squared_error(SampleRows a, SampleRows b, int width,
                                                           int height) {
  std::uint32_t sum = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int difference = a.samples[y * a.stride + x] - b.samples[y * b.stride + x];
      sum += static_cast<std::uint32_t>(difference * difference);
    }
  }
  return sum;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_MACROBLOCK_BLOCK_DISTORTION_H_
