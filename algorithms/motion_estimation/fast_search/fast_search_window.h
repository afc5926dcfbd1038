// SPDX-License-Identifier: Apache-2.0

// The candidates of one partition, looked at one by one or all.
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_WINDOW_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_WINDOW_H_

#include <millrace/algorithms/motion_estimation/fast_search/block_distance_simd.h>
#include <millrace/algorithms/motion_estimation/fast_search/coding_order.h>
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::motion {

// A place in whole samples.
struct WholeVector {
  int x = 0;
  int y = 0;

  friend bool operator==(const WholeVector&, const WholeVector&) = default;
  friend WholeVector operator+(const WholeVector& a, const WholeVector& b) {
    return {a.x + b.x, a.y + b.y};
  }
};

// The window of motion_search.h. Used by one thread; refers to what it is made of.
template <class Sample>
class FastSearchWindow {
 public:
  FastSearchWindow(const SearchFrame<Sample>& frame, const HalfSamplePicture<Sample>& reference,
                   const SearchOptions& options);

  // Moves it to a partition with a limited predictor. Nothing is looked at yet.
  void open(std::size_t macroblock, const Partition& partition, const MotionVector& predictor);

  WholeVector centre() const { return centre_; }
  int range() const { return options_.range; }

  // Takes a candidate where it costs less than those before. One outside the window, or that was
  // looked at before, is left out.
  void look_at(const WholeVector& candidate);

  // All candidates, in raster order.
  void look_at_all();

  // The best so far, where any was looked at.
  WholeVector best() const { return best_; }
  std::uint32_t best_cost() const { return best_cost_; }

  // The best candidate, refined to the precision of the options in the way of search_motion().
  MotionEstimate refined() const;

  // Of the partition at a vector, in the metric of the precision.
  std::uint32_t distortion(const MotionVector& vector) const;

 private:
  // lambda * difference_bits.
  std::uint32_t rate(int difference) const { return rates_[kMostDifference + difference]; }
  std::uint32_t rate(int x, int y) const { return rate(x - predictor_.x) + rate(y - predictor_.y); }

  void copy_window();
  MotionEstimate refine(const MotionVector& centre, int step) const;

  // From a candidate that is refined to the predictor, with some to spare.
  static constexpr int kMostDifference = 4 * kMostRange + 8;

  const SearchFrame<Sample> frame_;
  const HalfSamplePicture<Sample>& reference_;
  const SearchOptions options_;
  const BlockDistance<Sample>& distance_ = block_distance<Sample>();
  std::vector<std::uint32_t> rates_;

  // The partition.
  Samples<Sample> block_;
  BlockSize size_;
  int x_ = 0;
  int y_ = 0;
  MotionVector predictor_;
  WholeVector centre_;
  WholeVector best_;
  std::uint32_t best_cost_ = 0;

  // Of each candidate, the last turn in which it was looked at; each open() begins a turn.
  std::vector<std::uint32_t> looked_at_;
  std::uint32_t turn_ = 0;

  // Of look_at_all(): the reference's samples below the window, and a row of candidates.
  std::vector<Sample> samples_;
  std::vector<std::uint32_t> row_rates_;
  std::vector<std::uint32_t> row_costs_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_WINDOW_H_
