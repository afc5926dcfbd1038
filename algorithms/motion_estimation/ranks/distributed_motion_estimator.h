// SPDX-License-Identifier: Apache-2.0

// Motion estimation of a clip over ranks: each searches rows of macroblocks of all pictures.
//
//   DistributedMotionEstimator<std::uint8_t> estimator({communicator, *queue}, width, height);
//   const auto consume = [&](const PictureMotion& motion) {
//     if (communicator.rank() == 0) write(motion);   // Whole pictures; else this rank's rows.
//   };
//   estimator.run({.produce = read, .consume = consume});   // On all ranks.
//
// A macroblock is predicted by its own vector in the picture before, so consecutive pictures depend
// on each other and rows do not. With rows distributed over ranks, ranks exchange only their
// results, which equal those of one rank to the bit. Vectors may point anywhere, so each rank has
// whole pictures.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_ESTIMATOR_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_ESTIMATOR_H_

#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/runtime/ranks/distributed_queue.h>
#include <millrace/runtime/stream/pipeline_report.h>

#include <memory>
#include <stop_token>

namespace millrace::motion {

// A MotionEstimator on the device of each rank's queue. All ranks construct and run it.
template <class Sample>
class DistributedMotionEstimator {
 public:
  // Collective. Options are the same on all ranks. Throws on all ranks alike: what MotionEstimator
  // throws on one, kInvalidArgument with the name of an argument that differs, and for
  // options.search.rows, which this class sets itself.
  DistributedMotionEstimator(const DistributedQueue& ranks, int width, int height,
                             const EstimatorOptions& options = {});
  ~DistributedMotionEstimator();

  // Collective. Every rank's produce gives the same pictures, until one rank has no more. On rank
  // 0, consume receives whole pictures at the rank's own pace, with some in flight. On other ranks
  // it receives the rank's own rows, as with MotionEstimator and options.search.rows, and is not
  // called if there are none. after_search throws kUnsupported. The report is this rank's. Throws
  // on all ranks alike.
  PipelineReport run(const EstimatorStages<Sample>& stages, const std::stop_token& stop = {});

 private:
  class Body;
  const std::unique_ptr<Body> body_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_RANKS_DISTRIBUTED_MOTION_ESTIMATOR_H_
