// SPDX-License-Identifier: Apache-2.0

// Rates of the vectors of a search, for all macroblocks of a picture. A candidate's bits depend on
// its position in the window and on how the predictor was rounded to the window's centre.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_RATES_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_RATES_H_

#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::motion {

// Consecutive rows of a window whose candidates have the same bits in y.
struct RowRun {
  int first = 0;
  int count = 0;
  int bits = 0;
};

// Consecutive rows of a window that are searched together.
struct RowGroup {
  static constexpr int kRows = 32;  // Fewer only at the window's end.

  // A group spans less than 4 * kRows quarter samples: at most eight numbers of bits on either side
  // of the predictor.
  static constexpr int kMostRuns = 16;

  int first = 0;
  std::vector<RowRun> runs;  // Sorted by bits, the most first.
  std::size_t far = 0;       // Number of the first runs that are not near the predictor.
};

// Immutable after construction.
class SearchRates {
 public:
  // Number of columns that a search may read at once; rates exist for as many columns behind the
  // last.
  static constexpr int kPadding = 32;

  // Rate of columns behind the window's last; every candidate costs at most this.
  static constexpr std::uint16_t kNever = 0xffff;

  SearchRates(int range, int lambda);

  int range() const { return range_; }
  int lambda() const { return lambda_; }

  // Returns what rounding adds to a component of a limited predictor, in quarter samples, plus 1: 0
  // to 3.
  static int rounding(int predictor) { return 4 * window_centre(predictor) - predictor + 1; }

  // Returns the bits of a component for the candidate `offset` rows or columns from the window's
  // first.
  int bits(int rounding, int offset) const { return bits_.data()[2 * range_ * rounding + offset]; }

  // Returns floor(lambda * (bits_x + bits_y) / 32) for each column of a window, then kNever. J / 32
  // is SAD plus this, rounded down.
  const std::uint16_t* coarse(int rounding_x, int bits_y) const {
    return coarse_.data() + stride_ * (kClasses * rounding_x + bits_y / 2);
  }

  // Returns the least element of coarse().
  std::uint16_t least_coarse(int bits_y) const {
    return static_cast<std::uint16_t>(lambda_ * (1 + bits_y) / 32);
  }

  // Returns lambda times the bits of a component that is `step` = 1 or 2 quarter samples less, and
  // more, than `difference` from the predictor, and twice those of `difference`. Valid for
  // candidates of the window, and for those less than a sample around them.
  const std::uint32_t* rates_around(int difference, int step) const {
    return rates_around_[step - 1].data()[difference + 4 * (range_ + 1)].data();
  }

  // Returns all rows of a window.
  const std::vector<RowGroup>& groups(int rounding_y) const { return groups_[rounding_y]; }

 private:
  // Numbers of bits of a component: odd and at most 21, because 4 * kMostRange + 2 has ten binary
  // digits.
  static constexpr int kClasses = 11;

  // Largest number of bits of a row that is near the predictor: less than four samples from it. A
  // limit of two or eight changes a search's time by 1 to 2 %
  // (docs/experiments/motion_rows_near_the_predictor.md).
  static constexpr int kNearBits = 9;

  RowGroup make_group(int rounding, int first) const;

  const int range_;
  const int lambda_;
  const std::size_t stride_;
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint16_t> coarse_;
  std::vector<std::array<std::uint32_t, 4>> rates_around_[2];
  std::vector<RowGroup> groups_[4];
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_CPU_SEARCH_RATES_H_
