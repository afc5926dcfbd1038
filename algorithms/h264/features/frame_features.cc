// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/frame_features.h>

#include <algorithm>
#include <cstddef>

#include <millrace/algorithms/h264/features/black_rows.h>

namespace millrace::h264 {
namespace {

constexpr int kIntraFrame = 1;
constexpr int kPredictedFrame = 2;
constexpr int kBipredictedFrame = 3;

SliceType slice_type(const ParsedPicture& picture, const Macroblock& macroblock) {
  return macroblock.slice < picture.slices.size() ? picture.slices[macroblock.slice].header.type
                                                  : SliceType::kI;
}

void count_macroblock(const ParsedPicture& picture, const Macroblock& macroblock,
                      FrameFeatures& features) {
  const MacroblockKind kind = macroblock_kind(macroblock.type, slice_type(picture, macroblock));
  ++features.kinds[static_cast<std::size_t>(kind)];
  if (kind == MacroblockKind::kLost) return;
  features.transforms_8x8 += macroblock.has_8x8_transform;
  ++features.qp_histogram[std::min<std::size_t>(macroblock.qp, kQps - 1)];
  for (std::size_t i = 0; i < features.bits.size(); ++i) features.bits[i] += macroblock.bits[i];
  if (macroblock.type != MacroblockType::kInter8x8) return;
  for (const SubPartition part : macroblock.sub_partitions) {
    const auto index = static_cast<std::size_t>(part);
    if (index < features.sub_partitions.size()) ++features.sub_partitions[index];
  }
}

void measure_qp(const ParsedPicture& picture, FrameFeatures& features) {
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

  const auto width = static_cast<std::size_t>(picture.sequence->width_in_macroblocks);
  const std::size_t skipped = width * static_cast<std::size_t>(features.black_rows);
  sum = count = 0;
  for (std::size_t i = skipped; i + skipped < picture.macroblocks.size(); ++i) {
    const Macroblock& macroblock = picture.macroblocks[i];
    if (macroblock.type == MacroblockType::kLost) continue;
    sum += macroblock.qp;
    ++count;
  }
  if (count > 0) features.mean_qp_inside = static_cast<double>(sum) / static_cast<double>(count);
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

FrameFeatures FrameFeatureExtractor::measure(const ParsedPicture& picture) {
  const int step = picture_order_step_.follow(picture);
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
  features.macroblocks = static_cast<std::int64_t>(picture.macroblocks.size());
  for (const Macroblock& macroblock : picture.macroblocks) {
    count_macroblock(picture, macroblock, features);
  }
  // Another size may have come with new parameter sets.
  const bool rows_fit =
      picture.sequence && 2 * black_rows_ < picture.sequence->height_in_macroblocks;
  features.black_rows = rows_fit ? black_rows_ : 0;
  measure_qp(picture, features);
  features.motion = measure_motion(picture, step);
  measure_bits(picture, features);
  features.bands = measure_bands(picture);
  features.references = measure_references(picture, step);
  features.slices = static_cast<int>(picture.slices.size());
  features.damaged_slices =
      static_cast<int>(std::count_if(picture.slices.begin(), picture.slices.end(),
                                     [](const Slice& slice) { return slice.is_damaged; }));
  features.lost_macroblocks = features.kinds[static_cast<std::size_t>(MacroblockKind::kLost)];
  features.inferred_pictures = inferred_pictures_;
  inferred_pictures_ = 0;
  features.damage = damage_.measure(picture);
  if (features.frame_type == kIntraFrame) black_rows_ = count_black_rows(picture);
  return features;
}

}  // namespace millrace::h264
