// SPDX-License-Identifier: Apache-2.0

// The launches of the kernels of a band, which is rows of macroblocks, in motion search on GPUs:
// chooses how many spans of macroblocks, and which batches of frames, are searched side by side,
// and launches a block of threads per macroblock.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BAND_LAUNCHES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BAND_LAUNCHES_H_

#include <millrace/algorithms/motion_estimation/gpu/batch_plan.h>
#include <millrace/algorithms/motion_estimation/gpu/frame_batch.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/macroblock_search.h>
#include <millrace/algorithms/motion_estimation/gpu/refine_field_gpu.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/host/side_streams.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::MILLRACE_GPU {

// The kernel of whole vectors.
template <class Sample>
struct SearchInteger {
  static constexpr int kMaxThreads = MacroblockSearch<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = SearchTuning<Sample>::kBlocks;

  MacroblockSearch<Sample> search;
  int first_macroblock;

  MILLRACE_FUNCTION void operator()() const { search.search(first_macroblock + block_index()); }
};

// Launches the search of a span of macroblocks for whole vectors.
template <class Sample>
void search_integer(Stream stream, const KernelFrame<Sample>& frame, const MotionField& field,
                    const MacroblockSpan& span, bool is_dependent_launch,
                    const SearchOptions& options) {
  using Body = SearchInteger<Sample>;
  gpu::LaunchShape shape;
  shape.blocks = span.count;
  shape.threads = Body::kMaxThreads;
  shape.shared_bytes = SearchMemory<Sample>::bytes(options.range);
  shape.is_dependent_launch = is_dependent_launch;
  launch(&body_kernel<Body>, shape, stream,
         Body{{frame, field, options.range, options.lambda}, span.first});
}

// Returns true if a frame's macroblocks do not occupy the device several times over.
inline bool is_small_frame(int macroblocks, const gpu::Properties& device) {
  constexpr int kLimit = 16;  // Macroblocks per multiprocessor.
  return macroblocks < kLimit * device.multiprocessors;
}

// Returns the number of spans of a frame's macroblocks. Frames that depend on each other are
// searched in spans that do not, each in a stream of its own: when one span's macroblocks that are
// left do not occupy the device, the others have some. On an H200, five spans are 1.11 times as
// fast as two at 640x480 with whole samples, and two as fast as three, or faster, at 1280x720 and
// 1920x1080. With quarters, three are 1.01 times as fast as one at 640x480, two 1.00 and 1.01 times
// at the others (docs/experiments/motion_spans_and_batches.md).
inline int span_count(std::size_t frames, int macroblocks, const gpu::Properties& device,
                      motion::Precision precision) {
  if (frames == 1) return 1;
  const int wanted = !is_small_frame(macroblocks, device)       ? 2
                     : precision == motion::Precision::kInteger ? 5
                                                                : 3;
  return std::min(wanted, macroblocks);
}

// Number of spans if frames' smaller partitions are refined together: more than span_count() gives.
// On an H200 refining them together is 1.05 times as fast at 640x480, 1.10 at 800x600 and 0.97 at
// 320x240 (docs/experiments/motion_spans_and_batches.md).
inline constexpr int kSpansOfBatches = 5;
inline bool may_refine_together(std::size_t frames, int macroblocks, const gpu::Properties& device,
                                motion::Precision precision) {
  constexpr int kLeast = 4;  // Macroblocks per multiprocessor.
  return frames > 1 && precision != motion::Precision::kInteger &&
         is_small_frame(macroblocks, device) && macroblocks >= kLeast * device.multiprocessors;
}

// Launches the kernels of a band of some frames: of the rows of macroblocks that the options
// select. It is the work of an operation of the queue. The arguments must outlive it.
template <class Sample>
class BandLaunches {
 public:
  BandLaunches(GpuQueue& queue, const Frames<Sample>& all, const SearchOptions& options)
      : queue_(queue),
        all_(all),
        options_(options),
        band_(span_of(options.rows, all.frames[0].current)),
        warp_width_(queue.gpu_device().properties().warp_width) {}

  void run() {
    const gpu::Properties& device = queue_.gpu_device().properties();
    if (may_refine_together(all_.count(), band_.count, device, options_.precision)) {
      const BatchPlan<Sample> plan(all_, band_);
      if (plan.is_profitable()) return run_batches(plan.ends());
    }
    search(0, all_.count(), span_count(all_.count(), band_.count, device, options_.precision),
           RefinedSizes::kAll);
  }

 private:
  void run_batches(const std::vector<std::size_t>& ends) {
    std::size_t first = 0;
    for (const std::size_t end : ends) {
      search(first, end, std::min(kSpansOfBatches, band_.count), RefinedSizes::k16x16);
      refine_smaller_partitions(queue_.stream(), warp_width_, batch_of(all_, first, end, band_),
                                options_);
      first = end;
    }
  }

  void search(std::size_t first, std::size_t end, int spans, RefinedSizes refined) {
    const std::vector<Stream> streams = queue_.side_streams().fork(spans);
    for (std::size_t i = first; i < end; ++i) {
      const KernelFrame<Sample> frame(all_.frames[i]);
      for (int index = 0; index < spans; ++index) {
        const Stream stream = streams[index];
        const MacroblockSpan span = span_at(index, spans);
        search_integer(stream, frame, all_.fields[i], span, i > first, options_);
        if (options_.precision == motion::Precision::kInteger) continue;
        refine_field<Sample>(
            stream, warp_width_,
            {.frame = frame, .field = all_.fields[i], .span = span, .sizes = refined}, options_);
      }
    }
    queue_.side_streams().join();
  }

  // Returns one of so many spans, as even as possible.
  MacroblockSpan span_at(int index, int spans) const {
    const auto start = [&](int of) {
      return band_.first + static_cast<int>(std::int64_t{band_.count} * of / spans);
    };
    return {start(index), start(index + 1) - start(index)};
  }

  GpuQueue& queue_;
  const Frames<Sample>& all_;
  const SearchOptions& options_;
  const MacroblockSpan band_;
  const int warp_width_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_BAND_LAUNCHES_H_
