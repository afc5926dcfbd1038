// SPDX-License-Identifier: Apache-2.0

// The host's side of motion search on GPUs: chooses how many spans of macroblocks, and which
// batches of frames, are searched side by side, and launches their kernels, a block of threads per
// macroblock.
#include <millrace/algorithms/motion_estimation/gpu/frame_batch.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/macroblock_search.h>
#include <millrace/algorithms/motion_estimation/gpu/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/backends/gpu/host/side_streams.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::Precision;

template <class Sample>
struct SearchInteger {
  static constexpr int kMaxThreads = MacroblockSearch<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = SearchTuning<Sample>::kBlocks;

  MacroblockSearch<Sample> search;
  int first_macroblock;

  MILLRACE_FUNCTION void operator()() const { search.search(first_macroblock + block_index()); }
};

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

// Frames in order, and as many fields.
template <class Sample>
struct Frames {
  std::vector<SearchFrame<Sample>> frames;
  std::vector<MotionField> fields;

  std::size_t count() const { return frames.size(); }
};

// Returns true if a frame's macroblocks do not occupy the device several times over.
bool is_small_frame(int macroblocks, const gpu::Properties& device) {
  constexpr int kLimit = 16;  // Macroblocks per multiprocessor.
  return macroblocks < kLimit * device.multiprocessors;
}

// Returns the number of spans of a frame's macroblocks. Frames that depend on each other are
// searched in spans that do not, each in a stream of its own: when one span's macroblocks that are
// left do not occupy the device, the others have some. On an H200, five spans are 1.11 times as
// fast as two at 640x480 with whole samples, and two as fast as three, or faster, at 1280x720 and
// 1920x1080. With quarters, three are 1.01 times as fast as one at 640x480, two 1.00 and 1.01 times
// at the others (docs/experiments/motion_spans_and_batches.md).
int span_count(std::size_t frames, int macroblocks, const gpu::Properties& device,
               Precision precision) {
  if (frames == 1) return 1;
  const int wanted = !is_small_frame(macroblocks, device) ? 2
                     : precision == Precision::kInteger   ? 5
                                                          : 3;
  return std::min(wanted, macroblocks);
}

// Number of spans if frames' smaller partitions are refined together: more than span_count() gives.
// On an H200 refining them together is 1.05 times as fast at 640x480, 1.10 at 800x600 and 0.97 at
// 320x240 (docs/experiments/motion_spans_and_batches.md).
constexpr int kSpansOfBatches = 5;
bool may_refine_together(std::size_t frames, int macroblocks, const gpu::Properties& device,
                         Precision precision) {
  constexpr int kLeast = 4;  // Macroblocks per multiprocessor.
  return frames > 1 && precision != Precision::kInteger && is_small_frame(macroblocks, device) &&
         macroblocks >= kLeast * device.multiprocessors;
}

// A range of memory, up to before `end`.
struct Extent {
  template <class T>
  static Extent of(const T* begin, std::ptrdiff_t count) {
    return {reinterpret_cast<std::uintptr_t>(begin),
            reinterpret_cast<std::uintptr_t>(begin + count)};
  }
  bool overlaps(const Extent& other) const { return begin < other.end && other.begin < end; }

  std::uintptr_t begin;
  std::uintptr_t end;
};

// Groups frames whose smaller partitions are refined together. That happens after all of them have
// been searched, so whatever a frame of a batch reads or writes must still be its own then.
template <class Sample>
class BatchPlan {
 public:
  BatchPlan(const Frames<Sample>& all, const MacroblockSpan& searched)
      : all_(all), searched_(searched) {
    const KernelFrame<Sample> first(all.frames[0]);
    are_alike_ = std::ranges::all_of(all.frames, [&](const SearchFrame<Sample>& frame) {
      const KernelFrame<Sample> own(frame);
      return own.current.is_like(first.current) && own.reference.is_like(first.reference);
    });
    if (!are_alike_) return;
    for (std::size_t begin = 0; begin < all.count(); begin = ends_.back()) {
      ends_.push_back(end_from(begin));
    }
  }

  // Returns the index behind the last frame of each batch.
  const std::vector<std::size_t>& ends() const { return ends_; }

  // With short batches the device waits too often for the last frame of each.
  bool is_profitable() const {
    constexpr std::size_t kLeast = 8;
    return are_alike_ && (ends_.size() == 1 || ends_.size() * kLeast <= all_.count());
  }

 private:
  std::size_t end_from(std::size_t begin) const {
    const std::size_t most = std::min(all_.count(), begin + FrameBatch<Sample>::kMost);
    std::size_t end = begin + 1;
    while (end < most && fits(begin, end)) ++end;
    return end;
  }

