// SPDX-License-Identifier: Apache-2.0

// Motion estimation of a clip over ranks: each searches rows of macroblocks of all pictures.
//
//   DistributedMotionEstimator<std::uint8_t> estimator({communicator, *queue}, width, height);
//   const auto consume = [&](const PictureMotion& motion) {
//     if (communicator.rank() == 0) write(motion);   // Whole pictures; else this rank's rows.
//   };
//   estimator.run({.produce = read, .consume = consume});   // On all ranks.
//
// A macroblock is predicted by itself in the picture before, so pictures have to wait for each
// other and rows do not: with rows by rank, ranks have nothing to tell each other but their
// results, which are those of one rank to the bit. Vectors may point anywhere, so each rank has
// whole pictures.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <memory>
#include <stop_token>

namespace millrace::motion {

// As MotionEstimator, on the device of each rank's queue; constructed and run by all ranks.
template <class Sample>
class DistributedMotionEstimator {
 public:
  // Collective. Options are the same on all ranks. Throws on all ranks alike: what MotionEstimator
  // throws on one, kInvalidArgument with the name of an argument that differs and for
  // options.search.rows, which are this class's to choose.
  DistributedMotionEstimator(const DistributedQueue& ranks, int width, int height,
                             const EstimatorOptions& options = {});
  ~DistributedMotionEstimator();

  // Collective. Every rank's produce gives the same pictures, until one rank has no more. Consume
  // has whole pictures on rank 0, which come in the rank's own pace, some in flight; on another
  // rank it has that rank's own rows alone, as of MotionEstimator with options.search.rows, and is
  // not called where there are none. There is no after_search: kUnsupported. The report is this
  // rank's. Throws on all ranks alike.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop = {});

 private:
  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_H_
