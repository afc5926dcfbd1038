// SPDX-License-Identifier: Apache-2.0

// Encodes the pictures of one group, one after another.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_ENCODER_H_

#include <millrace/algorithms/h264/encoder/coded_picture.h>
#include <millrace/algorithms/h264/encoder/cpu/encode_row_simd.h>
#include <millrace/algorithms/h264/encoder/macroblock/level_quantiser.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_progress.h>
#include <millrace/algorithms/h264/encoder/picture_writer.h>
#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/encoder/syntax/macroblock_levels.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/runtime/host/huge_page_allocator.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// Encodes a row as encode_row().
using EncodeRow = void (*)(const PictureCoding&, PictureProgress&, int row);

// The vectors of one reference, in host memory.
struct HostField {
  std::vector<MotionVector, HugePageAllocator<MotionVector>> vectors;
  std::vector<std::uint32_t, HugePageAllocator<std::uint32_t>> costs;
};

// Keeps its memory from group to group. One thread at a time may call it, but for encode_row().
class GroupEncoder {
 public:
  // Another `row_encoder` must give the same results.
  GroupEncoder(const EncoderOptions& options, const SequenceParameters& sequence,
               const PictureParameters& picture, EncodeRow row_encoder = encode_row_simd);
  GroupEncoder(const GroupEncoder&) = delete;
  GroupEncoder& operator=(const GroupEncoder&) = delete;

  void begin_group();

  // Returns the number of references that the next picture has, 0 for the first one.
  int references() const;
  // Returns the reconstruction of a reference; index 0 is the nearest one.
  const SamplePicture& reference(int index) const {
    return *stored_[static_cast<std::size_t>(index)];
  }

  // field() is what a search of the next picture fills before begin_picture(). Its predictors are
  // the vectors of the previous picture, or zero.
  motion::MotionField field(int reference);
  const MotionVector* predictors(int reference) const;
  std::ptrdiff_t predictor_stride(int reference) const;

  // Begins the next picture, whose samples are complete to whole macroblocks. All of its
  // macroblocks have the QP `qp`, 0 to 51.
  void begin_picture(std::shared_ptr<SamplePicture> source, int qp);

  // Encodes the group's first picture again by another QP. It must be the picture that ended last;
  // `reconstruction` is the one that end_picture() returned for it.
  void begin_again(std::shared_ptr<SamplePicture> reconstruction, int qp);

  // Encodes one of rows() rows of macroblocks. All rows are begun in order, each once, and threads
  // may call it at the same time; a row waits for those above.
  int rows() const { return sequence_.height_in_macroblocks; }
  void encode_row(int row);

  // Writes the picture, all of whose rows must be encoded, and sets `reconstruction` to its
  // reconstruction.
  CodedPicture end_picture(int idr_id, std::shared_ptr<SamplePicture>& reconstruction);

 private:
  void set_qp(int qp);
  void set_references();
  void count_errors(const SamplePicture& source, const SamplePicture& reconstruction,
                    CodedPicture& coded) const;

  const EncoderOptions options_;
  const SequenceParameters sequence_;
  const PictureWriter writer_;
  const EncodeRow row_encoder_;
  LevelQuantiser luma_quantiser_ = {};  // Quantises the luma of the current picture.
  LevelQuantiser chroma_quantiser_ = {};
  std::vector<Macroblock> macroblocks_;
  std::vector<MacroblockLevels, HugePageAllocator<MacroblockLevels>> levels_;
  std::vector<CodedBorder> borders_;
  std::vector<CabacStates> row_states_;
  std::vector<CabacStates> entry_states_;
  std::vector<HostField> fields_;                       // Indexed by reference of the next picture.
  std::vector<HostField> fields_before_;                // Fields of the previous picture.
  std::vector<std::shared_ptr<SamplePicture>> stored_;  // References, the nearest first.
  std::shared_ptr<SamplePicture> spare_;
  std::shared_ptr<SamplePicture> source_;
  ReferenceView views_[motion::kMostReferences] = {};
  std::vector<SliceView> slices_;
  PictureCoding coding_;  // Coding of the current picture.
  PictureProgress progress_;
  int number_ = 0;             // The next picture's, in its group.
  int references_before_ = 0;  // Number of references of the previous picture.
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_GROUP_ENCODER_H_
