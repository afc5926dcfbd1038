// SPDX-License-Identifier: Apache-2.0

// Kernels of a warp in which one lane makes all decisions, because each depends on the one before.
// It requests from all lanes the work that can be shared: the samples of a prediction, the modes of
// a block, the blocks of a macroblock.
//
//   if (lanes.lane() == 0) {
//     const HelpedKernels<Lanes> kernels(lanes, memory);
//     MacroblockEncoder(kernels, ...)();
//     kernels.end();
//   } else {
//     help(lanes, memory);
//   }
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_HELPED_KERNELS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_HELPED_KERNELS_H_

#include <millrace/algorithms/h264/encoder/macroblock/block_distortion.h>
#include <millrace/algorithms/h264/encoder/macroblock/composed_kernels.h>
#include <millrace/algorithms/h264/encoder/macroblock/macroblock_candidate.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/residual_coding.h>
#include <millrace/algorithms/h264/encoder/macroblock/scalar_encoder_kernels.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/lane_kernels.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// One lane's kernels, with memory of the caller.
using OneLaneKernels = ComposedKernels<PlainEncoderKernels<LaneKernels<OneLaneContext>>>;

// Names the work that the deciding lane requests from all lanes.
enum class LaneWork : std::uint8_t {
  kEnd,
  kPredict,        // ComposedKernels::predict()
  kPredictedSatd,  // ComposedKernels::predicted_satd()
  kModeSatds4,     // ComposedKernels::mode_satds()
  kModeSatds8,
  kPredictWhole,   // ComposedKernels::predict_whole()
  kWholeModeSatd,  // ComposedKernels::whole_mode_satd()
  kChromaModeSatd,
  kBlocks  // ComposedKernels::for_each_block()
};

// The arguments of the work; pointers are to memory that all lanes see.
struct LaneRequest {
  LaneWork work;
  const PictureView* picture;
  const ReferenceView* reference;
  PredictedBlock predicted;
  SampleRows source;
  std::uint8_t* to;
  std::ptrdiff_t stride;
  const void* edge;
  IntraAvailability available;
  std::uint32_t mask;  // A bit a mode or block.
  int mode;
  const PictureCoding* coding;
  int column, row;
  MacroblockCandidate* candidate;
  BlockStep step;
};

// Memory that the lanes of a macroblock share.
struct HelpedMemory {
  KernelMemory kernels;
  LaneRequest request;
  alignas(16) std::uint8_t prediction[16 * 16];
  std::uint32_t results[36];  // Indexed by block or mode.
  std::int32_t dc_sums[16];   // Sums of differences, by 4x4 block.
};

// Does a lane's portion of requests.
template <class Lanes>
class LaneHelper {
 public:
  MILLRACE_FUNCTION LaneHelper(Lanes& lanes, HelpedMemory& memory)
      : lanes_(lanes), memory_(memory), kernels_(lanes, memory.kernels) {}

  // Does the next request, which the deciding lane has set before it calls this. Lanes arrive from
  // different branches and are in step again only after a sync() at the same code address, so this
  // function is not inlined. Returns false if the request is to end.
  MILLRACE_NOINLINE_FUNCTION bool work() const {
    lanes_.sync();
    const LaneRequest& request = memory_.request;
    switch (request.work) {
      case LaneWork::kEnd: return false;
      case LaneWork::kPredict: predict(request.to, request.stride); break;
      case LaneWork::kPredictedSatd:
        predict(memory_.prediction, 16);
        lanes_.sync();
        add_satds({memory_.prediction, 16}, request.predicted.width, request.predicted.height);
        break;
      case LaneWork::kModeSatds4: add_mode_satds<4>(); break;
      case LaneWork::kModeSatds8: add_mode_satds<8>(); break;
      case LaneWork::kPredictWhole: predict_whole(); break;
      case LaneWork::kWholeModeSatd:
        predict_whole();
        lanes_.sync();
        add_satds({request.to, request.stride}, 16, 16);
        break;
      case LaneWork::kChromaModeSatd:
        predict_intra_chroma(
            kernels_, kernels_.template load_edge<8>(request.to, request.stride, request.available),
            request.mode, request.to, request.stride);
        lanes_.sync();
        add_satds({request.to, request.stride}, 8, 8);
        break;
      case LaneWork::kBlocks: do_blocks(); break;
    }
    lanes_.sync();
    return true;
  }

