// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/black_rows.h>
#include <millrace/algorithms/h264/features/frame_features.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace millrace::h264 {
namespace {

constexpr int kIntraFrame = 1;
constexpr int kPredictedFrame = 2;
constexpr int kBipredictedFrame = 3;

template <class Features, class Counters>
void copy_counters(const Counters& counters, Features& features) {
  std::copy(std::begin(counters), std::end(counters), features.begin());
}

void count_macroblocks(const PictureSums& sums, FrameFeatures& features) {
  copy_counters(sums.kinds, features.kinds);
  copy_counters(sums.sub_partitions, features.sub_partitions);
  copy_counters(sums.qp_histogram, features.qp_histogram);
  copy_counters(sums.bits, features.bits);
  features.transforms_8x8 = static_cast<std::int64_t>(sums.transforms_8x8);
  features.lost_macroblocks = features.kinds[static_cast<std::size_t>(MacroblockKind::kLost)];
  // Each macroblock has a kind.
  features.macroblocks =
      std::accumulate(features.kinds.begin(), features.kinds.end(), std::int64_t{0});
}

void measure_qp(std::span<const MacroblockRowSums> rows, FrameFeatures& features) {
  std::int64_t sum = 0, count = 0;
  bool is_first = true;
  for (int qp = 0; qp < kQps; ++qp) {
    const std::int64_t macroblocks = features.qp_histogram[static_cast<std::size_t>(qp)];
    if (macroblocks == 0) continue;
    if (is_first) features.least_qp = qp;
    is_first = false;
    features.greatest_qp = qp;
    sum += qp * macroblocks;
    count += macroblocks;
  }
  if (count > 0) features.mean_qp = static_cast<double>(sum) / static_cast<double>(count);
  features.mean_qp_inside = features.mean_qp;
  if (features.black_rows == 0) return;

  const auto skipped = static_cast<std::size_t>(features.black_rows);
  MacroblockRowSums inside;
  for (std::size_t i = skipped; i + skipped < rows.size(); ++i) {
    inside.qp += rows[i].qp;
    inside.macroblocks += rows[i].macroblocks;
  }
  if (inside.macroblocks > 0) {
    features.mean_qp_inside =
        static_cast<double>(inside.qp) / static_cast<double>(inside.macroblocks);
  }
}

void measure_bits(const ParsedPicture& picture, FrameFeatures& features) {
  std::int64_t known = 0;
  for (const Slice& slice : picture.slices) features.header_bits += slice.header_bits;
  for (const std::int64_t bits : features.bits) known += bits;
  features.other_bits =
      std::max<std::int64_t>(0, 8 * features.bytes - features.header_bits - known);
}

}  // namespace

int frame_type(const ParsedPicture& picture) {
  int type = kIntraFrame;
  for (const Slice& slice : picture.slices) {
    if (slice.header.type == SliceType::kB) return kBipredictedFrame;
    if (slice.header.type == SliceType::kP) type = kPredictedFrame;
  }
  return type;
}

void FrameFeatureExtractor::skip(const ParsedPicture& picture) {
  damage_.measure(picture);
  ++inferred_pictures_;
}

bool FrameFeatureExtractor::needs_macroblocks(const ParsedPicture& picture,
                                              const PictureSums& sums) const {
  return damage_.needs_macroblocks(picture,
                                   sums.kinds[static_cast<int>(MacroblockKind::kLost)] > 0);
}

PictureDamage FrameFeatureExtractor::follow_damage(const ParsedPicture& picture,
                                                   const PictureSums& sums) {
  if (needs_macroblocks(picture, sums)) return damage_.measure(picture);
  PictureDamage damage;
  damage.inter_macroblocks = static_cast<std::int64_t>(sums.inter_macroblocks);
  return damage;
}

FrameFeatures FrameFeatureExtractor::measure(const ParsedPicture& picture) {
  const MeasuredPicture measured = maker_.make(picture, picture_order_step_.follow(picture));
  const PictureSums sums = sum_macroblocks(measured, rows_);
  return measure(picture, sums, rows_);
}

FrameFeatures FrameFeatureExtractor::measure(const ParsedPicture& picture, const PictureSums& sums,
                                             std::span<const MacroblockRowSums> rows) {
  picture_order_step_.follow(picture);
  FrameFeatures features;
  features.picture = picture.id;
  features.picture_order = picture.picture_order;
  features.frame_number = picture.frame_number;
  features.is_reference = picture.is_reference;
  if (picture.sequence) {
    features.width = picture.sequence->width();
    features.height = picture.sequence->height();
  }
  features.frame_type = frame_type(picture);
  features.is_idr = picture.is_idr;
  features.is_key_frame =
      picture.is_idr || (picture.has_recovery_point && features.frame_type == kIntraFrame);
  features.bytes = picture.bytes;
  count_macroblocks(sums, features);
  // Another size may have come with new parameter sets.
  const bool rows_fit =
      picture.sequence && 2 * black_rows_ < picture.sequence->height_in_macroblocks;
  features.black_rows = rows_fit ? black_rows_ : 0;
  measure_qp(rows, features);
  features.motion = measure_motion(sums.motion);
  measure_bits(picture, features);
  features.coefficients = measure_coefficients(sums);
  features.references = measure_references(sums);
  features.slices = static_cast<int>(picture.slices.size());
  features.damaged_slices =
      static_cast<int>(std::count_if(picture.slices.begin(), picture.slices.end(),
                                     [](const Slice& slice) { return slice.is_damaged; }));
  features.inferred_pictures = inferred_pictures_;
  inferred_pictures_ = 0;
  features.damage = follow_damage(picture, sums);
  if (features.frame_type == kIntraFrame) {
    black_rows_ =
        picture.sequence ? count_black_rows(rows, picture.sequence->width_in_macroblocks) : 0;
  }
  return features;
}

}  // namespace millrace::h264
