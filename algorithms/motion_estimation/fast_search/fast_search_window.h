// SPDX-License-Identifier: Apache-2.0

// The candidates of one partition, evaluated one by one or all.
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

// A vector in whole samples.
struct WholeVector {
  int x = 0;
  int y = 0;

  friend bool operator==(const WholeVector&, const WholeVector&) = default;
  friend WholeVector operator+(const WholeVector& a, const WholeVector& b) {
    return {a.x + b.x, a.y + b.y};
  }
};

// The search window of motion_search.h. Used by one thread; refers to its constructor's arguments.
template <class Sample>
class FastSearchWindow {
 public:
  FastSearchWindow(const SearchFrame<Sample>& frame, const HalfSamplePicture<Sample>& reference,
                   const SearchOptions& options);

  // Moves the window to a partition with a limited predictor. No candidate is evaluated yet.
  void open(std::size_t macroblock, const Partition& partition, const MotionVector& predictor);

  WholeVector centre() const { return centre_; }
  int range() const { return options_.range; }

  // Evaluates a candidate and keeps it if it costs less than those before. Ignores one outside the
  // window and one that was evaluated before.
  void evaluate(const WholeVector& candidate);

  // Evaluates all candidates in raster order.
  void evaluate_all();

  // Returns the best candidate so far; at least one was evaluated.
  WholeVector best() const { return best_; }
  std::uint32_t best_cost() const { return best_cost_; }

  // Returns the best candidate, refined to the precision of the options as search_motion() does.
  MotionEstimate refined() const;

  // Returns the partition's distortion at a vector, in the metric of the precision.
  std::uint32_t distortion(const MotionVector& vector) const;

 private:
  // Returns lambda * difference_bits.
  std::uint32_t rate(int difference) const { return rates_[kMostDifference + difference]; }
  std::uint32_t rate(int x, int y) const { return rate(x - predictor_.x) + rate(y - predictor_.y); }

  void copy_window();
  MotionEstimate refine(const MotionVector& centre, int step) const;

  // Bound of the difference between a refined candidate and the predictor, with a margin.
  static constexpr int kMostDifference = 4 * kMostRange + 8;

  const SearchFrame<Sample> frame_;
  const HalfSamplePicture<Sample>& reference_;
  const SearchOptions options_;
  const BlockDistance<Sample>& distance_ = block_distance<Sample>();
  std::vector<std::uint32_t> rates_;

  // The partition's samples.
  Samples<Sample> block_;
  BlockSize size_;
  int x_ = 0;
  int y_ = 0;
  MotionVector predictor_;
  WholeVector centre_;
  WholeVector best_;
  std::uint32_t best_cost_ = 0;

  // The last epoch in which each candidate was evaluated; each open() begins an epoch.
  std::vector<std::uint32_t> epochs_;
  std::uint32_t epoch_ = 0;

  // For evaluate_all(): the reference's samples below the window, and a row of candidates.
  std::vector<Sample> samples_;
  std::vector<std::uint32_t> row_rates_;
  std::vector<std::uint32_t> row_costs_;
};

}  // namespace millrace::motion

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_FAST_SEARCH_FAST_SEARCH_WINDOW_H_