 private:
  MILLRACE_FUNCTION void predict(std::uint8_t* to, std::ptrdiff_t stride) const {
    const LaneRequest& request = memory_.request;
    predict_from(kernels_, *request.picture, *request.reference, request.predicted, to, stride);
  }

  MILLRACE_FUNCTION void predict_whole() const {
    const LaneRequest& request = memory_.request;
    predict_intra_16x16(kernels_, *static_cast<const IntraEdge<16>*>(request.edge), request.mode,
                        request.to, request.stride);
  }

  // Sets the results and the sums of differences of 4x4 blocks, a block in a lane.
  MILLRACE_FUNCTION void add_satds(SampleRows prediction, int width, int height) const {
    const SampleRows source = memory_.request.source;
    const int across = width / 4;
    const int count = across * height / 4;
    for (int i = lanes_.lane(); i < count; i += lanes_.lanes()) {
      const int x = i % across * 4;
      const int y = i / across * 4;
      int differences[16];
      int sum = 0;
      for (int k = 0; k < 16; ++k) {
        const int at_y = y + k / 4;
        const int at_x = x + k % 4;
        differences[k] = source.samples[at_y * source.stride + at_x] -
                         prediction.samples[at_y * prediction.stride + at_x];
        sum += differences[k];
      }
      memory_.results[i] = motion::satd_4x4(differences);
      if (count == 16) memory_.dc_sums[i] = sum;
    }
  }

  // Sets the results of modes, a 4x4 block in a mode in a lane.
  template <int n>
  MILLRACE_FUNCTION void add_mode_satds() const {
    const LaneRequest& request = memory_.request;
    const auto& edge = *static_cast<const IntraEdge<n>*>(request.edge);
    constexpr int kBlocks = n * n / 16;
    for (int i = lanes_.lane(); i < 9 * kBlocks; i += lanes_.lanes()) {
      const int mode = i / kBlocks;
      if ((request.mask >> mode & 1) == 0) continue;
      const int left = i % kBlocks % 2 * 4;
      const int top = i % kBlocks / 2 * 4;
      const int dc = mode == kIntraDc ? intra_dc(edge) : 0;
      int differences[16];
      MILLRACE_SMALL_LOOP
      for (int k = 0; k < 16; ++k) {
        const int x = left + k % 4;
        const int y = top + k / 4;
        const int sample = mode == kIntraDc ? dc : intra_sample(edge, mode, x, y);
        differences[k] = request.source.samples[y * request.source.stride + x] -
                         static_cast<std::uint8_t>(sample);
      }
      memory_.results[i] = motion::satd_4x4(differences);
    }
  }

  MILLRACE_FUNCTION void do_blocks() const {
    const LaneRequest& request = memory_.request;
    OneLaneContext one_lane;
    // Steps use no memory of the kernels.
    const OneLaneKernels own(one_lane, memory_.kernels);
    ResidualCoding residual(own, *request.coding, request.column, request.row, *request.candidate,
                            nullptr);
    for (int block = lanes_.lane(); block < 16; block += lanes_.lanes()) {
      if ((request.mask >> block & 1) == 0) continue;
      memory_.results[block] = residual.do_step(request.step, block) ? 1 : 0;
    }
  }

  Lanes& lanes_;
  HelpedMemory& memory_;
  const LaneKernels<Lanes> kernels_;
};

// Works until the deciding lane ends. Called by the other lanes.
template <class Lanes>
MILLRACE_FUNCTION void help(Lanes& lanes, HelpedMemory& memory) {
  const LaneHelper<Lanes> helper(lanes, memory);
  while (helper.work()) {
  }
}

template <class Lanes>
class HelpedKernels : public OneLaneKernels {
 public:
  MILLRACE_FUNCTION HelpedKernels(Lanes& lanes, OneLaneContext& one_lane, HelpedMemory& memory)
      : OneLaneKernels(one_lane, memory.kernels), memory_(memory), helper_(lanes, memory) {}

  // Ends help() in the other lanes.
  MILLRACE_FUNCTION void end() const {
    memory_.request.work = LaneWork::kEnd;
    helper_.work();
  }

  MILLRACE_FUNCTION void predict(const PictureView& picture, const ReferenceView& reference,
                                 const PredictedBlock& block, std::uint8_t* to,
                                 std::ptrdiff_t stride) const {
    LaneRequest& request = memory_.request;
    request.picture = &picture;
    request.reference = &reference;
    request.predicted = block;
    request.to = to;
    request.stride = stride;
    request_work(LaneWork::kPredict);
  }

