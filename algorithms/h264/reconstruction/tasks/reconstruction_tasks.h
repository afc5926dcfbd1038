// SPDX-License-Identifier: Apache-2.0

// The macroblocks of pictures as tasks that wait for each other by counters. Two tasks make a
// macroblock: prediction with its residual, and deblocking.
//
// Prediction of (x, y) waits for (x - 1, y) and for (x + 1, y - 1), which imply all others that
// intra prediction reads. Deblocking changes samples of a macroblock and up to three beside it, to
// the left and above, which intra prediction has to read before. Its last reader is the macroblock
// to the lower right, whose prediction implies that of all other neighbours; deblocking of (x, y)
// waits for that, and for the deblocking of (x - 1, y) and (x + 1, y - 1). So deblocking follows
// prediction in the same run, two macroblocks and a row behind, while samples are in caches; a
// second pass would read every picture from memory again. Where a neighbour is outside the picture,
// the nearest one inside takes its place.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_

#include <millrace/algorithms/h264/reconstruction/deblocking.h>
#include <millrace/algorithms/h264/reconstruction/picture_view.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_macroblock.h>
#include <millrace/algorithms/h264/reconstruction/scalar_kernels.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::h264 {

// A picture and, for each of its macroblocks, the arrivals for which its tasks still wait.
struct PictureWork {
  PictureView picture;
  MacroblockCoefficients* coefficients;  // By macroblock, for tasks to expand those of the picture
                                         // in: 0 before the run.
  std::uint32_t* prediction_missing;
  std::uint32_t* deblocking_missing;
};

// Returns the arrivals that a task of macroblock (column, row) waits for at first.
constexpr std::uint32_t prediction_arrivals(int column, int row) {
  return (column > 0 ? 1 : 0) + (row > 0 ? 1 : 0);
}
constexpr std::uint32_t deblocking_arrivals(int column, int row) {
  return 1 + prediction_arrivals(column, row);
}

// Calls arrive(column, row) for the macroblocks that wait for (column, row): the one to its right,
// and those in the next row for which it is the one to the upper right.
template <class Arrive>
MILLRACE_FUNCTION inline void arrive_at_followers(const PictureView& picture, int column, int row,
                                                  const Arrive& arrive) {
  const bool is_last = column + 1 == picture.columns;
  if (!is_last) arrive(column + 1, row);
  if (row + 1 == picture.rows) return;
  if (column > 0) arrive(column - 1, row + 1);
  if (is_last) arrive(column, row + 1);
}

// Deblocks one macroblock.
struct DeblockMacroblock {
  static constexpr int kRegisters = 128;
  const PictureWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->picture;
    deblock(picture, column, row);
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->deblocking_missing[picture.index(x, y)], DeblockMacroblock{work, x, y});
    });
  }

 private:
  // Out of line: the filter is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void deblock(const PictureView& picture,
                                                               int column, int row) {
    deblock_macroblock<ScalarKernels>(picture, column, row);
  }
};

// Predicts one macroblock and adds its residual.
struct PredictMacroblock {
  static constexpr int kRegisters = 128;
  const PictureWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->picture;
    predict(picture, column, row, expanded(picture));
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->prediction_missing[picture.index(x, y)], PredictMacroblock{work, x, y});
    });
    // Arrives at the deblocking of all macroblocks whose last reader this one is: the one to the
    // upper left, and at the last column and row those beside it.
    const bool is_last_column = column + 1 == picture.columns;
    const bool is_last_row = row + 1 == picture.rows;
    for (int y = row > 0 ? row - 1 : 0; y <= (is_last_row ? row : row - 1); ++y) {
      for (int x = column > 0 ? column - 1 : 0; x <= (is_last_column ? column : column - 1); ++x) {
        context.arrive(&work->deblocking_missing[picture.index(x, y)],
                       DeblockMacroblock{work, x, y});
      }
    }
  }

 private:
  // As DeblockMacroblock::deblock().
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void predict(
      const PictureView& picture, int column, int row, const MacroblockCoefficients* coefficients) {
    reconstruct_macroblock<ScalarKernels>(picture, column, row, coefficients);
  }

  // Returns the macroblock's coefficients; null where the picture has none.
  MILLRACE_FUNCTION const MacroblockCoefficients* expanded(const PictureView& picture) const {
    if (picture.coefficient_ranges == nullptr) return nullptr;
    const int index = picture.index(column, row);
    expand(picture.coefficients_of(index), work->coefficients[index]);
    return &work->coefficients[index];
  }
};

using ReconstructionTasks = TaskSet<PredictMacroblock, DeblockMacroblock>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_
