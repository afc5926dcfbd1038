// SPDX-License-Identifier: Apache-2.0

// The samples of a stream's decoded pictures, as long as others may refer to them or they wait to
// be shown.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_FRAME_STORE_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_FRAME_STORE_H_

#include <millrace/algorithms/h264/parameter_sets.h>
#include <millrace/algorithms/h264/pictures/damage_tracker.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/h264/stream/decoded_frame.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace millrace::h264 {

struct StoredFrame {
  std::unique_ptr<SamplePicture> samples;
  std::shared_ptr<const SequenceParameters> sequence;
  int concealed_macroblocks = 0;
  PictureDamage damage;
};

// Follows what a PictureSink is notified of. One thread at a time may call it.
class FrameStore {
 public:
  // Returns a picture of the sequence's size, of any samples.
  std::unique_ptr<SamplePicture> take_samples(const SequenceParameters& sequence);

  // Stores the picture that was decoded last; it conceals losses of the next one, so its samples
  // are kept until then.
  void store(std::int64_t picture, StoredFrame frame);
  // Returns the samples of a picture, or null.
  const SamplePicture* find(std::int64_t picture) const;
  // Returns a picture as it is shown; without samples if it is not there.
  DecodedFrame frame(std::int64_t picture) const;
  // Called when no later picture refers to it, and after its output if it is output.
  void release(std::int64_t picture);

 private:
  // Removes a picture, and keeps the memory of its samples for later ones.
  void drop(std::int64_t picture);

  std::map<std::int64_t, StoredFrame> frames_;  // ParsedPicture::id is the key.
  std::vector<std::unique_ptr<SamplePicture>> unused_;
  std::int64_t last_ = -1;
  bool is_last_released_ = false;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_FRAME_STORE_H_
