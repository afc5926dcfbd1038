// SPDX-License-Identifier: Apache-2.0

// Pictures of many streams as tasks: their slices are parsed, and what features need of their
// macroblocks is added up. A picture is one lane's, since a macroblock that an earlier slice has is
// damage in a later one. All lanes of a warp clear the pictures of its lanes before they are
// parsed, and measure them afterwards. A B slice waits for its colocated picture, whose motion
// direct prediction reads; all other pictures are independent of each other, those of one stream
// too.
#ifndef MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_
#define MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_

#include <millrace/algorithms/h264/entropy/coded_slice.h>
#include <millrace/algorithms/h264/entropy/common/clear_bytes.h>
#include <millrace/algorithms/h264/entropy/tasks/parsed_slice_end.h>
#include <millrace/algorithms/h264/features/add_macroblock.h>
#include <millrace/algorithms/h264/features/measured_picture.h>
#include <millrace/algorithms/h264/features/picture_sums.h>
#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/algorithms/h264/noinline_function.h>
#include <millrace/runtime/core/target_function.h>
#include <millrace/runtime/tasks/task_set.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace millrace::h264 {

// Pointers of these types are to memory of the device and are not owned.
struct BatchSlice {
  CodedSlice slice;
  bool is_sound;  // Else it cannot be parsed, and `slice` has no values.
};

struct BatchPicture {
  MeasuredPicture measured;
  Macroblock* macroblocks;  // Macroblocks of `measured`; uninitialised before the run.
  const BatchSlice* slices;
  ParsedSliceEnd* ends;         // Indexed by slice; 0 before the run.
  PictureSums* sums;            // 0 before the run.
  MacroblockRowSums* rows;      // The same.
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
  BatchPicture* pictures;  // Those of a group are next to each other.
  PictureGroup* groups;
  EntropyTables tables;
};

// Parses and measures the pictures of a group. Fewer pictures than lanes are faster where there are
// not enough for all lanes of the device: lanes that parse wait for each other at every branch.
struct ParsePictures {
  static constexpr TaskWidth kWidth = TaskWidth::kWarp;
  static constexpr int kRegisters = 128;  // The parser spills with 64.
  const FeatureBatch* batch;
  std::int32_t index;

  template <class Context>
  MILLRACE_FUNCTION void operator()(Context& context) const {
    const PictureGroup& group = batch->groups[index];
    BatchPicture* const pictures = batch->pictures + group.first;
    clear(context, pictures, group.count);
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
  // Macroblocks as the words that they consist of.
  using Word [[gnu::may_alias]] = std::uint32_t;
  struct [[gnu::may_alias]] alignas(16) Quad {
    std::uint32_t words[4];
  };
  static constexpr std::int32_t kWords = sizeof(Macroblock) / sizeof(Word);
  static_assert(sizeof(Macroblock) % sizeof(Word) == 0);

  MILLRACE_FUNCTION static std::int32_t count_of(const BatchPicture& picture) {
    return picture.measured.width * picture.measured.height;
  }

  // Makes all macroblocks of these pictures lost ones.
  template <class Context>
  MILLRACE_FUNCTION static void clear(Context& context, const BatchPicture* pictures,
                                      std::int32_t count) {
    for (std::int32_t k = 0; k < count; ++k) {
      clear_words(context, reinterpret_cast<Word*>(pictures[k].macroblocks),
                  kWords * count_of(pictures[k]));
    }
    context.sync();
    for (std::int32_t k = 0; k < count; ++k) {
      for (std::int32_t i = context.lane(); i < count_of(pictures[k]); i += context.lanes()) {
        set_lost(pictures[k].macroblocks[i]);
      }
    }
  }

  // Sets words to 0. Each lane writes four words beside those of the next lane.
  template <class Context>
  MILLRACE_FUNCTION static void clear_words(Context& context, Word* words, std::int32_t count) {
    constexpr std::int32_t kQuad = sizeof(Quad) / sizeof(Word);
    const auto past = static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(words) %
                                                sizeof(Quad) / sizeof(Word));
    const std::int32_t head = std::min(count, (kQuad - past) % kQuad);
    const std::int32_t quads = (count - head) / kQuad;
    const std::int32_t tail = head + kQuad * quads;
    auto* const to = reinterpret_cast<Quad*>(words + head);
    for (std::int32_t i = context.lane(); i < head; i += context.lanes()) words[i] = 0;
    for (std::int32_t i = context.lane(); i < quads; i += context.lanes()) to[i] = Quad{};
    for (std::int32_t i = tail + context.lane(); i < count; i += context.lanes()) words[i] = 0;
  }

  // Out of line: the parser is large, and every kernel would have a copy of it.
  [[gnu::noinline]] MILLRACE_COLD_FUNCTION static void parse(const BatchPicture& picture,
                                                             const EntropyTables& tables) {
    for (std::int32_t k = 0; k < picture.slice_count; ++k) {
      const BatchSlice& slice = picture.slices[k];
      if (slice.is_sound) picture.ends[k].set(h264::parse(slice.slice, tables));
    }
  }

  // Measures a picture. Each lane has totals of its own, which are added up at the end; histograms,
  // frequencies and rows are counted in the picture's sums at once.
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
    PictureTotals totals;
    for (std::int32_t i = context.lane(); i < count; i += context.lanes()) {
      add_macroblock(picture.measured, i, totals, *picture.sums, picture.rows, add);
    }
    PictureTotals& of_picture = *picture.sums;
    auto* const to = reinterpret_cast<std::uint64_t*>(&of_picture);
    const auto* const from = reinterpret_cast<const std::uint64_t*>(&totals);
    constexpr std::size_t kTotals = sizeof(PictureTotals) / sizeof(std::uint64_t);
    MILLRACE_SMALL_LOOP
    for (std::size_t k = 0; k < kTotals; ++k) context.add_together(to + k, from[k]);
  }
};

using FeatureTasks = TaskSet<ParsePictures>;

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_FEATURES_TASKS_FEATURE_TASKS_H_
