// SPDX-License-Identifier: Apache-2.0

// Pictures of a clip on one device; used by MotionEstimator and MotionGroup.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_

#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/picture_motion.h>
#include <millrace/algorithms/motion_estimation/stream/picture_layout.h>
#include <millrace/algorithms/motion_estimation/stream/picture_memory.h>
#include <millrace/algorithms/motion_estimation/stream/picture_source.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/pipeline.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace millrace::motion {

template <class Sample>
class MotionStream {
 public:
  // Beginning of a run that continues a clip.
  struct Start {
    std::uint64_t picture = 0;  // Produce also writes the `references` pictures before it.

    // Vectors of all macroblocks of the picture before, for each reference that it had; for
    // kPrevious.
    std::vector<std::span<const MotionVector>> vectors{};
  };

  // The ends of a run, and the work on the device behind the search.
  struct Ends {
    PictureSource<Sample>& source;
    MotionSink* sink = nullptr;  // Null: results are dropped.
    std::function<void(Queue&, const DeviceMotion<Sample>&)> after_search{};
  };

  // The arguments are valid.
  MotionStream(std::shared_ptr<Device> device, int width, int height,
               const EstimatorOptions& options);

  // Runs from and to the caller's stages, which have a produce.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop,
                     const Start& start = {});

  PipelineReport run(const Ends& ends, const std::stop_token& stop, const Start& start);

 private:
  const std::shared_ptr<Device> device_;
  const EstimatorOptions options_;
  const PictureLayout<Sample> layout_;
  const int chunk_size_;
  PictureMemory<Sample> memory_;
  Buffer<MotionVector> zero_;
  Pipeline pipeline_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_STREAM_MOTION_STREAM_H_
