// SPDX-License-Identifier: Apache-2.0

// Pictures of many streams as tasks: their slices are parsed, and what features need of their
// macroblocks is added up. A picture is one lane's, since a macroblock that an earlier slice has is
// damage in a later one; all lanes of a warp clear the pictures of its lanes before and measure
// them behind. A B slice waits for its colocated picture, whose motion direct prediction reads; all
// other pictures are independent of each other, those of one stream too.
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

// Pointers of these types are to memory of the device and are not owned.
struct BatchSlice {
  CodedSlice slice;
  bool is_sound;  // Else it cannot be parsed, and `slice` has no values.
};

struct BatchPicture {
  MeasuredPicture measured;
  Macroblock* macroblocks;  // Those of `measured`; of any value before the run.
  const BatchSlice* slices;
  ParsedSliceEnd* ends;         // By slice; 0 before the run.
  PictureSums* sums;            // 0 before the run.
  RowSums* rows;                // The same.
  const std::int32_t* waiting;  // Groups that wait for this picture.
  std::int32_t waiting_count;
  std::int32_t slice_count;
};

// Pictures that one warp has.
struct PictureGroup {
  std::int32_t first;     // Index into FeatureBatch::pictures.
  std::int32_t count;     // At most the lanes of a warp.
  std::uint32_t missing;  // Arrivals that it waits for.
};

struct FeatureBatch {
  BatchPicture* pictures;
  PictureGroup* groups;
  EntropyTables tables;
};

// Parses and measures the pictures of a group. Fewer pictures than lanes are faster where there are
// not enough for all lanes of the device: lanes that parse wait for each other at every branch.
struct ParsePictures {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 128;  // With 64 the parser spills.
  const FeatureBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureGroup& group = batch->groups[index];
    BatchPicture* const pictures = batch->pictures + group.first;
    for (std::int32_t k = 0; k < group.count; ++k) clear(context, pictures[k]);
    context.sync();
    for (std::int32_t k = context.lane(); k < group.count; k += context.lanes()) {
      parse(pictures[k], batch->tables);
    }
    context.sync();
    for (std::int32_t k = 0; k < group.count; ++k) measure(context, pictures[k]);
    if (context.lane() != 0) return;
    for (std::int32_t k = 0; k < group.count; ++k) {
      for (std::int32_t w = 0; w < pictures[k].waiting_count; ++w) {
        const std::int32_t waiting = pictures[k].waiting[w];
        context.arrive(&batch->groups[waiting].missing, ParsePictures{batch, waiting});
      }
    }
  }

 private:
  MILLRACE_FUNCTION static std::int32_t count_of(const BatchPicture& picture) {
    return picture.measured.width * picture.measured.height;
  }

  // Makes all macroblocks lost ones. Each lane writes words beside those of the next lane.
  template <class Context>
  MILLRACE_FUNCTION static void clear(Context& context, const BatchPicture& picture) {
    constexpr int kWords = sizeof(Macroblock) / sizeof(std::uint32_t);
    static_assert(sizeof(Macroblock) % sizeof(std::uint32_t) == 0);
    const std::int32_t words = kWords * count_of(picture);
    auto* const to = reinterpret_cast<char*>(picture.macroblocks);
    for (std::int32_t word = context.lane(); word < words; word += context.lanes()) {
      const std::uint32_t value = word_of_lost(word % kWords);
      std::memcpy(to + sizeof(value) * static_cast<std::size_t>(word), &value, sizeof(value));
    }
  }

  // Returns a word of a Macroblock without values, whose members but type and references are 0.
  MILLRACE_FUNCTION static std::uint32_t word_of_lost(int word) {
    constexpr int kType = offsetof(Macroblock, type);
    constexpr int kReferences = offsetof(Macroblock, references);
    constexpr int kReferencesEnd = kReferences + static_cast<int>(sizeof(Macroblock::references));
    std::uint32_t value = 0;
    for (int byte = 0; byte < 4; ++byte) {
      const int at = 4 * word + byte;
      const std::uint32_t set = at == kType ? static_cast<std::uint32_t>(MacroblockType::kLost)
                                : at >= kReferences && at < kReferencesEnd ? 0xffU
                                                                           : 0U;
      value |= set << (8 * byte);
    }
    return value;
  }

  // Out of line: the parser is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void parse(const BatchPicture& picture,
                                                             const EntropyTables& tables) {
    for (std::int32_t k = 0; k < picture.slice_count; ++k) {
      const BatchSlice& slice = picture.slices[k];
      if (slice.is_sound) picture.ends[k].set(h264::parse(slice.slice, tables));
    }
  }

  template <class Context>
  MILLRACE_FUNCTION static void measure(Context& context, const BatchPicture& picture) {
    const bool is_alone = context.lanes() == 1;
    const auto add = [&context, is_alone](std::uint64_t& sum, std::uint64_t value) {
      if (is_alone) {
        sum += value;
      } else {
        context.add(&sum, value);
      }
    };
    const std::int32_t count = count_of(picture);
    for (std::int32_t i = context.lane(); i < count; i += context.lanes()) {
      add_macroblock(picture.measured, i, *picture.sums, picture.rows, add);
    }
  }
};

using FeatureTasks = TaskSet<ParsePictures>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_
