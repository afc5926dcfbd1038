// SPDX-License-Identifier: Apache-2.0

// Launches the kernels of sorts on a queue's stream.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_LAUNCH_GPU_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_LAUNCH_GPU_H_

#include <millrace/algorithms/radix_sort/gpu/merge_kernels_gpu.h>
#include <millrace/algorithms/radix_sort/gpu/sort_kernels_gpu.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/even_launch.h>
#include <millrace/backends/gpu/host/gpu_queue.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {

using radix_sort::DigitPass;
using radix_sort::PassTimes;

inline constexpr int kSortThreads = 256;

// Arrays of one element type each.
template <class Bits, class Value>
struct TypedRecords {
  Bits* keys;
  Value* values;
};

inline int sort_threads(const GpuQueue& queue) {
  return std::min(kSortThreads, queue.gpu_device().properties().max_threads_per_block);
}

// Returns the shape of a launch with `threads_needed` threads, or as many as the device holds.
inline gpu::LaunchShape sort_shape(const GpuQueue& queue, std::size_t threads_needed) {
  return even_shape(queue.gpu_device().properties(), kSortThreads, threads_needed);
}

// Returns the number of words for the counts of a pass: one for each digit and possible warp, and
// one for their sum.
inline std::size_t most_counts(const GpuQueue& queue, int bits) {
  const gpu::Properties& properties = queue.gpu_device().properties();
  const std::size_t warps = static_cast<std::size_t>(kEvenBlocks) * properties.multiprocessors *
                            sort_threads(queue) / properties.warp_width;
  return (warps << bits) + 1;
}

inline void launch_scan(const GpuQueue& queue, std::uint32_t* words, std::size_t count,
                        std::size_t group, std::uint32_t* starts) {
  const gpu::Properties& properties = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(1024, properties.max_threads_per_block);
  shape.shared_bytes = sizeof(std::uint32_t) * shape.threads / properties.warp_width;
  launch(scan_words, shape, queue.stream(), words, count, group, starts);
}

// The three kernels of a pass by a digit; `counts` has most_counts() words.
template <class Bits, class Value>
class PassLaunch {
 public:
  PassLaunch(const GpuQueue& queue, DigitPass pass, std::size_t count, std::uint32_t* counts)
      : queue_(queue), counts_(counts) {
    const std::size_t warp_width = queue.gpu_device().properties().warp_width;
    shape_ = sort_shape(queue, (count + 31) / 32);
    shape_.shared_bytes = sizeof(std::uint32_t) * pass.digits() * shape_.threads / warp_width;
    warps_ = shape_.blocks * shape_.threads / warp_width;
    const std::size_t steps = (count + warps_ * warp_width - 1) / (warps_ * warp_width);
    range_ = {pass.first_bit, pass.bits, count, steps * warp_width};
  }

  void reduce(const Bits* keys) const {
    launch(&count_digits<Bits>, shape_, queue_.stream(), range_, keys, counts_);
  }
  void scan(std::uint32_t* starts) const {
    launch_scan(queue_, counts_, warps_ << range_.bits, warps_, starts);
  }
  void scatter(TypedRecords<const Bits, const Value> in, TypedRecords<Bits, Value> out) const {
    launch(&scatter_digits<Bits, Value>, shape_, queue_.stream(), range_, in.keys, in.values,
           out.keys, out.values, counts_);
  }

 private:
  const GpuQueue& queue_;
  std::uint32_t* const counts_;
  gpu::LaunchShape shape_;
  std::size_t warps_;
  PassRange range_;
};

// Launches a kernel with work for `threads_needed` threads.
template <class Kernel, class... Arguments>
void launch_over(const GpuQueue& queue, Kernel kernel, std::size_t threads_needed,
                 const Arguments&... arguments) {
  if (threads_needed == 0) return;
  launch(kernel, sort_shape(queue, threads_needed), queue.stream(), arguments...);
}

inline MergeRange merge_range(const GpuQueue& queue, std::size_t first, std::size_t count) {
  return {first, count, static_cast<std::size_t>(sort_threads(queue)) * kMergedByThread};
}

inline std::size_t merge_scratch_bytes(const GpuQueue& queue, std::size_t count) {
  return sizeof(std::size_t) * (merge_range(queue, 0, count).tiles() + 1);
}

// Writes `count` outputs from `first` on. `scratch` has merge_scratch_bytes().
template <class Bits, class Value>
void launch_merge(const GpuQueue& queue, const Runs<Bits, Value>& runs, std::size_t first,
                  std::size_t count, TypedRecords<Bits, Value> out, void* scratch) {
  if (count == 0) return;
  auto* const from_a = static_cast<std::size_t*>(scratch);
  const MergeRange range = merge_range(queue, first, count);
  const std::size_t warp_width = queue.gpu_device().properties().warp_width;
  launch_over(queue, &split_merge<Bits, Value>, (range.tiles() + 1) * warp_width, runs, range,
              from_a);
  gpu::LaunchShape shape = sort_shape(queue, range.tiles() * sort_threads(queue));
  shape.shared_bytes = merge_shared_bytes<Bits>(shape.threads);
  launch(&body_kernel<MergeKernel<Bits, Value>>, shape, queue.stream(),
         MergeKernel<Bits, Value>{runs, range, from_a, out.keys, out.values});
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_GPU_SORT_LAUNCH_GPU_H_
