// SPDX-License-Identifier: Apache-2.0

// Bits and quality of an encoded clip.
//
//   EncodingSummary summary(1920, 1080, {30, 1});
//   summary.add({.type = SliceType::kI, .bits = 80'000, .squared_errors = {90'000, 4'000, 5'000}});
//   summary.kbit_per_second(), summary.mean_psnr_db(0)
#ifndef MILLRACE_TOOLS_VIDEO_ENCODING_ENCODING_SUMMARY_H_
#define MILLRACE_TOOLS_VIDEO_ENCODING_ENCODING_SUMMARY_H_

#include <millrace/algorithms/h264/slice.h>
#include <millrace/tools/video/picture/clip_format.h>

#include <array>
#include <cstdint>
#include <vector>

namespace millrace::tools {

// Figures of one coded picture.
struct CodedPictureFigures {
  h264::SliceType type = h264::SliceType::kI;
  bool is_idr = false;
  int qp = 0;
  std::uint64_t bits = 0;  // Its access unit's.
  // Sums of squared differences between source and reconstruction, by plane.
  std::array<std::uint64_t, 3> squared_errors = {};
};

class EncodingSummary {
 public:
  static constexpr int kPlanes = 3;

  // Takes the size of the pictures, cropped, in luma samples: even numbers.
  EncodingSummary(int width, int height, const FrameRate& rate);

  void add(const CodedPictureFigures& picture) { pictures_.push_back(picture); }

  // Returns the pictures in order.
  const std::vector<CodedPictureFigures>& pictures() const { return pictures_; }

  std::int64_t count(h264::SliceType type) const;
  std::uint64_t bits(h264::SliceType type) const;
  std::uint64_t bits() const;

  // Returns the mean QP of the pictures; 0 without pictures.
  double mean_qp() const;

  // Returns the bit rate at the clip's frame rate; 0 without pictures.
  double kbit_per_second() const;

  // Returns the PSNR of a plane in dB; infinity where samples are equal.
  double psnr_db(const CodedPictureFigures& picture, int plane) const;

  // Returns the mean of the pictures' PSNRs, and the PSNR of all of their samples together.
  double mean_psnr_db(int plane) const;
  double overall_psnr_db(int plane) const;

  // Returns the mean of the planes' mean PSNRs with four times the weight on luma: (4Y + U + V)
  // / 6.
  double weighted_psnr_db() const;

 private:
  double samples(int plane) const;

  const int width_;
  const int height_;
  const FrameRate rate_;
  std::vector<CodedPictureFigures> pictures_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_ENCODING_ENCODING_SUMMARY_H_
