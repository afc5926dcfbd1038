// SPDX-License-Identifier: Apache-2.0

// Pictures in bands of rows, one for each rank.
#ifndef MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_BAND_H_
#define MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_BAND_H_

#include <millrace/tools/video/picture/picture.h>

#include <cstddef>
#include <span>
#include <vector>

namespace millrace::tools {

// Rows of luma. The first is a multiple of 32, so that the band has whole macroblocks of chroma
// too; empty if there are more bands than that.
struct PictureBand {
  int first = 0;
  int rows = 0;
};

PictureBand band_of(int height, int band, int bands);

// Copies a band, which is not empty, into `target`, padded as the picture is. Macroblocks of the
// band have the samples that they have in the picture.
void cut_band(const Picture& picture, const PictureBand& band, Picture& target);

// Returns the number of visible samples of a picture's planes.
std::size_t sample_count(const Picture& picture);
void append_samples(const Picture& picture, std::vector<std::byte>& target);

// The inverse, into a band of `picture`. Throws Error (kInvalidArgument) for another number of
// bytes than append_samples() of the band gave.
void put_samples(std::span<const std::byte> samples, const PictureBand& band, Picture& picture);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_IDCT_PICTURE_PICTURE_BAND_H_