  // Returns true if a frame may join the batch of those from `begin` on.
  bool fits(std::size_t begin, std::size_t frame) const {
    for (std::size_t other = begin; other < frame; ++other) {
      const bool waits_for_16x16 = all_.frames[frame].predictors == all_.fields[other].vectors &&
                                   all_.frames[frame].predictor_stride == kPartitions;
      if (vectors(other).overlaps(vectors(frame)) || costs(other).overlaps(costs(frame)) ||
          predictors(other).overlaps(vectors(frame)) ||
          (predictors(frame).overlaps(vectors(other)) && !waits_for_16x16)) {
        return false;
      }
    }
    return true;
  }

  Extent vectors(std::size_t i) const {
    return Extent::of(all_.fields[i].vectors + MotionField::index(searched_.first, 0),
                      MotionField::index(searched_.count, 0));
  }
  Extent costs(std::size_t i) const {
    return Extent::of(all_.fields[i].costs + MotionField::index(searched_.first, 0),
                      MotionField::index(searched_.count, 0));
  }
  Extent predictors(std::size_t i) const {
    const SearchFrame<Sample>& frame = all_.frames[i];
    return Extent::of(frame.predictors + frame.predictor_stride * searched_.first,
                      frame.predictor_stride * (searched_.count - 1) + 1);
  }

  const Frames<Sample>& all_;
  const MacroblockSpan searched_;
  bool are_alike_ = false;  // True if frames differ in their samples alone.
  std::vector<std::size_t> ends_;
};

template <class Sample>
FrameBatch<Sample> batch_of(const Frames<Sample>& all, std::size_t first, std::size_t end,
                            const MacroblockSpan& span) {
  FrameBatch<Sample> batch;
  batch.common = KernelFrame<Sample>(all.frames[first]);
  batch.count = static_cast<int>(end - first);
  batch.span = span;
  for (int i = 0; i < batch.count; ++i) {
    const SearchFrame<Sample>& frame = all.frames[first + i];
    batch.entries[i] = {.current = frame.current.data,
                        .reference = frame.reference.data,
                        .predictors = frame.predictors,
                        .predictor_stride = frame.predictor_stride,
                        .field = all.fields[first + i]};
  }
  return batch;
}

// The work of an operation of a queue.
template <class Sample>
class FrameSearch {
 public:
  FrameSearch(GpuQueue& queue, const Frames<Sample>& all, const SearchOptions& options)
      : queue_(queue),
        all_(all),
        options_(options),
        searched_(span_of(options.rows, all.frames[0].current)),
        warp_width_(queue.gpu_device().properties().warp_width) {}

  void run() {
    const gpu::Properties& device = queue_.gpu_device().properties();
    if (may_refine_together(all_.count(), searched_.count, device, options_.precision)) {
      const BatchPlan<Sample> plan(all_, searched_);
      if (plan.is_profitable()) return run_batches(plan.ends());
    }
    search(0, all_.count(), span_count(all_.count(), searched_.count, device, options_.precision),
           RefinedSizes::kAll);
  }

 private:
  void run_batches(const std::vector<std::size_t>& ends) {
    std::size_t first = 0;
    for (const std::size_t end : ends) {
      search(first, end, std::min(kSpansOfBatches, searched_.count), RefinedSizes::k16x16);
      refine_smaller_partitions(queue_.stream(), warp_width_, batch_of(all_, first, end, searched_),
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
        if (options_.precision == Precision::kInteger) continue;
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
      return searched_.first + static_cast<int>(std::int64_t{searched_.count} * of / spans);
    };
    return {start(index), start(index + 1) - start(index)};
  }

  GpuQueue& queue_;
  const Frames<Sample>& all_;
  const SearchOptions& options_;
  const MacroblockSpan searched_;
  const int warp_width_;
};

template <class Sample>
void enqueue_search(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                    std::span<const MotionField> fields, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  Frames<Sample> all{{frames.begin(), frames.end()}, {fields.begin(), fields.end()}};
  own.enqueue(
      [&own, all = std::move(all), options] { FrameSearch<Sample>(own, all, options).run(); },
      GpuQueue::Start::kInline, "motion search");
}

const RegisterOp<motion::SearchMotionOp<std::uint8_t>> registered_8(kBackend,
                                                                    &enqueue_search<std::uint8_t>);
const RegisterOp<motion::SearchMotionOp<std::uint16_t>> registered_10(
    kBackend, &enqueue_search<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
