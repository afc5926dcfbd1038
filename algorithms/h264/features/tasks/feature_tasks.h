// SPDX-License-Identifier: Apache-2.0

// Pictures of many streams as tasks: their slices are parsed, and what features need of their
// macroblocks is added up. A picture is cleared, then its slices are parsed one behind the other,
// since a macroblock that another slice has already is damage, then it is measured. A B slice also
// waits for its colocated picture, whose motion direct prediction reads. So slices of all other
// pictures are independent of each other, those of one stream too.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/tasks/parsed_slice_end.h>
#include <millrace/algorithms/h264/features/add_macroblock.h>
#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace::h264 {

inline constexpr std::int32_t kNoSlice = -1;

// Pointers of these types are to memory of the device and are not owned.
struct BatchSlice {
  CodedSlice slice;
  std::int32_t picture;   // Index into FeatureBatch::pictures.
  std::int32_t next;      // Next slice of the picture, or kNoSlice.
  std::uint32_t missing;  // Arrivals that it waits for.
};

struct BatchPicture {
  MeasuredPicture measured;
  Macroblock* macroblocks;      // Those of `measured`; of any value before the run.
  PictureSums* sums;            // 0 before the run.
  RowSums* rows;                // The same.
  const std::int32_t* waiting;  // B slices of other pictures that wait for this one.
  std::int32_t waiting_count;
  std::int32_t first_slice;  // kNoSlice: the picture has none that can be parsed.
  std::uint32_t missing;     // Arrivals that measuring waits for: 1.
};

struct FeatureBatch {
  BatchSlice* slices;
  BatchPicture* pictures;
  ParsedSliceEnd* ends;  // By slice.
  EntropyTables tables;
  bool is_by_warp;  // Each slice has a warp to itself.
};

// Adds up what features need of a picture.
struct MeasurePicture {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr bool kSpawns = false;
  static constexpr int kRegisters = 64;
  const FeatureBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const BatchPicture& picture = batch->pictures[index];
    const std::int32_t count = picture.measured.width * picture.measured.height;
    const bool is_alone = context.lanes() == 1;
    const auto add = [&context, is_alone](std::uint64_t& sum, std::uint64_t value) {
      if (is_alone) {
        sum += value;
      } else {
        context.add(&sum, value);
      }
    };
    for (std::int32_t i = context.lane(); i < count; i += context.lanes()) {
      add_macroblock(picture.measured, i, *picture.sums, picture.rows, add);
    }
  }
};

struct SliceParsing {
  // Out of line: the parser is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void parse(const CodedSlice& slice,
                                                             const EntropyTables& tables,
                                                             ParsedSliceEnd& end) {
    end.set(h264::parse(slice, tables));
  }
};

// Parses one slice by one lane. Of a warp that has the slice to itself the others do nothing: lanes
// that parse different slices wait for each other at every branch, so this is faster where there
// are not enough slices for all warps of the device.
template <TaskWidth width>
struct ParseBatchSlice {
  static constexpr TaskWidth kWidth = width;
  static constexpr int kRegisters = 128;  // With 64 the parser spills.
  const FeatureBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    if (context.lane() != 0) return;
    const BatchSlice& slice = batch->slices[index];
    SliceParsing::parse(slice.slice, batch->tables, batch->ends[index]);
    if (slice.next != kNoSlice) {
      context.arrive(&batch->slices[slice.next].missing, ParseBatchSlice{batch, slice.next});
    } else {
      arrive_behind(context, batch, slice.picture);
    }
  }

  // Starts what waits for the slices of a picture.
  template <class Context>
  MILLRACE_FUNCTION static void arrive_behind(Context& context, const FeatureBatch* batch,
                                              std::int32_t index) {
    BatchPicture& picture = batch->pictures[index];
    for (std::int32_t k = 0; k < picture.waiting_count; ++k) {
      const std::int32_t slice = picture.waiting[k];
      context.arrive(&batch->slices[slice].missing, ParseBatchSlice{batch, slice});
    }
    context.arrive(&picture.missing, MeasurePicture{batch, index});
  }

  // Starts the slices of a picture that has been cleared.
  template <class Context>
  MILLRACE_FUNCTION static void begin(Context& context, const FeatureBatch* batch,
                                      std::int32_t index) {
    const std::int32_t first = batch->pictures[index].first_slice;
    if (first != kNoSlice) {
      context.arrive(&batch->slices[first].missing, ParseBatchSlice{batch, first});
    } else {
      arrive_behind(context, batch, index);
    }
  }
};

// Makes all macroblocks of a picture lost ones.
struct ClearPicture {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  const FeatureBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const BatchPicture& picture = batch->pictures[index];
    const std::int32_t count = picture.measured.width * picture.measured.height;
    for (std::int32_t i = 0; i < count; ++i) clear(context, picture.macroblocks[i]);
    context.sync();
    if (context.lane() != 0) return;
    if (batch->is_by_warp) {
      ParseBatchSlice<TaskWidth::kWarp>::begin(context, batch, index);
    } else {
      ParseBatchSlice<TaskWidth::kLane>::begin(context, batch, index);
    }
  }

 private:
  // Each lane writes words beside those of the next lane.
  template <class Context>
  MILLRACE_FUNCTION static void clear(Context& context, Macroblock& macroblock) {
    const Macroblock lost;
    constexpr std::size_t kWord = sizeof(std::uint32_t);
    static_assert(sizeof(Macroblock) % kWord == 0);
    const auto* const from = reinterpret_cast<const char*>(&lost);
    auto* const to = reinterpret_cast<char*>(&macroblock);
    for (std::size_t at = kWord * static_cast<std::size_t>(context.lane()); at < sizeof(Macroblock);
         at += kWord * static_cast<std::size_t>(context.lanes())) {
      std::memcpy(to + at, from + at, kWord);
    }
  }
};

using FeatureTasks = TaskSet<ClearPicture, ParseBatchSlice<TaskWidth::kLane>,
                             ParseBatchSlice<TaskWidth::kWarp>, MeasurePicture>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_
