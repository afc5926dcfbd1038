// SPDX-License-Identifier: Apache-2.0

// The pictures of one stream whose samples a device keeps, or will have by the time they are read.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_REFERENCES_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_REFERENCES_H_

#include <millrace/algorithms/h264/features/tasks/pending_picture.h>
#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/runtime/core/queue.h>

#include <cstdint>
#include <map>
#include <memory>

namespace millrace::h264 {

// Follows a stream's pictures in decoding order, as FrameStore does on a host.
class StreamReferences {
 public:
  // Takes the next picture. Sets what `pending` is predicted from, and its samples; an inferred
  // picture has the samples of the one before and leaves `pending` as it is.
  void add(const ParsedPicture& picture, PendingPicture& pending);
  // Notes that no later picture refers to it.
  void release(std::int64_t picture);

  // Returns true if later pictures may read the samples.
  bool has(const std::shared_ptr<DeviceSamples>& samples) const;
  // Moves them out of the memory of runs before `oldest`.
  void move_out(Queue& queue, std::uint64_t oldest);

 private:
  // Returns a picture of the size of `picture`, or null.
  std::shared_ptr<DeviceSamples> find(const ParsedPicture& picture, std::int64_t id) const;

  std::map<std::int64_t, std::shared_ptr<DeviceSamples>> pictures_;  // Keyed by ParsedPicture::id
  std::int64_t last_ = -1;  // It conceals losses of the next one, and is kept until then.
  bool is_last_released_ = false;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_STREAM_REFERENCES_H_
