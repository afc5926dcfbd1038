// SPDX-License-Identifier: Apache-2.0

// The decoded picture buffer: keeps pictures for reference and puts them into output order (ITU-T
// H.264 clause C.4).
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_DECODED_PICTURES_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_DECODED_PICTURES_H_

#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/pictures/stored_picture.h>
#include <millrace/algorithms/h264/prefetch_object.h>

#include <vector>

namespace millrace::h264 {

// Calls PictureSink::output and release. The owner marks pictures through stored(), then stores
// the current one.
class DecodedPictures {
 public:
  explicit DecodedPictures(PictureSink& sink) : sink_(sink) {}

  // Sets the number of frames that fit, and how many pictures may wait for output at most
  // (max_num_reorder_frames); negative: as many as fit.
  void set_capacity(int frames, int max_reorder);

  // Fetches the pictures into the caches.
  void prefetch() const { prefetch_bytes(stored_.data(), stored_.size() * sizeof(StoredPicture)); }

  std::vector<StoredPicture>& stored() { return stored_; }
  const std::vector<StoredPicture>& stored() const { return stored_; }

  // Stores a picture, or outputs it at once where it is no reference and the next in output order.
  // Outputs and releases others as long as the buffer is full (clause C.4.5).
  void store(StoredPicture picture);
  // Outputs all pictures in order, and releases them.
  void flush();
  // Releases all pictures without output (no_output_of_prior_pics_flag).
  void discard();

 private:
  // Returns the picture to be output next, or null.
  StoredPicture* next_for_output();
  int waiting_count() const;
  void output(StoredPicture& picture);
  void release_unused();

  PictureSink& sink_;
  std::vector<StoredPicture> stored_;  // Stored in decoding order.
  int capacity_ = 1;
  int max_reorder_ = -1;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_DECODED_PICTURES_H_
