// SPDX-License-Identifier: Apache-2.0

// The choice of modes on GPUs: a thread per 4x4 block of a macroblock measures P_Skip, and one of
// them chooses.
#include <millrace/algorithms/motion_estimation/gpu/block_half_samples.h>
#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/sample_patch.h>
#include <millrace/algorithms/motion_estimation/gpu/satd_block.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/internal/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::MacroblockMode;
using motion::Precision;
using motion::ReferenceFields;

template <class Sample>
struct ChooseModes {
  static constexpr int kMaxThreads = 128;
  [[maybe_unused]] static constexpr int kTargetBlocks = 4;
  static constexpr int kLanes = 16;  // Lanes per macroblock.

  KernelFrame<Sample> frame;
  ReferenceFields fields;
  MacroblockMode* modes;
  MacroblockSpan span;
  int lambda;
  Precision precision;

  MILLRACE_FUNCTION void operator()() const {
    const int thread = block_index() * kMaxThreads + thread_index();
    const int macroblock = span.first + thread / kLanes;
    const int block = thread % kLanes;
    const bool is_there = thread / kLanes < span.count;
    std::uint32_t distortion = 0;
    if (is_there) distortion = skip_distortion(macroblock, block);
    for (int mask = 1; mask < kLanes; mask *= 2) distortion += shuffle_xor(distortion, mask);
    if (!is_there || block != 0) return;
    modes[macroblock] = motion::ModeChoice(fields, macroblock, lambda).choose(distortion);
  }

 private:
  using Half = BlockHalfSamples<Sample, kMaxThreads>;

  // Returns the distortion of a 4x4 block.
  MILLRACE_FUNCTION std::uint32_t skip_distortion(int macroblock, int block) const {
    const MacroblockPosition at = frame.raster.position(macroblock);
    const int x = at.x + block % 4 * 4;
    const int y = at.y + block / 4 * 4;
    const MotionVector vector = motion::skip_vector(frame.predictor(macroblock), precision);
    Half half(reinterpret_cast<std::uint32_t*>(shared_memory()));
    half.interpolate(
        SamplePatch<Sample>(frame.reference, x + (vector.x >> 2), y + (vector.y >> 2)));
    const SampleBlock samples = block_at(frame.current, x, y);
    const SampleBlock predicted = quarter_block(half, vector.x & 3, vector.y & 3);
    if (precision != Precision::kInteger) return SatdBlock<Sample>(samples).satd(predicted);
    std::uint32_t sum = 0;
    for (int row = 0; row < 4; ++row) {
      for (int i = 0; i < 2; ++i) {
        sum = sum_absolute_differences<std::uint16_t>(samples.rows[row].pairs[i],
                                                      predicted.rows[row].pairs[i], sum);
      }
    }
    return sum;
  }

  // Returns the block (x, y) quarter samples away, 0 to 3: the mean of the half samples on both
  // sides, or of those two of the surrounding corners that have one whole coordinate (clause
  // 8.4.2.2.1).
  MILLRACE_FUNCTION static SampleBlock quarter_block(const Half& half, int x, int y) {
    int ax = x >> 1;
    int bx = (x + 1) >> 1;
    const int ay = y >> 1;
    const int by = (y + 1) >> 1;
    const bool is_diagonal = (x & y & 1) != 0;
    if (is_diagonal && ((ax ^ ay) & 1) == 0) {
      const int left = ax;
      ax = bx;
      bx = left;
    }
    return mean_of<Sample>(half.block(ax, ay).rows, half.block(bx, by).rows);
  }
};

template <class Sample>
void enqueue_modes(Queue& queue, const SearchFrame<Sample>& frame, const ReferenceFields& fields,
                   MacroblockMode* modes, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  own.enqueue(
      [&own, frame, fields, modes, options] {
        using Body = ChooseModes<Sample>;
        const MacroblockSpan span = span_of(options.rows, frame.current);
        constexpr int kOfBlock = Body::kMaxThreads / Body::kLanes;
        gpu::LaunchShape shape;
        shape.blocks = (span.count + kOfBlock - 1) / kOfBlock;
        shape.threads = Body::kMaxThreads;
        shape.shared_bytes = kRefinementBytes<Body::kMaxThreads>;
        launch(&body_kernel<Body>, shape, own.stream(),
               Body{KernelFrame<Sample>(frame), fields, modes, span, options.lambda,
                    options.precision});
      },
      GpuQueue::Start::kInline, "choice of modes");
}

const RegisterOp<motion::DecideModesOp<std::uint8_t>> registered_8(kBackend,
                                                                   &enqueue_modes<std::uint8_t>);
const RegisterOp<motion::DecideModesOp<std::uint16_t>> registered_10(kBackend,
                                                                     &enqueue_modes<std::uint16_t>);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
