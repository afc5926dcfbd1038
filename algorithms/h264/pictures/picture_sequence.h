// SPDX-License-Identifier: Apache-2.0

// The decoding process of pictures, without their macroblocks: order counts, reference lists and
// marking, gaps in frame_num, and output (ITU-T H.264 clauses 8.2 and C.4).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_SEQUENCE_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_SEQUENCE_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/pictures/decoded_pictures.h>
#include <millrace/algorithms/h264/pictures/mark_references.h>
#include <millrace/algorithms/h264/pictures/picture_order.h>
#include <millrace/algorithms/h264/pictures/stored_picture.h>

#include <cstdint>
#include <memory>
#include <string>

namespace millrace::h264 {

// For each picture in decoding order: begin(), then add_references() of each slice, then end().
class PictureSequence {
 public:
  explicit PictureSequence(PictureSink& sink) : sink_(sink), decoded_(sink) {}

  // Returns the id of the picture that begins next, unless inferred ones come before it.
  std::int64_t next_id() const { return next_id_; }

  // Fetches the pictures that are kept into the caches.
  void prefetch() const { decoded_.prefetch(); }

  // Forgets references and order, as if the stream began with the next picture, which need not be
  // an IDR picture. Pictures that wait are output.
  void restart();

  // Begins the picture of `sequence` whose first slice has that header. Fills in the picture's id,
  // order count, frame number and flags. The sink gets pictures that are inferred for a gap in
  // frame_num. Returns what is damaged, or an empty string.
  std::string begin(const std::shared_ptr<const SequenceParameters>& sequence,
                    const SliceHeader& header, ParsedPicture& picture);
  // Fills in the reference lists of a slice of the picture. Returns what is damaged.
  std::string add_references(Slice& slice) const;
  // Marks the picture and the references by the header of its first slice, stores it, and outputs
  // the pictures that are due.
  std::string end(std::shared_ptr<const ParsedPicture> picture, const SliceHeader& header);
  // Outputs all pictures that wait.
  void flush() { decoded_.flush(); }

  // Returns the number of reference pictures that gaps in frame_num stand for where the sequence
  // does not allow gaps.
  std::int64_t lost_pictures() const { return lost_pictures_; }

 private:
  void activate(const std::shared_ptr<const SequenceParameters>& sequence);
  std::string fill_gap(int frame_number);
  void infer_picture(int frame_number, bool is_lost);

  PictureSink& sink_;
  DecodedPictures decoded_;
  PictureOrderCounter order_;
  std::shared_ptr<const SequenceParameters> sequence_;
  MarkingLimits limits_;
  StoredPicture current_;
  std::int64_t next_id_ = 0;
  std::int64_t lost_pictures_ = 0;
  int previous_reference_frame_number_ = 0;  // PrevRefFrameNum
  bool has_previous_ = false;                // A picture came before since restart().
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_SEQUENCE_H_
