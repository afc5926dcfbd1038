// SPDX-License-Identifier: Apache-2.0

// The refinement of whole fields on GPUs.
#include <millrace/algorithms/motion_estimation/gpu/refine_field_gpu.h>
#include <millrace/algorithms/motion_estimation/gpu/vector_refinement.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr int kThreads = 128;

// The work of a lane in a warp of refinement: partitions of one size in as many macroblocks as the
// warp has lanes for.
struct WarpWork {
  // Returns the number of warps for `macroblocks`, with separate warps for each size.
  MILLRACE_FUNCTION static int warps(int macroblocks, int sizes, int warp_width) {
    const int per_warp = warp_width / kBlocks;
    return (macroblocks + per_warp - 1) / per_warp * sizes;
  }

  // Returns the caller's index among all warps.
  MILLRACE_FUNCTION static int warp() {
    return block_index() * (block_threads() / warp_width()) + thread_index() / warp_width();
  }

  // Selects the work of warp number `warp`.
  MILLRACE_FUNCTION WarpWork(int warp, int macroblocks, int sizes)
      : size(warp % sizes),
        first(warp / sizes * (warp_width() / kBlocks)),
        own(first + lane_index() / kBlocks),
        block(lane_index() % kBlocks),
        is_there(own < macroblocks) {
    if (!is_there) own = macroblocks - 1;
  }

  int size;
  int first;
  int own;        // The lane's macroblock; beyond the last one, the last.
  int block;      // Index of its block of 4x4 samples.
  bool is_there;  // False beyond the last macroblock.
};

// Refines the partitions of the first `kCount` sizes.
template <class Sample, int kCount>
struct RefineField {
  static constexpr int kMaxThreads = kThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 4;
  static constexpr int kSizes = kCount;
  // Programmatic dependent launch: the search of the same macroblocks precedes it
  // (docs/experiments/kernels_that_start_early.md).
  static constexpr bool kIsDependentLaunch = true;

  VectorRefinement<Sample, kThreads> refinement;
  MacroblockSpan span;

  MILLRACE_FUNCTION void operator()() const {
    const WarpWork work(WarpWork::warp(), span.count, kSizes);
    if (work.first >= span.count) return;
    wait_for_previous_kernel();
    refinement.refine(span.first + work.own, LanePartition(work.size, work.block), work.is_there);
  }
};

// Refines the partitions of all sizes but the first.
template <class Sample>
struct RefineSmallerPartitions {
  static constexpr int kMaxThreads = kThreads;
  [[maybe_unused]] static constexpr int kTargetBlocks = 4;
  static constexpr int kSizes = motion::kPartitionSizes - 1;
  static constexpr bool kIsDependentLaunch = false;

  FrameBatch<Sample> batch;
  int lambda;
  Precision precision;

  MILLRACE_FUNCTION void operator()() const {
    const int of_frame = WarpWork::warps(batch.span.count, kSizes, warp_width());
    const int warp = WarpWork::warp();
    const int frame = warp / of_frame;
    if (frame >= batch.count) return;
    const WarpWork work(warp - frame * of_frame, batch.span.count, kSizes);
    const VectorRefinement<Sample, kThreads> refinement{
        batch.frame(frame), batch.entries[frame].field, lambda, precision};
    refinement.refine(batch.span.first + work.own, LanePartition(1 + work.size, work.block),
                      work.is_there);
  }
};

// Launches warps for `macroblocks` of each of `frames`.
template <class Body>
void launch_warps(Stream stream, int warp_width, int macroblocks, int frames, const Body& body) {
  const int warps = frames * WarpWork::warps(macroblocks, Body::kSizes, warp_width);
  const int warps_of_block = kThreads / warp_width;
  gpu::LaunchShape shape;
  shape.blocks = (warps + warps_of_block - 1) / warps_of_block;
  shape.threads = kThreads;
  shape.shared_bytes = kRefinementBytes<kThreads>;
  shape.is_dependent_launch = Body::kIsDependentLaunch;
  launch(&body_kernel<Body>, shape, stream, body);
}

}  // namespace

template <class Sample>
void refine_field(Stream stream, int warp_width, const FieldRefinement<Sample>& refinement,
                  const SearchOptions& options) {
  const MacroblockSpan& span = refinement.span;
  const VectorRefinement<Sample, kThreads> vectors{refinement.frame, refinement.field,
                                                   options.lambda, options.precision};
  if (refinement.sizes == RefinedSizes::k16x16) {
    return launch_warps(stream, warp_width, span.count, 1, RefineField<Sample, 1>{vectors, span});
  }
  launch_warps(stream, warp_width, span.count, 1,
               RefineField<Sample, motion::kPartitionSizes>{vectors, span});
}

template <class Sample>
void refine_smaller_partitions(Stream stream, int warp_width, const FrameBatch<Sample>& batch,
                               const SearchOptions& options) {
  launch_warps(stream, warp_width, batch.span.count, batch.count,
               RefineSmallerPartitions<Sample>{batch, options.lambda, options.precision});
}

template void refine_field(Stream, int, const FieldRefinement<std::uint8_t>&, const SearchOptions&);
template void refine_field(Stream, int, const FieldRefinement<std::uint16_t>&,
                           const SearchOptions&);
template void refine_smaller_partitions(Stream, int, const FrameBatch<std::uint8_t>&,
                                        const SearchOptions&);
template void refine_smaller_partitions(Stream, int, const FrameBatch<std::uint16_t>&,
                                        const SearchOptions&);

}  // namespace millrace::MILLRACE_GPU
