// The choice of modes on GPUs: a thread for each 4x4 block of a macroblock measures P_Skip, one of
// them chooses.
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_ops.h>
#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/gpu_queue.h>
#include <millrace/runtime/op_table.h>

#include <cstddef>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

using motion::MacroblockMode;
using motion::Precision;
using motion::ReferenceFields;

template <class Sample>
struct ChooseModes {
  static constexpr int kMostThreads = 128;
  [[maybe_unused]] static constexpr int kWantedBlocks = 4;
  static constexpr int kLanes = 16;  // For a macroblock.

  KernelFrame<Sample> frame;
  ReferenceFields fields;
  MacroblockMode* modes;
  int macroblocks;
  int lambda;
  Precision precision;

  MILLRACE_FUNCTION void operator()() const {
    const int thread = block_index() * block_threads() + thread_index();
    const int macroblock = thread / kLanes;
    const int block = thread % kLanes;
    std::uint32_t distortion = 0;
    if (macroblock < macroblocks) distortion = skip_distortion(macroblock, block);
    for (int mask = 1; mask < kLanes; mask *= 2) distortion += shuffle_xor(distortion, mask);
    if (macroblock >= macroblocks || block != 0) return;
    modes[macroblock] = motion::ModeChoice(fields, macroblock, lambda).choose(distortion);
  }

 private:
  // Of a 4x4 block.
  MILLRACE_FUNCTION std::uint32_t skip_distortion(int macroblock, int block) const {
    const MacroblockPlace at(macroblock, frame.current.macroblocks_per_row());
    const int x = at.x + block % 4 * 4;
    const int y = at.y + block / 4 * 4;
    const MotionVector vector = motion::skip_vector(frame.predictor(macroblock), precision);
    const auto whole = [this](int column, int row) {
      return static_cast<int>(
          frame.reference.row(row)[clamped(column, 0, frame.reference.width() - 1)]);
    };
    int differences[16];
    for (int i = 0; i < 16; ++i) {
      const int column = x + i % 4;
      const int row = y + i / 4;
      differences[i] =
          frame.current.row(row)[column] -
          motion::quarter_sample<Sample>(whole, 4 * column + vector.x, 4 * row + vector.y);
    }
    if (precision != Precision::kInteger) return motion::satd_4x4(differences);
    std::uint32_t sum = 0;
    for (const int difference : differences) {
      sum += static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
    }
    return sum;
  }
};

template <class Sample>
void enqueue_modes(Queue& queue, const SearchFrame<Sample>& frame, const ReferenceFields& fields,
                   MacroblockMode* modes, const SearchOptions& options) {
  auto& own = static_cast<GpuQueue&>(queue);
  own.enqueue(
      [&own, frame, fields, modes, options] {
        using Body = ChooseModes<Sample>;
        const int macroblocks = static_cast<int>(frame.current.macroblock_count());
        constexpr int kOfBlock = Body::kMostThreads / Body::kLanes;
        gpu::LaunchShape shape;
        shape.blocks = (macroblocks + kOfBlock - 1) / kOfBlock;
        shape.threads = Body::kMostThreads;
        launch(&body_kernel<Body>, shape, own.stream(),
               Body{KernelFrame<Sample>(frame), fields, modes, macroblocks, options.lambda,
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
