// SPDX-License-Identifier: Apache-2.0

// Pictures as tasks, in one of two forms. Where many pictures can be reconstructed at a time, each
// is a task of a warp, which goes from macroblock to macroblock and waits for nothing. Where they
// would not fill the device, each macroblock is two tasks of a warp, prediction with its residual
// and deblocking, which wait for others by counters.
//
// Prediction of (x, y) waits for (x - 1, y) and for (x + 1, y - 1), which imply all others that
// intra prediction reads. Deblocking changes samples of a macroblock and up to three beside it, to
// the left and above, which intra prediction has to read before. Its last reader is the macroblock
// to the lower right, whose prediction implies that of all other neighbours; deblocking of (x, y)
// waits for that, and for the deblocking of (x - 1, y) and (x + 1, y - 1). So deblocking follows
// prediction in the same run, two macroblocks and a row behind, while samples are in caches; a
// second pass would read every picture from memory again. A neighbour outside the picture is
// replaced by the nearest one inside.
//
// A picture that is predicted from another one of the run waits for it by a counter.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_

#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/algorithms/h264/reconstruction/deblocking.h>
#include <millrace/algorithms/h264/reconstruction/lane_kernels.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_macroblock.h>
#include <millrace/algorithms/h264/reconstruction/views/picture_view.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// A picture of a run. Its memory is the caller's.
struct PictureWork {
  PictureView picture;
  // Number of arrivals that each macroblock's tasks wait for. Null: the picture is one task.
  std::uint32_t* prediction_missing;
  std::uint32_t* deblocking_missing;
  PictureWork* works;           // All pictures of the run.
  const std::int32_t* waiting;  // Indices of those that wait for this one.
  std::int32_t waiting_count;
  std::uint32_t missing;  // Pictures for which this one still waits.

  MILLRACE_FUNCTION bool is_one_task() const { return prediction_missing == nullptr; }
};

// Returns the arrivals that a task of macroblock (column, row) waits for at first.
constexpr std::uint32_t prediction_arrivals(int column, int row) {
  return (column > 0 ? 1 : 0) + (row > 0 ? 1 : 0);
}
constexpr std::uint32_t deblocking_arrivals(int column, int row) {
  return 1 + prediction_arrivals(column, row);
}

// Sets the arrivals that the tasks of a picture wait for at first, by macroblock.
inline void set_arrivals(int columns, int rows, std::uint32_t* prediction,
                         std::uint32_t* deblocking) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      *prediction++ = prediction_arrivals(column, row);
      *deblocking++ = deblocking_arrivals(column, row);
    }
  }
}

// Calls arrive(column, row) for the macroblocks that wait for (column, row): the one to its right,
// and those in the next row for which it is the one to the upper right.
template <class Arrive>
MILLRACE_FUNCTION inline void arrive_at_followers(const PictureView& picture, int column, int row,
                                                  const Arrive& arrive) {
  const bool is_last = column + 1 == picture.columns;
  // The right one, the one to the lower left, and in the last column the one below. One call, since
  // kernels have the code of each.
  MILLRACE_SMALL_LOOP
  for (int k = 0; k < 3; ++k) {
    const int x = k == 0 ? column + 1 : k == 1 ? column - 1 : column;
    const int y = k == 0 ? row : row + 1;
    const bool waits = k == 0 ? !is_last : y < picture.rows && (k == 1 ? column > 0 : is_last);
    if (waits) arrive(x, y);
  }
}

// Calls arrive(column, row) for the macroblocks whose last reader (column, row) is: the one to its
// upper left, and at the last column and row those beside it.
template <class Arrive>
MILLRACE_FUNCTION inline void for_each_last_read(const PictureView& picture, int column, int row,
                                                 const Arrive& arrive) {
  const int right = column + 1 == picture.columns ? column : column - 1;
  const int bottom = row + 1 == picture.rows ? row : row - 1;
  MILLRACE_SMALL_LOOP
  for (int y = row > 0 ? row - 1 : 0; y <= bottom; ++y) {
    MILLRACE_SMALL_LOOP
    for (int x = column > 0 ? column - 1 : 0; x <= right; ++x) arrive(x, y);
  }
}

// With 64 registers twice as many warps as with 128 hide the latency of memory, though some
// values are spilled (docs/experiments/how_many_slices_a_warp_parses.md).
inline constexpr int kReconstructionRegisters = 64;

// Memory that the lanes of a task share.
struct ReconstructionMemory {
  KernelMemory kernels;
  alignas(16) MacroblockCoefficients coefficients;  // It is cleared by words.
  // A copy of the view where lanes share it: stores of samples may alias the view, so that its
  // members are loaded again after each.
  alignas(16) std::byte picture[sizeof(PictureView)];
};

// Reconstructs macroblocks in the lanes of one task.
template <class Context>
class MacroblockWorker {
 public:
  MILLRACE_FUNCTION MacroblockWorker(Context& context, const PictureView& picture)
      : memory_(*context.template scratch<ReconstructionMemory>(1)),
        kernels_(context, memory_.kernels),
        picture_(context.lanes() > 1 ? *reinterpret_cast<const PictureView*>(memory_.picture)
                                     : picture) {
    if (context.lanes() == 1) return;
    kernels_.template copy_words<sizeof(PictureView) / 4>(&picture, memory_.picture);
    kernels_.sync();
  }

