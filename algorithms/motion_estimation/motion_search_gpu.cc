// Motion search on GPUs: a block of threads a macroblock.
#include <millrace/algorithms/motion_estimation/motion_frame_batch_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_refine_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu_macroblock.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/runtime/op_table.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::Precision;

template <class Sample>
struct SearchInteger {
  static constexpr int kMostThreads = MacroblockSearch<Sample>::kThreads;
  [[maybe_unused]] static constexpr int kWantedBlocks = SearchTuning<Sample>::kBlocks;

  MacroblockSearch<Sample> search;
  int first_macroblock;

  MILLRACE_FUNCTION void operator()() const { search.search(first_macroblock + block_index()); }
};

template <class Sample>
void search_integer(Stream stream, const KernelFrame<Sample>& frame, const MotionField& field,
                    const MacroblockRange& range, const SearchOptions& options) {
  using Body = SearchInteger<Sample>;
  gpu::LaunchShape shape;
  shape.blocks = range.count;
  shape.threads = Body::kMostThreads;
  shape.shared_bytes = SearchMemory<Sample>::bytes(options.range);
  launch(&body_kernel<Body>, shape, stream,
         Body{{frame, field, options.range, options.lambda}, range.first});
}

// Frames in turn, and as many fields.
template <class Sample>
struct Frames {
  std::vector<SearchFrame<Sample>> frames;
  std::vector<MotionField> fields;

  std::size_t count() const { return frames.size(); }
};

// How frames that wait for each other are searched.
struct SearchPlan {
  // Bands that do not wait for each other, each in a stream of its own: where one has too few
  // macroblocks left for the device, the others have some.
  int bands = 1;
  // Whether only the vectors of 16x16, which is all that others may wait for, are refined frame by
  // frame, and all others of many frames by one launch.
  bool refines_parts_together = false;
};

// On an H200, five bands are 1.11 times as fast as two at 640x480, where whole samples are
// searched, and two as three, or faster, at 1280x720 and 1920x1080; with quarters, two are 1.00 and
// 1.01 times as fast as one there (docs/results/2026-11-24-gpu-h200.md). To refine parts together
// is 1.05 times as fast at 640x480, 1.10 at 800x600 and 0.97 at 320x240
// (docs/results/2026-11-24-gpu-h200-link.md).
SearchPlan plan_search(std::size_t frames, int macroblocks, const gpu::Properties& device,
                       Precision precision) {
  constexpr int kFew = 16;  // Macroblocks of a multiprocessor.
  constexpr int kVeryFew = 4;
  const bool is_one = frames == 1;
  const bool are_few = macroblocks < kFew * device.multiprocessors;
  const bool are_very_few = macroblocks < kVeryFew * device.multiprocessors;
  return {.bands = is_one ? 1 : std::min(are_few ? 5 : 2, macroblocks),
          .refines_parts_together =
              !is_one && are_few && !are_very_few && precision != Precision::kInteger};
}

// Of frames from `first` on as many as a launch takes.
template <class Sample>
FrameBatch<Sample> batch_of(const Frames<Sample>& all, std::size_t first,
                            const MacroblockRange& range) {
  FrameBatch<Sample> batch;
  batch.common = KernelFrame<Sample>(all.frames[first]);
  batch.count =
      static_cast<int>(std::min<std::size_t>(all.count() - first, FrameBatch<Sample>::kMost));
  batch.range = range;
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

// The work of a queue's operation.
template <class Sample>
class FrameSearch {
 public:
  FrameSearch(GpuQueue& queue, const Frames<Sample>& all, const SearchOptions& options)
      : queue_(queue),
        all_(all),
        options_(options),
        searched_(range_of(options.rows, all.frames[0].current)),
        warp_width_(queue.gpu_device().properties().warp_width) {}

  void run(const SearchPlan& plan) {
    if (!plan.refines_parts_together) {
      return search(0, all_.count(), plan.bands, RefinedSizes::kAll);
    }
    for (std::size_t first = 0; first < all_.count(); first += FrameBatch<Sample>::kMost) {
      const FrameBatch<Sample> batch = batch_of(all_, first, searched_);
      search(first, first + batch.count, plan.bands, RefinedSizes::k16x16);
      refine_parts(queue_.stream(), warp_width_, batch, options_);
    }
  }

 private:
  void search(std::size_t first, std::size_t end, int bands, RefinedSizes refined) {
    const std::vector<Stream> streams = queue_.side_streams().fork(bands);
    for (std::size_t i = first; i < end; ++i) {
      const KernelFrame<Sample> frame(all_.frames[i]);
      for (int band = 0; band < bands; ++band) {
        const MacroblockRange range{start_of(band, bands),
                                    start_of(band + 1, bands) - start_of(band, bands)};
        search_integer(streams[band], frame, all_.fields[i], range, options_);
        if (options_.precision == Precision::kInteger) continue;
        refine_field(streams[band], warp_width_, frame, all_.fields[i], range, refined, options_);
      }
    }
    queue_.side_streams().join();
  }

  int start_of(int band, int bands) const {
    return searched_.first + static_cast<int>(std::int64_t{searched_.count} * band / bands);
  }

  GpuQueue& queue_;
  const Frames<Sample>& all_;
  const SearchOptions& options_;
  const MacroblockRange searched_;
  const int warp_width_;
};

// Whether frames differ in their samples alone, and what they wait for is whole vectors or refined
// ones of 16x16.
template <class Sample>
bool are_alike(const Frames<Sample>& all) {
  const LumaPlane<Sample>& plane = all.frames[0].current;
  const std::ptrdiff_t vectors =
      std::ptrdiff_t{kPartitions} * plane.macroblocks_per_row() * (plane.height / kMacroblockWidth);
  const KernelFrame<Sample> first(all.frames[0]);
  return std::ranges::all_of(all.frames, [&](const SearchFrame<Sample>& frame) {
    const KernelFrame<Sample> own(frame);
    if (!own.current.is_like(first.current) || !own.reference.is_like(first.reference))
      return false;
    return std::ranges::all_of(all.fields, [&](const MotionField& field) {
      const bool is_of_field = std::greater_equal<>()(frame.predictors, field.vectors) &&
                               std::less<>()(frame.predictors, field.vectors + vectors);
      return !is_of_field ||
             (frame.predictors == field.vectors && frame.predictor_stride == kPartitions);
    });
  });
}

template <class Sample>
void enqueue_search(Queue& queue, std::span<const SearchFrame<Sample>> frames,
                    std::span<const MotionField> fields, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  Frames<Sample> all{{frames.begin(), frames.end()}, {fields.begin(), fields.end()}};
  SearchPlan plan = plan_search(all.count(), range_of(options.rows, frames[0].current).count,
                                own.gpu_device().properties(), options.precision);
  plan.refines_parts_together = plan.refines_parts_together && are_alike(all);
  own.enqueue([&own, all = std::move(all), options,
               plan] { FrameSearch<Sample>(own, all, options).run(plan); },
              GpuQueue::Start::kInline, "motion search");
}

const RegisterOp<motion::SearchMotionOp<std::uint8_t>> registered_8(kBackend,
                                                                    &enqueue_search<std::uint8_t>);
const RegisterOp<motion::SearchMotionOp<std::uint16_t>> registered_10(
    kBackend, &enqueue_search<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
