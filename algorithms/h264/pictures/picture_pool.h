// SPDX-License-Identifier: Apache-2.0

// Memory of parsed pictures that is used again.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <memory>

namespace millrace::h264 {

// Makes pictures whose memory returns to the pool when their last owner releases them, in any
// thread. They may outlive the pool. One thread at a time may call it.
class PicturePool {
 public:
  PicturePool();
  ~PicturePool();

  // Returns a picture without slices, of `macroblocks` macroblocks, all kLost, and with memory for
  // their coefficients where those are wanted. The rest of macroblocks, and which coefficients are
  // theirs, may have any value.
  std::shared_ptr<ParsedPicture> make(int macroblocks, bool wants_coefficients);
  // Returns another owner of `picture` for those who read its coefficients. When the last copy of
  // it is gone, in any thread, the pool takes the coefficients out of the picture and forgets the
  // addresses in its reference lists; all else of it may still be read.
  std::shared_ptr<const ParsedPicture> lend(std::shared_ptr<ParsedPicture> picture);

 private:
  struct Spare;
  std::shared_ptr<Spare> spare_;
};

// Clears macroblocks that are kLost, and their coefficients: pictures of a pool have old values
// there. Called when the last slice of a picture is parsed and one was lost or damaged, and before
// a device parses slices.
void clear_lost(ParsedPicture& picture);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_
