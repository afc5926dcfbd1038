// SPDX-License-Identifier: Apache-2.0

// A section of a search window in a block's shared memory.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SHARED_WINDOW_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SHARED_WINDOW_H_

#include <millrace/algorithms/motion_estimation/gpu/kernel_frame.h>
#include <millrace/backends/gpu/api.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// The samples that 64 x 64 candidates are compared with. There is a copy for each position of a
// sample in a word, so that all candidates read whole words.
//
// A warp of 32 reads at most eight neighbouring words of each copy of bytes, or twelve of each copy
// of 16-bit samples. Copies begin at different quarters (halves) of the banks, so these reads have
// no bank conflicts. Nor have the writes of a warp's threads, 16 adjacent bytes each.
template <class Sample>
class SharedWindow {
 public:
  static constexpr int kColumns = 64;
  static constexpr int kRows = 64;
  static constexpr int kCopies = WordPlane<Sample>::kWordSamples;
  static constexpr int kRowWords = (kColumns + kMacroblockWidth) / kCopies;

  // Returns the words of a row of candidates, from candidate column `column` on; the next row's are
  // kRowWords further. Valid for any candidate that load() has loaded.
  MILLRACE_FUNCTION const std::uint32_t* words(int row, int column) const {
    return words_ + column % kCopies * kCopyWords + row * kRowWords + column / kCopies;
  }

  // Loads the window; all threads of the block call it, with barriers before and after. Candidate
  // (0, 0)'s first sample is at (x, y) of the plane; `rows` is the number of candidates' rows.
  MILLRACE_FUNCTION void load(const WordPlane<Sample>& plane, int x, int y, int rows) {
    if (plane.has_words(first_sample(x), kRowWords + 2)) {
      load_rows(plane, x, y, rows,
                [&](const Sample* row, int column) { return plane.inside_word(row, column); });
    } else {
      load_rows(plane, x, y, rows,
                [&](const Sample* row, int column) { return plane.word(row, column); });
    }
  }

 private:
  static constexpr int kBits = WordPlane<Sample>::kSampleBits;
  static constexpr int kThreadWords = kVectorWords;  // Words of a row per thread.
  static constexpr int kRowThreads = kRowWords / kThreadWords;
  static constexpr int kRowsAtOnce = 2;  // Rows that a thread has in flight.

  // A copy begins an odd number of bank groups behind the one before it.
  static constexpr int kBanks = 32;
  static constexpr int kWords = (kRows + kMacroblockWidth - 1) * kRowWords;
  static constexpr int kBankGroup = kBanks / kCopies;
  static constexpr int kCopyWords =
      (kWords + kBankGroup - 1) / (2 * kBankGroup) * 2 * kBankGroup + kBankGroup;
  static_assert(kCopyWords >= kWords && kRowWords % kThreadWords == 0);

  using Words = std::uint32_t[kThreadWords + 2];

  // Returns the first sample of the word that contains column `x`.
  MILLRACE_FUNCTION static int first_sample(int x) { return x & ~(kCopies - 1); }

  // Loads rows; `word(row, column)` reads the plane. kRowThreads threads load a row; a remainder of
  // threads loads nothing.
  template <class Word>
  MILLRACE_FUNCTION void load_rows(const WordPlane<Sample>& plane, int x, int y, int rows,
                                   const Word& word) {
    const int shift = kBits * (x & (kCopies - 1));
    const int index = thread_index() % kRowThreads * kThreadWords;
    const int first = first_sample(x) + index * kCopies;
    const int step = block_threads() / kRowThreads;
    const int end = rows + kMacroblockWidth - 1;
    if (thread_index() >= step * kRowThreads) return;
    for (int row = thread_index() / kRowThreads; row < end; row += kRowsAtOnce * step) {
      Words words[kRowsAtOnce];
      for (int i = 0; i < kRowsAtOnce; ++i) {
        const Sample* const samples = plane.row(y + row + i * step);
        for (int j = 0; j < kThreadWords + 2; ++j) words[i][j] = word(samples, first + j * kCopies);
      }
      for (int i = 0; i < kRowsAtOnce; ++i) {
        const int of_row = row + i * step;
        if (i == 0 || of_row < end) put(words[i], shift, of_row * kRowWords + index);
      }
    }
  }

  // Writes words of the plane, to be shifted, at index `first` of each copy.
  MILLRACE_FUNCTION void put(Words& words, int shift, int first) {
    for (int i = 0; i <= kThreadWords; ++i) {
      words[i] = funnel_shift(words[i], words[i + 1], shift);
    }
    for_constants<kCopies>([&](auto copy) {
      // Selects the four bytes from that sample on, of eight.
      constexpr unsigned kBytes = 0x3210 + 0x1111 * copy * (kBits / 8);
      gpu::Vector16 four;
      for (int i = 0; i < kThreadWords; ++i) {
        four.words[i] = copy == 0 ? words[i] : permute_bytes<kBytes>(words[i], words[i + 1]);
      }
      *reinterpret_cast<gpu::Vector16*>(words_ + copy * kCopyWords + first) = four;
    });
  }

  alignas(gpu::Vector16) std::uint32_t words_[kCopies * kCopyWords];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_GPU_SHARED_WINDOW_H_
