// SPDX-License-Identifier: Apache-2.0

// A thread's portion of the search of whole samples on GPUs: the candidates of one column.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_COLUMN_SEARCH_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_COLUMN_SEARCH_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/algorithms/motion_estimation/gpu/shared_window.h>
#include <millrace/algorithms/motion_estimation/partition.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>
#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Tuning of the search of whole samples to a multiprocessor.
template <class Sample>
struct SearchTuning {
  // Lanes that share the width of a macroblock, 1 or 2. With 2 a thread has half the samples and
  // costs, but sums have to be exchanged.
  static constexpr int kLanes = sizeof(Sample) == 1 ? 1 : 2;

  // Rows of the macroblock, of every eight, that are read from shared memory at each use; the
  // others are in registers. For bytes these are all rows: a multiprocessor of an H200 then holds
  // 16 warps, and 12 with three rows of eight
  // (docs/experiments/what_limits_motion_search_on_a_gpu.md).
  static constexpr int kSharedRows = sizeof(Sample) == 1 ? 8 : 0;

  // Blocks of 64 kLanes threads for which a multiprocessor has registers and shared memory.
  static constexpr int kBlocks = sizeof(Sample) == 1 ? 8 : 2;
};

// The columns of a macroblock that a thread handles: all 16, or 8 if another lane has the other 8.
// Its partitions are in the order of partition.h, without those of the other half.
template <class Sample>
struct ThreadColumns {
  static constexpr int kLanes = SearchTuning<Sample>::kLanes;
  static constexpr int kRowWords = kMacroblockWidth / (WordPlane<Sample>::kWordSamples * kLanes);
  static constexpr int kBlocks = 4 / kLanes;  // 4x4 blocks in a row.
  static constexpr int kPairs = kBlocks / 2;
  static constexpr int kBlockWords = kRowWords / kBlocks;

  static constexpr int k16x16 = 0;
  static constexpr int k16x8 = 1;
  static constexpr int k8x16 = k16x8 + 2;
  static constexpr int k8x8 = k8x16 + kPairs;
  static constexpr int k8x4 = k8x8 + 2 * kPairs;
  static constexpr int k4x8 = k8x4 + 4 * kPairs;
  static constexpr int k4x4 = k4x8 + 2 * kBlocks;
  static constexpr int kPartitions = k4x4 + 4 * kBlocks;

  // Returns the number in partition.h of the thread's partition `own` in half `half`.
  MILLRACE_FUNCTION static constexpr int partition(int own, int half) {
    if constexpr (kLanes == 1) return own;
    if (own >= k4x4) return of_row(own - k4x4, half, kBlocks, motion::PartitionSize::k4x4);
    if (own >= k4x8) return of_row(own - k4x8, half, kBlocks, motion::PartitionSize::k4x8);
    if (own >= k8x4) return of_row(own - k8x4, half, kPairs, motion::PartitionSize::k8x4);
    if (own >= k8x8) return of_row(own - k8x8, half, kPairs, motion::PartitionSize::k8x8);
    if (own >= k8x16) return of_row(own - k8x16, half, kPairs, motion::PartitionSize::k8x16);
    return own;
  }

 private:
  MILLRACE_FUNCTION static constexpr int of_row(int index, int half, int per_row,
                                                motion::PartitionSize size) {
    return motion::first_partition(size) + (kLanes * (index / per_row) + half) * per_row +
           index % per_row;
  }
};

// The largest J of whole samples has 24 bits: SAD of 10-bit samples, and a vector at the window's
// edge.
static_assert(32 * kMacroblockWidth * kMacroblockWidth * motion::kLargestSample<std::uint16_t> +
                  2 * motion::kMostLambda * motion::difference_bits(4 * motion::kMostRange + 2) <
              1 << 24);

// Finds the smallest costs of a thread's candidates, as keys: J in 24 bits, then the candidate's
// row in the window in 8. J is without the bits of x, which all of a thread's candidates have in
// common.
//
// A row of the window is read once and kept for eight steps. A step handles the upper half of the
// macroblock at the candidate that starts with the oldest row, and the lower half at the candidate
// eight rows before, whose upper 8x8 sums were kept. So 32 words of the window are in registers,
// not 64. Steps go in pairs, because a minimum takes three operands.
template <class Sample>
class ColumnSearch {
  using Columns = ThreadColumns<Sample>;
  static constexpr int kSteps = 8;

  // Sums of absolute differences at the candidates of two steps.
  struct StepSums {
    std::uint32_t of[2];

