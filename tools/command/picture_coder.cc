#include <millrace/tools/command/picture_coder.h>

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
  }
}

Picture PictureCoder::first_prediction(Picture picture) {
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const idct::Plane plane = padded_plane(picture, index);
    std::fill_n(plane.data, plane.stride * plane.height, kMidGrey);
  }
  return picture;
}

void PictureCoder::code(const Picture& source) {
  const idct::ResidualCoder& coder = is_first_ ? first_ : later_;
  is_first_ = false;
  for (int index = 0; index < Picture::kPlanes; ++index) {
    const idct::ConstPlane from = padded_plane(source, index);
    const idct::ConstPlane prediction = padded_plane(std::as_const(prediction_), index);
    CodedPlane& coded = planes_[index];
    coded.statistics = {};
    for (int row = 0; row < from.height / idct::kMacroblockWidth; ++row) {
      coded.statistics +=
          coder.code_row(from, prediction, row, coded.sizes.data(), coded.coefficients.data());
    }
  }
}

void PictureCoder::accept(Picture& reconstruction) { std::swap(prediction_, reconstruction); }

}  // namespace millrace::tools
