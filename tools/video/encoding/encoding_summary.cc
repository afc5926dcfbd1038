// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/encoding/encoding_summary.h>
#include <millrace/tools/video/picture/quality.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {

EncodingSummary::EncodingSummary(int width, int height, const FrameRate& rate)
    : width_(width), height_(height), rate_(rate) {}

std::int64_t EncodingSummary::count(h264::SliceType type) const {
  return std::ranges::count(pictures_, type, &CodedPictureFigures::type);
}

std::uint64_t EncodingSummary::bits(h264::SliceType type) const {
  std::uint64_t sum = 0;
  for (const CodedPictureFigures& picture : pictures_)
    sum += picture.type == type ? picture.bits : 0;
  return sum;
}

std::uint64_t EncodingSummary::bits() const {
  std::uint64_t sum = 0;
  for (const CodedPictureFigures& picture : pictures_) sum += picture.bits;
  return sum;
}

double EncodingSummary::mean_qp() const {
  double sum = 0;
  for (const CodedPictureFigures& picture : pictures_) sum += picture.qp;
  return sum / static_cast<double>(std::max<std::size_t>(pictures_.size(), 1));
}

double EncodingSummary::kbit_per_second() const {
  if (pictures_.empty()) return 0;
  const double seconds =
      static_cast<double>(pictures_.size()) * rate_.denominator / rate_.numerator;
  return static_cast<double>(bits()) / seconds / 1000;
}

double EncodingSummary::psnr_db(const CodedPictureFigures& picture, int plane) const {
  return tools::psnr_db(static_cast<double>(picture.squared_errors[plane]) / samples(plane));
}

double EncodingSummary::mean_psnr_db(int plane) const {
  double sum = 0;
  for (const CodedPictureFigures& picture : pictures_) sum += psnr_db(picture, plane);
  return sum / static_cast<double>(std::max<std::size_t>(pictures_.size(), 1));
}

double EncodingSummary::overall_psnr_db(int plane) const {
  double sum = 0;
  for (const CodedPictureFigures& picture : pictures_) {
    sum += static_cast<double>(picture.squared_errors[plane]);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(pictures_.size(), 1));
  return tools::psnr_db(sum / count / samples(plane));
}

double EncodingSummary::weighted_psnr_db() const {
  return (4 * mean_psnr_db(0) + mean_psnr_db(1) + mean_psnr_db(2)) / 6;
}

double EncodingSummary::samples(int plane) const {
  return static_cast<double>(width_) * height_ / (plane == 0 ? 1 : 4);
}

}  // namespace millrace::tools