    MILLRACE_FUNCTION friend StepSums operator+(const StepSums& a, const StepSums& b) {
      return {{a.of[0] + b.of[0], a.of[1] + b.of[1]}};
    }
  };

 public:
  using Keys = std::uint32_t[Columns::kPartitions];

  // Threads of a block.
  static constexpr int kThreads = SharedWindow<Sample>::kColumns * Columns::kLanes;

  // Sums over 8 x 8 samples of the upper half at each thread's candidates of eight steps, in shared
  // memory.
  class BlockUpperSums {
   public:
    template <int kStep>
    MILLRACE_FUNCTION void put(int pair, const StepSums& sums) {
      for (int i = 0; i < 2; ++i) {
        sums_[kStep + i][pair][thread_index()] = static_cast<std::uint16_t>(sums.of[i]);
      }
    }
    template <int kStep>
    MILLRACE_FUNCTION StepSums get(int pair) const {
      return {{sums_[kStep][pair][thread_index()], sums_[kStep + 1][pair][thread_index()]}};
    }

   private:
    static_assert(8 * 8 * motion::kLargestSample<Sample> < 1 << 16);
    std::uint16_t sums_[kSteps][Columns::kPairs][kThreads];
  };

  // The index of the lane with the other half differs from the thread's in the bit `other_half`.
  MILLRACE_FUNCTION ColumnSearch(int other_half, BlockUpperSums& upper)
      : other_half_(other_half), upper_(upper) {
    for (std::uint32_t& key : keys_) key = 0xffffffff;
  }

  // Loads the thread's portion of the macroblock. `words` are those of its first row; the next
  // row's are Columns::kLanes * Columns::kRowWords further.
  MILLRACE_FUNCTION void load_macroblock(const std::uint32_t* words) {
    macroblock_ = words;
    for (int row = 0; row < kMacroblockWidth; ++row) {
      for (int i = 0; i < Columns::kRowWords; ++i) current_[row][i] = macroblock_word(row, i);
    }
  }

  // Evaluates `rows` candidates, a multiple of 8. `words` are those of the first one in a
  // SharedWindow, and row_keys[i] = lambda * (bits of y of candidate i) << 8 | its row.
  MILLRACE_FUNCTION void search(const std::uint32_t* words, const std::uint32_t* row_keys,
                                int rows) {
    for (int row = 0; row < kSteps - 1; ++row) load_row(reference_[row], words, row);
    words += (kSteps - 1) * kWindowRow;
    // One loop for all steps keeps the instructions in the cache of a multiprocessor whose other
    // blocks load windows or write results meanwhile.
    for (int row = 0; row <= rows; row += kSteps) {
      const bool has_upper = row < rows;
      const bool has_lower = row > 0;
      eight_steps(words, row_keys, has_upper, has_lower);
      words += kSteps * kWindowRow;
      row_keys += kSteps;
    }
  }

  MILLRACE_FUNCTION const Keys& keys() const { return keys_; }

 private:
  static constexpr int kWindowRow = SharedWindow<Sample>::kRowWords;
  using Words = std::uint32_t[Columns::kRowWords];

  MILLRACE_FUNCTION static void load_row(Words& row, const std::uint32_t* words, int index) {
    for (int i = 0; i < Columns::kRowWords; ++i) row[i] = words[index * kWindowRow + i];
  }

  MILLRACE_FUNCTION std::uint32_t macroblock_word(int row, int i) const {
    return macroblock_[row * Columns::kLanes * Columns::kRowWords + i];
  }

  MILLRACE_FUNCTION std::uint32_t current(int row, int i) const {
    const bool is_shared = row % kSteps < SearchTuning<Sample>::kSharedRows;
    return is_shared ? macroblock_word(row, i) : current_[row][i];
  }

  // Performs the steps whose newest rows are the next eight of `words`.
  MILLRACE_FUNCTION void eight_steps(const std::uint32_t* words, const std::uint32_t* row_keys,
                                     bool has_upper, bool has_lower) {
    two_steps<0>(words, row_keys, has_upper, has_lower);
    two_steps<2>(words, row_keys, has_upper, has_lower);
    two_steps<4>(words, row_keys, has_upper, has_lower);
    two_steps<6>(words, row_keys, has_upper, has_lower);
  }

  template <int kStep>
  MILLRACE_FUNCTION void two_steps(const std::uint32_t* words, const std::uint32_t* row_keys,
                                   bool has_upper, bool has_lower) {
    load_row(reference_[(kStep + kSteps - 1) % kSteps], words, kStep);
    Words newest;
    load_row(newest, words, kStep + 1);
    row_keys += kStep;
    if (has_lower) try_half<1, kStep>(newest, row_keys - kSteps);
    if (has_upper) try_half<0, kStep>(newest, row_keys);
    for (int i = 0; i < Columns::kRowWords; ++i) reference_[kStep][i] = newest[i];
  }