  MILLRACE_NOINLINE_FUNCTION std::uint32_t predicted_satd(const PictureView& picture,
                                                          const ReferenceView& reference,
                                                          const PredictedBlock& block,
                                                          SampleRows source) const {
    LaneRequest& request = memory_.request;
    request.picture = &picture;
    request.reference = &reference;
    request.predicted = block;
    request.source = source;
    request_work(LaneWork::kPredictedSatd);
    return sum_of_results(block.width * block.height / 16);
  }

  template <int n>
  MILLRACE_NOINLINE_FUNCTION void mode_satds(const IntraEdge<n>& edge, std::uint32_t modes,
                                             SampleRows source, std::uint8_t* /*block*/,
                                             std::ptrdiff_t /*stride*/,
                                             std::uint32_t (&satds)[9]) const {
    LaneRequest& request = memory_.request;
    request.edge = &edge;
    request.mask = modes;
    request.source = source;
    request_work(n == 4 ? LaneWork::kModeSatds4 : LaneWork::kModeSatds8);
    constexpr int kBlocks = n * n / 16;
    for (int mode = 0; mode < 9; ++mode) {
      if ((modes >> mode & 1) == 0) continue;
      std::uint32_t sum = 0;
      for (int i = 0; i < kBlocks; ++i) sum += memory_.results[kBlocks * mode + i];
      satds[mode] = sum;
    }
  }

  MILLRACE_FUNCTION void predict_whole(const IntraEdge<16>& edge, int mode, std::uint8_t* block,
                                       std::ptrdiff_t stride) const {
    set_mode(edge, mode, block, stride);
    request_work(LaneWork::kPredictWhole);
  }
  MILLRACE_NOINLINE_FUNCTION std::uint32_t whole_mode_satd(const IntraEdge<16>& edge, int mode,
                                                           SampleRows source, std::uint8_t* block,
                                                           std::ptrdiff_t stride) const {
    set_mode(edge, mode, block, stride);
    memory_.request.source = source;
    request_work(LaneWork::kWholeModeSatd);
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(sum_of_results(16)) +
                                      satd_difference_of_dc(memory_.dc_sums));
  }

  MILLRACE_FUNCTION std::uint32_t chroma_mode_satd(IntraAvailability available, int mode,
                                                   SampleRows source, std::uint8_t* block,
                                                   std::ptrdiff_t stride) const {
    LaneRequest& request = memory_.request;
    request.available = available;
    request.mode = mode;
    request.source = source;
    request.to = block;
    request.stride = stride;
    request_work(LaneWork::kChromaModeSatd);
    return sum_of_results(4);
  }

  template <class Residual>
  MILLRACE_NOINLINE_FUNCTION std::uint32_t for_each_block(Residual& residual, BlockStep step,
                                                          std::uint32_t blocks) const {
    if (blocks == 0) return 0;
    LaneRequest& request = memory_.request;
    request.coding = &residual.coding();
    request.column = residual.column();
    request.row = residual.row();
    request.candidate = &residual.candidate();
    request.step = step;
    request.mask = blocks;
    request_work(LaneWork::kBlocks);
    std::uint32_t mask = 0;
    for (int block = 0; block < 16; ++block) {
      if ((blocks >> block & 1) != 0) mask |= memory_.results[block] << block;
    }
    return mask;
  }

 private:
  // Runs a request, whose arguments are set, in all lanes. Returns when all have done it.
  MILLRACE_NOINLINE_FUNCTION void request_work(LaneWork work) const {
    memory_.request.work = work;
    helper_.work();
  }

  MILLRACE_FUNCTION void set_mode(const IntraEdge<16>& edge, int mode, std::uint8_t* block,
                                  std::ptrdiff_t stride) const {
    LaneRequest& request = memory_.request;
    request.edge = &edge;
    request.mode = mode;
    request.to = block;
    request.stride = stride;
  }

  MILLRACE_FUNCTION std::uint32_t sum_of_results(int count) const {
    std::uint32_t sum = 0;
    for (int i = 0; i < count; ++i) sum += memory_.results[i];
    return sum;
  }

  HelpedMemory& memory_;
  const LaneHelper<Lanes> helper_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_HELPED_KERNELS_H_
