// Refinement of vectors on GPUs.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_GPU_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_GPU_H_

#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>

namespace millrace::MILLRACE_GPU {

// Gives the queue's stream the refinement of a field of whole vectors, to the precision that is
// asked for; in an operation of the queue.
template <class Sample>
void refine_field(GpuQueue& queue, const SearchFrame<Sample>& frame, const MotionField& field,
                  const SearchOptions& options);

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_REFINE_GPU_H_
