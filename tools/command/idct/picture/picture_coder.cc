// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/idct/picture/picture_coder.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::uint8_t kMidGrey = 128;

}  // namespace

idct::Plane padded_plane(Picture& picture, int index) {
  const PicturePlane plane = picture.plane(index);
  return {plane.data, plane.stride, plane.padded_width, plane.padded_height};
}

idct::ConstPlane padded_plane(const Picture& picture, int index) {
  const ConstPicturePlane plane = picture.plane(index);
  return {plane.data, plane.stride, plane.padded_width, plane.padded_height};
}

PictureCoder::PictureCoder(int width, int height, int qp)
    : first_(qp, idct::DeadZone::kIntra),
      later_(qp, idct::DeadZone::kInter),
      prediction_(first_prediction(Picture(width, height))) {
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const idct::Plane plane = padded_plane(prediction_, index);
    planes_[index].sizes.resize(plane.macroblock_count());
    planes_[index].coefficients.resize(plane.macroblock_count() * idct::kMacroblockSamples);
    for (int row = 0; row < plane.height / idct::kMacroblockWidth; ++row) {
      rows_.push_back({.plane = index, .row = row, .statistics = {}});
    }
  }
}

Picture PictureCoder::first_prediction(Picture picture) {
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const idct::Plane plane = padded_plane(picture, index);
    std::fill_n(plane.data, plane.stride * plane.height, kMidGrey);
  }
  return picture;
}

void PictureCoder::begin(const Picture& source) {
  source_ = &source;
  next_row_ = 0;
}

void PictureCoder::code_rows() {
  for (std::size_t i = next_row_++; i < rows_.size(); i = next_row_++) code_row(rows_[i]);
}

void PictureCoder::end() {
  is_first_ = false;
  source_ = nullptr;
  for (CodedPlane& plane : planes_) plane.statistics = {};
  for (const Row& row : rows_) planes_[row.plane].statistics += row.statistics;
}

void PictureCoder::code_row(Row& row) {
  const idct::ResidualCoder& coder = is_first_ ? first_ : later_;
  CodedPlane& coded = planes_[row.plane];
  row.statistics = coder.code_row(padded_plane(*source_, row.plane),
                                  padded_plane(std::as_const(prediction_), row.plane), row.row,
                                  coded.sizes.data(), coded.coefficients.data());
}

void PictureCoder::accept(Picture& reconstruction) { std::swap(prediction_, reconstruction); }

}  // namespace millrace::tools
