// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/idct/picture/picture_band.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace millrace::tools {
namespace {

constexpr int kUnit = 32;  // Two macroblocks of luma are one of chroma.

// Converts a row of luma to a row of the plane.
int plane_row(int index, int row) { return index == 0 ? row : row / 2; }

int plane_rows(int index, int rows) { return index == 0 ? rows : (rows + 1) / 2; }

}  // namespace

PictureBand band_of(int height, int band, int bands) {
  const int units = (height + kUnit - 1) / kUnit;
  const auto start_of = [&](int of) { return std::min(units * of / bands * kUnit, height); };
  return {start_of(band), start_of(band + 1) - start_of(band)};
}

void cut_band(const Picture& picture, const PictureBand& band, Picture& target) {
  target.resize(picture.width(), band.rows);
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const ConstPicturePlane from = picture.plane(index);
    const PicturePlane to = target.plane(index);
    for (int row = 0; row < to.height; ++row) {
      std::copy_n(from.row(plane_row(index, band.first) + row), to.width, to.row(row));
    }
  }
  target.pad();
}

std::size_t sample_count(const Picture& picture) {
  std::size_t count = 0;
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const ConstPicturePlane plane = picture.plane(index);
    count += static_cast<std::size_t>(plane.width) * static_cast<std::size_t>(plane.height);
  }
  return count;
}

void append_samples(const Picture& picture, std::vector<std::byte>& target) {
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const ConstPicturePlane plane = picture.plane(index);
    for (int row = 0; row < plane.height; ++row) {
      const auto* const samples = reinterpret_cast<const std::byte*>(plane.row(row));
      target.insert(target.end(), samples, samples + plane.width);
    }
  }
}

void put_samples(std::span<const std::byte> samples, const PictureBand& band, Picture& picture) {
  std::size_t bytes = 0;
  for (int index = 0; index < Picture::kPlanes; ++index) {
    bytes += static_cast<std::size_t>(picture.plane(index).width) *
             static_cast<std::size_t>(plane_rows(index, band.rows));
  }
  if (samples.size() != bytes) {
    reject("a band of " + std::to_string(band.rows) + " rows has " +
           std::to_string(samples.size()) + " samples; it must have " + std::to_string(bytes));
  }
  const std::byte* from = samples.data();
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const PicturePlane plane = picture.plane(index);
    const int first = plane_row(index, band.first);
    for (int row = first; row < first + plane_rows(index, band.rows); ++row) {
      std::memcpy(plane.row(row), from, static_cast<std::size_t>(plane.width));
      from += plane.width;
    }
  }
}

}  // namespace millrace::tools
