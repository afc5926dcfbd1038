// SPDX-License-Identifier: Apache-2.0

// The caller's stages as the ends of a stream.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_CALLER_STAGES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_CALLER_STAGES_H_

#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/picture_source.h>

namespace millrace::motion {

template <class Sample>
class CallerStages : public PictureSource<Sample>, public MotionSink {
 public:
  // `stages` outlive this object and have a produce.
  explicit CallerStages(const EstimatorStages<Sample>& stages) : stages_(stages) {}

  // Throws kInvalidArgument for a picture of std::uint16_t with samples of more than 10 bits.
  bool read(InputPicture<Sample>& target) override;

  void put(const PictureMotion& motion) override {
    if (stages_.consume) stages_.consume(motion);
  }

  // Returns true if results are put anywhere.
  bool consumes() const { return static_cast<bool>(stages_.consume); }

 private:
  const EstimatorStages<Sample>& stages_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_CALLER_STAGES_H_
