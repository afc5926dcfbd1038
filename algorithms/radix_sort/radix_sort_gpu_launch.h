// Launches of the kernels that sorting on GPUs is made of, on a queue's stream.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_LAUNCH_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_LAUNCH_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <millrace/algorithms/radix_sort/host_sort_steps.h>
#include <millrace/algorithms/radix_sort/radix_sort_gpu_kernels.h>
#include <millrace/algorithms/radix_sort/radix_sort_gpu_merge.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>

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

// As many blocks as `threads_needed` fill, and no more than the device holds at once.
template <class Kernel>
gpu::LaunchShape resident_shape(const GpuQueue& queue, Kernel kernel, std::size_t threads_needed,
                                std::size_t shared_bytes = 0) {
  const gpu::Properties& properties = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(kSortThreads, properties.max_threads_per_block);
  shape.shared_bytes = shared_bytes;
  const int resident = resident_blocks(kernel, shape.threads, shared_bytes);
  const std::size_t most =
      static_cast<std::size_t>(std::max(resident, 1)) * properties.multiprocessors;
  const std::size_t needed = (threads_needed + shape.threads - 1) / shape.threads;
  shape.blocks = static_cast<int>(std::clamp<std::size_t>(needed, 1, most));
  return shape;
}

// Words of the counts of a pass: a digit's for each warp there can be, and their sum.
inline std::size_t most_counts(const GpuQueue& queue, int bits) {
  constexpr std::size_t kMostBlocks = 8;  // A multiprocessor's, of a pass.
  const gpu::Properties& properties = queue.gpu_device().properties();
  const std::size_t warps = kMostBlocks * properties.multiprocessors *
                            std::min(kSortThreads, properties.max_threads_per_block) /
                            properties.warp_width;
  return (warps << bits) + 1;
}

inline void launch_scan(const GpuQueue& queue, std::uint32_t* words, std::size_t count,
                        std::size_t group, std::uint32_t* starts) {
  const gpu::Properties& properties = queue.gpu_device().properties();
  gpu::LaunchShape shape;
  shape.threads = std::min(1024, properties.max_threads_per_block);
  shape.shared_bytes = sizeof(std::uint32_t) * shape.threads / properties.warp_width;
  resident_blocks(scan_words, shape.threads, shape.shared_bytes);
  launch(scan_words, shape, queue.stream(), words, count, group, starts);
}

// The three kernels of a pass by a digit; `counts` has room for most_counts().
template <class Bits, class Value>
class PassLaunch {
 public:
  PassLaunch(const GpuQueue& queue, DigitPass pass, std::size_t count, std::uint32_t* counts)
      : queue_(queue), counts_(counts) {
    const std::size_t warp_width = queue.gpu_device().properties().warp_width;
    shape_ = resident_shape(queue, &scatter_digits<Bits, Value>, (count + 31) / 32);
    shape_.shared_bytes = sizeof(std::uint32_t) * pass.digits() * shape_.threads / warp_width;
    const int most_blocks =
        static_cast<int>((most_counts(queue, 0) - 1) * warp_width / shape_.threads);
    shape_.blocks = std::min(shape_.blocks, most_blocks);
    // Says how much shared memory the kernels may have.
    resident_blocks(&count_digits<Bits>, shape_.threads, shape_.shared_bytes);
    resident_blocks(&scatter_digits<Bits, Value>, shape_.threads, shape_.shared_bytes);
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

// A kernel with `threads_needed` threads that have something to do.
template <class Kernel, class... Arguments>
void launch_over(const GpuQueue& queue, Kernel kernel, std::size_t threads_needed,
                 const Arguments&... arguments) {
  if (threads_needed == 0) return;
  launch(kernel, resident_shape(queue, kernel, threads_needed), queue.stream(), arguments...);
}

inline int merge_threads(const GpuQueue& queue) {
  return std::min(kSortThreads, queue.gpu_device().properties().max_threads_per_block);
}

// Tiles of a merge, of a block each.
inline std::size_t merge_tiles(const GpuQueue& queue, std::size_t count) {
  const std::size_t tile = static_cast<std::size_t>(merge_threads(queue)) * kMergedByThread;
  return (count + tile - 1) / tile;
}

inline std::size_t merge_scratch_bytes(const GpuQueue& queue, std::size_t count) {
  return sizeof(std::size_t) * (merge_tiles(queue, count) + 1);
}

template <class Bits, class Value>
void launch_merge(const GpuQueue& queue, const Runs<Bits, Value>& runs, Bits* out,
                  Value* out_values, void* scratch) {
  if (runs.count() == 0) return;
  auto* const from_a = static_cast<std::size_t*>(scratch);
  const std::size_t threads = merge_threads(queue);
  const std::size_t tiles = merge_tiles(queue, runs.count());
  launch_over(queue, &split_merge<Bits, Value>, tiles + 1, runs, threads * kMergedByThread, tiles,
              from_a);
  const auto kernel = &body_kernel<MergeKernel<Bits, Value>>;
  const gpu::LaunchShape shape =
      resident_shape(queue, kernel, tiles * threads, merge_shared_bytes<Bits>(kSortThreads));
  launch(kernel, shape, queue.stream(),
         MergeKernel<Bits, Value>{runs, tiles, from_a, out, out_values});
}

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_RADIX_SORT_GPU_LAUNCH_H_
