// SPDX-License-Identifier: Apache-2.0

// Motion estimation of a clip: pictures are uploaded to a device while earlier ones are searched
// and the vectors of still earlier ones are downloaded (runtime/stream/pipeline.h).
//
//   MotionEstimator<std::uint8_t> estimator(device, width, height, {.references = 2});
//   estimator.run({
//       .produce = [&](InputPicture<std::uint8_t>& target) { return clip.read(target.current); },
//       .consume = [&](const PictureMotion& motion) { file.write(motion.vectors[0]); },
//   });
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_

#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/group/item_sharing.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <memory>
#include <stop_token>
#include <vector>

namespace millrace::motion {

template <class Sample>
class MotionStream;
template <class Sample>
class MotionGroup;

// Searches clips. `Sample` is as in LumaPlane. Keeps its memory, from the device's pools, for its
// lifetime. One run, of one clip, at a time, on any thread. Results equal those of motion_search.h
// to the bit. Nothing is copied on a device that shares the host's memory.
template <class Sample>
class MotionEstimator {
 public:
  // `width` and `height` are multiples of 16, at most kMostPictureSize. Throws kInvalidArgument for
  // a size or options out of range, and kOutOfMemory.
  MotionEstimator(std::shared_ptr<Device> device, int width, int height,
                  const EstimatorOptions& options = {});

  // Uses all devices of a group, which need not outlive the object. Each searches rows of
  // macroblocks of all pictures, in proportion to its speed in earlier runs. Stages are called on
  // any thread, each of them by one thread at a time. Throws kUnsupported for options.search.rows
  // here, and for after_search in run().
  MotionEstimator(const DeviceGroup& group, int width, int height,
                  const EstimatorOptions& options = {});
  ~MotionEstimator();

  // Runs until produce has no more pictures and all are consumed. Throws as Pipeline::run does. If
  // produce fails, the pictures before are consumed; if another stage fails, the chunks before. A
  // picture of std::uint16_t with samples above 1023 throws kInvalidArgument as if from produce.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop = {});

  // Returns the number of rows of macroblocks that each device of a group searched in the last run;
  // empty for a single device.
  std::vector<DevicePortion> portions() const;

 private:
  const std::unique_ptr<MotionStream<Sample>> stream_;  // Null for a group of several devices.
  const std::unique_ptr<MotionGroup<Sample>> group_;    // Else null.
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_ESTIMATOR_H_
