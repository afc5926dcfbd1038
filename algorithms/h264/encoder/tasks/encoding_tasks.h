// SPDX-License-Identifier: Apache-2.0

// Encodes pictures by tasks. Each macroblock has two tasks of a warp, coding and deblocking. They
// wait for other tasks by counters, as those of reconstruction (reconstruction_tasks.h). The
// squared errors of rows of macroblocks are measured once a picture is deblocked.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_ENCODING_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_ENCODING_TASKS_H_

#include <millrace/algorithms/h264/encoder/decision/macroblock_encoder.h>
#include <millrace/algorithms/h264/encoder/macroblock/picture_coding.h>
#include <millrace/algorithms/h264/encoder/tasks/helped_kernels.h>
#include <millrace/algorithms/h264/encoder/tasks/lanes/lane_macroblock_encoder.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/tasks/reconstruction_tasks.h>
#include <millrace/runtime/tasks/internal/one_lane_context.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace millrace::h264 {

// A picture of a run. All memory is the device's and belongs to the caller.
struct CodingWork {
  PictureCoding coding;
  // Number of arrivals that the tasks of each macroblock still wait for.
  std::uint32_t* coding_missing;
  std::uint32_t* deblocking_missing;
  EncoderMemory* memory;  // Indexed by row.
  // Size of the cropping rectangle, and the sums of squared differences between source and
  // reconstruction inside it, by plane.
  std::int32_t width;
  std::int32_t height;
  std::uint64_t* squared_errors;
};

// Adds the squared errors of one row of macroblocks.
struct MeasureRow {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  CodingWork* work;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureCoding& coding = work->coding;
    MILLRACE_SMALL_LOOP
    for (int plane = 0; plane < 3; ++plane) {
      const int side = plane == 0 ? 16 : 8;
      const int width = plane == 0 ? work->width : work->width / 2;
      const int rows = (plane == 0 ? work->height : work->height / 2) - side * row;
      const std::ptrdiff_t stride = coding.view.stride(plane);
      const std::uint8_t* a = coding.source[plane] + side * row * stride;
      const std::uint8_t* b = coding.view.planes[plane] + side * row * stride;
      std::uint64_t sum = 0;
      MILLRACE_SMALL_LOOP
      for (int y = 0; y < side && y < rows; ++y, a += stride, b += stride) {
        std::uint32_t of_row = 0;
        MILLRACE_SMALL_LOOP
        for (int x = context.lane(); x < width; x += context.lanes()) {
          const int difference = a[x] - b[x];
          of_row += static_cast<std::uint32_t>(difference * difference);
        }
        sum += of_row;
      }
      context.add_together(&work->squared_errors[plane], sum);
    }
  }
};

// Deblocks one macroblock of a coded picture.
struct DeblockCoded {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(ReconstructionMemory);
  static constexpr int kRegisters = 128;
  CodingWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->coding.view;
    deblock_in_lanes(context, picture, column, row);
    if (context.lane() != 0) return;
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->deblocking_missing[picture.index(x, y)], DeblockCoded{work, x, y});
    });
    if (column + 1 < picture.columns || row + 1 < picture.rows) return;
    CodingWork* const measured = work;
    context.spawn_many(static_cast<std::uint32_t>(picture.rows), [measured](std::uint32_t i) {
      return MeasureRow{measured, static_cast<std::int32_t>(i)};
    });
  }
};

// Memory of a macroblock that is coded in lanes.
union CodingMemory {
  HelpedMemory helped;
  LaneMemory lanes;
};

// Decides how one macroblock is coded, codes it and reconstructs it, in the lanes of a task. All
// lanes run in step if a LaneMacroblockEncoder can encode it. Else one lane decides, and the others
// help where the target lets them. Each target has this code once, for all contexts.
template <class Lanes>
[[gnu::noinline]] MILLRACE_NOINLINE_FUNCTION inline void code_macroblock(const CodingWork& work,
                                                                         int column, int row,
                                                                         CodingMemory& memory) {
  Lanes lanes;
  OneLaneContext one_lane;
  EncoderMemory& candidates = work.memory[row];
  if constexpr (!std::is_same_v<Lanes, OneLaneContext>) {
    using Encoder = LaneMacroblockEncoder<Lanes>;
    if (lanes.lanes() >= Encoder::kLeastLanes && Encoder::encodes(work.coding)) {
      Encoder(lanes, work.coding, column, row, memory.lanes, candidates.inter)();
      return;
    }
  }
  if constexpr (!Lanes::kMaySyncDiverged) {
    if (lanes.lane() != 0) return;
    const OneLaneKernels kernels(one_lane, memory.helped.kernels);
    MacroblockEncoder(kernels, work.coding, column, row, candidates)();
  } else if (lanes.lane() == 0) {
    const HelpedKernels<Lanes> kernels(lanes, one_lane, memory.helped);
    MacroblockEncoder(kernels, work.coding, column, row, candidates)();
    kernels.end();
  } else {
    help(lanes, memory.helped);
  }
}

struct CodeMacroblock {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(CodingMemory);
  static constexpr int kRegisters = 128;
  CodingWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->coding.view;
    code_macroblock<typename Context::Lanes>(*work, column, row,
                                             *context.template scratch<CodingMemory>(1));
    context.sync();
    if (context.lane() != 0) return;
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->coding_missing[picture.index(x, y)], CodeMacroblock{work, x, y});
    });
    for_each_last_read(picture, column, row, [&](int x, int y) {
      context.arrive(&work->deblocking_missing[picture.index(x, y)], DeblockCoded{work, x, y});
    });
  }
};

using EncodingTasks = TaskSet<CodeMacroblock, DeblockCoded, MeasureRow>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TASKS_ENCODING_TASKS_H_
