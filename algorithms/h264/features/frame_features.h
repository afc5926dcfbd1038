// SPDX-License-Identifier: Apache-2.0

// Features of one picture of an H.264 stream, as its slices code it.
//
//   FrameFeatureExtractor extractor;
//   FrameFeatures features = extractor.measure(*picture);  // For each picture in decoding order.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_FRAME_FEATURES_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_FRAME_FEATURES_H_

#include <millrace/algorithms/h264/features/coefficient_statistics.h>
#include <millrace/algorithms/h264/features/macroblock_kind.h>
#include <millrace/algorithms/h264/features/measured_picture_maker.h>
#include <millrace/algorithms/h264/features/motion_statistics.h>
#include <millrace/algorithms/h264/features/picture_order_step.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/features/reference_distances.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/pictures/damage_tracker.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::h264 {

// Features of one coded picture. Counts are over all of its macroblocks, before cropping.
struct FrameFeatures {
  // Identity.
  std::int64_t picture = 0;  // ParsedPicture::id
  int picture_order = 0;
  int frame_number = 0;
  int width = 0;  // After cropping, in luma samples.
  int height = 0;
  bool is_reference = false;

  // Members of ITU-T P.1204.3, mode 3.
  int frame_type = 1;         // FrameType: 3 (B) with a B slice, else 2 (P) with a P slice, else 1.
  bool is_idr = false;        // IsIDR: nal_unit_type 5.
  std::int64_t bytes = 0;     // FrameSize: of the access unit with its framing.
  double mean_qp = 0;         // Av_QP: QP_Y of all macroblocks that are not lost.
  double mean_qp_inside = 0;  // Av_QPBB: the same without black rows.
  int least_qp = 0;           // min_QP; 0 where all is lost.
  int greatest_qp = 0;        // max_QP
  MotionStatistics motion;    // Av_Motion to StdDev_MotionDif.
  int bit_depth = 8;          // Seq.BitDepth

  // libavcodec's key frame: an IDR picture, or an intra one with a recovery point.
  bool is_key_frame = false;
  int black_rows = 0;  // Rows of macroblocks left out of mean_qp_inside, at the top and the bottom.

  // Macroblocks.
  std::int64_t macroblocks = 0;
  std::array<std::int64_t, kMacroblockKinds> kinds = {};         // Indexed by MacroblockKind.
  std::array<std::int64_t, kSubPartitions> sub_partitions = {};  // 8x8 blocks of P8x8 and B8x8.
  std::int64_t transforms_8x8 = 0;                   // Macroblocks with the 8x8 transform.
  std::array<std::int64_t, kQps> qp_histogram = {};  // Macroblocks by QP_Y.

  // Bits. Their sum is 8 * `bytes`, except that the last element of a damaged slice may reach
  // beyond the slice.
  std::int64_t header_bits = 0;  // The slices': start code, NAL unit header, slice header.
  std::array<std::int64_t, kSyntaxClasses> bits = {};  // Indexed by SyntaxClass.
  std::int64_t other_bits = 0;  // Parameter sets, SEI, alignment, emulation prevention bytes.

  CoefficientStatistics coefficients;
  ReferenceDistances references;

  // Losses.
  int slices = 0;
  int damaged_slices = 0;
  std::int64_t lost_macroblocks = 0;
  std::int64_t inferred_pictures = 0;  // Gaps in frame_num between the frame before and this one.
  PictureDamage damage;
};

// Measures the pictures of one stream. Keeps the state of earlier pictures that features depend on:
// black rows, the step of PicOrderCnt, the number of inferred pictures since the last one measured,
// and maps of the damaged macroblocks of pictures that others may refer to. One thread at a time
// may call it.
class FrameFeatureExtractor {
 public:
  // Returns the features of the next picture in decoding order. Inferred pictures have none: call
  // skip() for them. The picture may have any contents.
  FrameFeatures measure(const ParsedPicture& picture);
  // The same for a picture whose sums over all macroblocks and over each row of them are known.
  // Reads no coefficients, and reads macroblocks only if needs_macroblocks() returns true;
  // otherwise the picture may be without them.
  FrameFeatures measure(const ParsedPicture& picture, const PictureSums& sums,
                        std::span<const MacroblockRowSums> rows);
  // Returns true if the macroblocks of the next picture are needed to follow losses.
  bool needs_macroblocks(const ParsedPicture& picture, const PictureSums& sums) const;
  void skip(const ParsedPicture& picture);
  // Notes that no later picture refers to this one (PictureSink::release()). Without these calls
  // the results are the same, but the maps of damaged pictures stay in memory.
  void release(std::int64_t picture) { damage_.release(picture); }

 private:
  PictureDamage follow_damage(const ParsedPicture& picture, const PictureSums& sums);

  // Black rows of the last intra picture. They hold from the picture after it to the next intra
  // one.
  int black_rows_ = 0;
  PictureOrderStep picture_order_step_;
  std::int64_t inferred_pictures_ = 0;
  DamageTracker damage_;
  MeasuredPictureMaker maker_;
  std::vector<MacroblockRowSums> rows_;
};

// Returns the type of a picture as FrameFeatures::frame_type.
int frame_type(const ParsedPicture& picture);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_FRAME_FEATURES_H_
