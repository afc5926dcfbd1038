// SPDX-License-Identifier: Apache-2.0

// Memory of parsed pictures that is used again.
#ifndef MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_
#define MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_

#include <millrace/algorithms/h264/parsed_picture.h>

#include <memory>

namespace millrace::h264 {

// Makes pictures whose memory comes back when their last owner lets go of them, in any thread; they
// may outlive the pool. One thread at a time may call it.
class PicturePool {
 public:
  PicturePool();
  ~PicturePool();

  // Returns a picture without slices, of `macroblocks` macroblocks, all kLost; with coefficients,
  // all 0, where those are wanted.
  std::shared_ptr<ParsedPicture> make(int macroblocks, bool wants_coefficients);
  // Takes the coefficients out of a picture that has no other owner than the caller, and forgets
  // the addresses in its reference lists; does nothing where it has another one.
  void strip(const std::shared_ptr<ParsedPicture>& picture);

 private:
  struct Spare;
  std::shared_ptr<Spare> spare_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PICTURES_PICTURE_POOL_H_
