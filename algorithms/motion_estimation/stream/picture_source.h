// SPDX-License-Identifier: Apache-2.0

// The two ends of a stream of pictures: where they come from and where their results go.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_SOURCE_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_SOURCE_H_

#include <millrace/algorithms/motion_estimation/picture_motion.h>

namespace millrace::motion {

// Called on one thread at a time.
template <class Sample>
class PictureSource {
 public:
  virtual ~PictureSource() = default;

  // Writes the next picture, or returns false at the end.
  virtual bool read(InputPicture<Sample>& target) = 0;
};

// Called on one thread at a time, for every picture in order.
class MotionSink {
 public:
  virtual ~MotionSink() = default;

  // The results are valid until this returns.
  virtual void put(const PictureMotion& motion) = 0;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_PICTURE_SOURCE_H_