  // Returns the sum of a 4x4 block at a step, whose last row of the window is reference_[kStep + 7]
  // or, in the second of two steps, `newest`.
  template <int kStep, bool kIsSecond>
  MILLRACE_FUNCTION std::uint32_t block_sum(int block_row, int block, const Words& newest) const {
    std::uint32_t sum = 0;
    for (int i = 0; i < 4; ++i) {
      const int row = 4 * (block_row % 2) + i;
      const Words& samples =
          kIsSecond && row == kSteps - 1 ? newest : reference_[(kStep + kIsSecond + row) % kSteps];
      for (int word = 0; word < Columns::kBlockWords; ++word) {
        // In this order nvcc keeps the macroblock's word for the second step's sum. Reads of the
        // register file limit the search: 3,968 pictures of 1080p a second, and 3,926 in the other
        // order (H200, docs/experiments/what_limits_motion_search_on_a_gpu.md).
        const int index = block * Columns::kBlockWords + word;
        sum = sum_absolute_differences<Sample>(samples[index], current(4 * block_row + i, index),
                                               sum);
      }
    }
    return sum;
  }

  // Evaluates the partitions of a half at the candidates of two steps; with the lower half also
  // those of both halves.
  template <int kHalf, int kStep>
  MILLRACE_FUNCTION void try_half(const Words& newest, const std::uint32_t* row_keys) {
    const std::uint32_t keys[2] = {row_keys[0], row_keys[1]};
    const auto take = [&](int partition, const StepSums& sums) {
      const std::uint32_t a = sums.of[0] * kKeyOfSum + keys[0];
      const std::uint32_t b = sums.of[1] * kKeyOfSum + keys[1];
      const std::uint32_t least = a < b ? a : b;
      std::uint32_t& best = keys_[partition];
      best = least < best ? least : best;
    };
    StepSums of_pairs[Columns::kPairs];
    for (int pair = 0; pair < Columns::kPairs; ++pair) {
      StepSums columns[2];
      for (int block_row = 2 * kHalf; block_row < 2 * kHalf + 2; ++block_row) {
        StepSums blocks[2];
        for (int i = 0; i < 2; ++i) {
          const int block = 2 * pair + i;
          blocks[i] = {{block_sum<kStep, false>(block_row, block, newest),
                        block_sum<kStep, true>(block_row, block, newest)}};
          take(Columns::k4x4 + block_row * Columns::kBlocks + block, blocks[i]);
          columns[i] = block_row % 2 == 0 ? blocks[i] : columns[i] + blocks[i];
        }
        take(Columns::k8x4 + block_row * Columns::kPairs + pair, blocks[0] + blocks[1]);
      }
      for (int i = 0; i < 2; ++i) {
        take(Columns::k4x8 + kHalf * Columns::kBlocks + 2 * pair + i, columns[i]);
      }
      of_pairs[pair] = columns[0] + columns[1];
      take(Columns::k8x8 + kHalf * Columns::kPairs + pair, of_pairs[pair]);
    }
    take(Columns::k16x8 + kHalf, width_sum(of_pairs));
    for (int pair = 0; pair < Columns::kPairs; ++pair) {
      if constexpr (kHalf == 0) {
        upper_.template put<kStep>(pair, of_pairs[pair]);
      } else {
        of_pairs[pair] = of_pairs[pair] + upper_.template get<kStep>(pair);
        take(Columns::k8x16 + pair, of_pairs[pair]);
      }
    }
    if constexpr (kHalf == 1) take(Columns::k16x16, width_sum(of_pairs));
  }

  // Adds sums that are 8 samples wide over a macroblock's width.
  MILLRACE_FUNCTION StepSums width_sum(const StepSums (&sums)[Columns::kPairs]) const {
    if constexpr (Columns::kLanes == 1) {
      return sums[0] + sums[1];
    } else {
      return sums[0] + StepSums{{shuffle_xor(sums[0].of[0], other_half_),
                                 shuffle_xor(sums[0].of[1], other_half_)}};
    }
  }

  static constexpr std::uint32_t kKeyOfSum = 32 << 8;

  const int other_half_;
  const std::uint32_t* macroblock_ = nullptr;
  std::uint32_t current_[kMacroblockWidth][Columns::kRowWords];
  Words reference_[kSteps];
  BlockUpperSums& upper_;
  Keys keys_;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_COLUMN_SEARCH_H_
