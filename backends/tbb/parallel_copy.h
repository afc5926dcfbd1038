// Copies host memory at the rate of the memory rather than of one core.
#ifndef MILLRACE_BACKENDS_TBB_PARALLEL_COPY_H_
#define MILLRACE_BACKENDS_TBB_PARALLEL_COPY_H_

#include <cstddef>

namespace millrace::tbb_backend {

// memcpy by the threads of the arena it is called in; a target larger than the caches is written
// past them. The ranges must not overlap.
void parallel_copy(void* target, const void* source, std::size_t bytes);

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_PARALLEL_COPY_H_