  // Predicts a macroblock and adds its residual.
  MILLRACE_FUNCTION void predict(int column, int row) const {
    const int index = picture_.index(column, row);
    // Loaded before the type is known, so that both loads overlap. The range of a lost macroblock
    // is not set, and not used.
    const CoefficientView coded = picture_.coefficients_of(index);
    const Macroblock& macroblock = kernels_.shared_macroblock(&picture_.macroblocks[index]);
    const MacroblockCoefficients* coefficients = nullptr;
    // A PCM macroblock without coefficients is black.
    if (macroblock.type != MacroblockType::kLost && picture_.coefficient_ranges != nullptr) {
      if (coded.count > 0 || macroblock.type == MacroblockType::kPcm) {
        expand(coded);
        coefficients = &memory_.coefficients;
      }
    }
    reconstruct_macroblock(kernels_, picture_, macroblock, column, row, coefficients);
    kernels_.sync();
  }
  MILLRACE_FUNCTION void deblock(int column, int row) const {
    deblock_macroblock(kernels_, picture_, column, row);
    kernels_.sync();
  }

 private:
  // Writes the coefficients of a macroblock to the memory of the lanes.
  MILLRACE_FUNCTION void expand(CoefficientView coded) const {
    struct alignas(16) Words {
      std::uint32_t words[4];
    };
    constexpr int kCount = sizeof(MacroblockCoefficients) / sizeof(Words);
    auto* const values = reinterpret_cast<std::int16_t*>(&memory_.coefficients);
    auto* const words = reinterpret_cast<Words*>(values);
    for (int i = kernels_.lane(); i < kCount; i += kernels_.lanes()) words[i] = {};
    kernels_.sync();
    MILLRACE_SMALL_LOOP
    for (int i = kernels_.lane(); i < coded.count; i += kernels_.lanes()) {
      values[coded.first[i].index] = coded.first[i].value;
    }
    kernels_.sync();
  }

  ReconstructionMemory& memory_;
  const LaneKernels<Context> kernels_;
  const PictureView& picture_;
};

// Deblocks one macroblock. Out of line: the filter is large.
template <class Context>
[[gnu::noinline]] MILLRACE_COLD_FUNCTION void deblock_in_lanes(Context& context,
                                                               const PictureView& picture,
                                                               int column, int row) {
  MacroblockWorker(context, picture).deblock(column, row);
}

struct PredictMacroblock;
struct ReconstructPicture;

// Arrives at the pictures that wait for one that is complete.
template <class Context>
MILLRACE_FUNCTION inline void arrive_at_waiting(Context& context, const PictureWork& work);

// Deblocks one macroblock.
struct DeblockMacroblock {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(ReconstructionMemory);
  static constexpr int kRegisters = kReconstructionRegisters;
  PictureWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->picture;
    deblock_in_lanes(context, picture, column, row);
    if (context.lane() != 0) return;
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->deblocking_missing[picture.index(x, y)], DeblockMacroblock{work, x, y});
    });
    if (column + 1 == picture.columns && row + 1 == picture.rows) arrive_at_waiting(context, *work);
  }
};

// Predicts one macroblock and adds its residual.
struct PredictMacroblock {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(ReconstructionMemory);
  static constexpr int kRegisters = kReconstructionRegisters;
  PictureWork* work;
  std::int32_t column;
  std::int32_t row;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureView& picture = work->picture;
    predict(context, picture, column, row);
    if (context.lane() != 0) return;
    arrive_at_followers(picture, column, row, [&](int x, int y) {
      context.arrive(&work->prediction_missing[picture.index(x, y)], PredictMacroblock{work, x, y});
    });
    for_each_last_read(picture, column, row, [&](int x, int y) {
      context.arrive(&work->deblocking_missing[picture.index(x, y)], DeblockMacroblock{work, x, y});
    });
  }

 private:
  // Is not inlined, as deblock_in_lanes().
  template <class Context>
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void predict(Context& context,
                                                               const PictureView& picture,
                                                               int column, int row) {
    MacroblockWorker(context, picture).predict(column, row);
  }
};

// Reconstructs a picture, deblocking a row behind prediction, as reconstruct_view().
struct ReconstructPicture {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr std::size_t kScratchBytes = sizeof(ReconstructionMemory);
  static constexpr int kRegisters = kReconstructionRegisters;
  PictureWork* work;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    reconstruct(context, work->picture);
    if (context.lane() == 0) arrive_at_waiting(context, *work);
  }

 private:
  template <class Context>
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void reconstruct(Context& context,
                                                                   const PictureView& picture) {
    const MacroblockWorker worker(context, picture);
    for (int row = 0; row <= picture.rows; ++row) {
      for (int column = 0; row < picture.rows && column < picture.columns; ++column) {
        worker.predict(column, row);
      }
      for (int column = 0; row > 0 && column < picture.columns; ++column) {
        worker.deblock(column, row - 1);
      }
    }
  }
};

template <class Context>
MILLRACE_FUNCTION inline void arrive_at_waiting(Context& context, const PictureWork& work) {
  MILLRACE_SMALL_LOOP
  for (std::int32_t i = 0; i < work.waiting_count; ++i) {
    PictureWork& waiting = work.works[work.waiting[i]];
    if (waiting.is_one_task()) {
      context.arrive(&waiting.missing, ReconstructPicture{&waiting});
    } else {
      context.arrive(&waiting.missing, PredictMacroblock{&waiting, 0, 0});
    }
  }
}

using ReconstructionTasks = TaskSet<ReconstructPicture, PredictMacroblock, DeblockMacroblock>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCTION_TASKS_H_
