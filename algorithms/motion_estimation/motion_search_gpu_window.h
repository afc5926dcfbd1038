// A part of a search window in a block's shared memory.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_GPU_WINDOW_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_GPU_WINDOW_H_

#include <cstdint>

#include <millrace/algorithms/motion_estimation/motion_search_gpu.h>
#include <millrace/backends/gpu/api.h>

namespace millrace::MILLRACE_GPU {

// Room for the samples that 64 x 64 candidates are compared with. There is a copy for each place of
// a sample in a word, so that all candidates read whole words.
//
// A warp of 32 reads eight neighbouring words of each copy of bytes, or twelve of each copy of
// 16-bit samples: copies that begin at different eighths (quarters) of the banks never meet.
template <class Sample>
class SharedWindow {
 public:
  static constexpr int kColumns = 64;
  static constexpr int kRows = 64;
  static constexpr int kCopies = WordPlane<Sample>::kWordSamples;
  static constexpr int kRowWords = (kColumns + kMacroblockWidth) / kCopies - 1;

  // Of the samples of a row of candidates, from candidate column `column` on; the next row's are
  // kRowWords further. For any candidate that load() has brought.
  MILLRACE_FUNCTION const std::uint32_t* words(int row, int column) const {
    return words_ + column % kCopies * kCopyWords + row * kRowWords + column / kCopies;
  }

  // All threads of the block call, with barriers before and after. Candidate (0, 0)'s first sample
  // is at (x, y) of the plane; `rows` is that of candidates.
  MILLRACE_FUNCTION void load(const WordPlane<Sample>& plane, int x, int y, int rows) {
    constexpr int kBits = WordPlane<Sample>::kSampleBits;
    const int shift = kBits * (x & (kCopies - 1));
    const int first = x & ~(kCopies - 1);
    const int words = (rows + kMacroblockWidth - 1) * kRowWords;
    for (int i = thread_index(); i < words; i += block_threads()) {
      const Sample* const row = plane.row(y + i / kRowWords);
      const int column = first + i % kRowWords * kCopies;
      const std::uint32_t middle = plane.word(row, column + kCopies);
      const std::uint32_t low = funnel_shift(plane.word(row, column), middle, shift);
      const std::uint32_t high = funnel_shift(middle, plane.word(row, column + 2 * kCopies), shift);
      for (int copy = 0; copy < kCopies; ++copy) {
        words_[copy * kCopyWords + i] = funnel_shift(low, high, kBits * copy);
      }
    }
  }

 private:
  static constexpr int kBanks = 32;
  static constexpr int kWords = (kRows + kMacroblockWidth - 1) * kRowWords;
  static constexpr int kBankShift = kBanks / kCopies;
  static constexpr int kCopyWords =
      (kWords + kBanks - kBankShift - 1) / kBanks * kBanks + kBankShift;
  static_assert(kCopyWords >= kWords);

  std::uint32_t words_[kCopies * kCopyWords];
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SEARCH_GPU_WINDOW_H_
