// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/fast_search_window.h>

#include <algorithm>
#include <limits>

namespace millrace::motion {
namespace {

constexpr std::uint32_t kNoCost = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <class Sample>
FastSearchWindow<Sample>::FastSearchWindow(const SearchFrame<Sample>& frame,
                                           const HalfSamplePicture<Sample>& reference,
                                           const SearchOptions& options)
    : frame_(frame),
      reference_(reference),
      options_(options),
      rates_(2 * kMostDifference + 1),
      epochs_(std::size_t{4} * options.range * options.range),
      row_rates_(2 * options.range + CandidateRow<Sample>::kExtra,
                 CandidateRow<Sample>::kExtraRate),
      row_costs_(row_rates_.size()) {
  for (int difference = -kMostDifference; difference <= kMostDifference; ++difference) {
    rates_[kMostDifference + difference] =
        static_cast<std::uint32_t>(options.lambda * difference_bits(difference));
  }
}

template <class Sample>
void FastSearchWindow<Sample>::open(std::size_t macroblock, const Partition& partition,
                                    const MotionVector& predictor) {
  const LumaPlane<Sample>& current = frame_.current;
  const auto column = static_cast<int>(macroblock) % current.macroblocks_per_row();
  const auto row = static_cast<int>(macroblock) / current.macroblocks_per_row();
  x_ = kMacroblockWidth * column + partition.x;
  y_ = kMacroblockWidth * row + partition.y;
  block_ = {current.data + y_ * current.stride + x_, current.stride};
  size_ = {partition.width, partition.height};
  predictor_ = predictor;
  centre_ = {window_centre(predictor.x), window_centre(predictor.y)};
  best_cost_ = kNoCost;
  ++epoch_;
}

template <class Sample>
void FastSearchWindow<Sample>::evaluate(const WholeVector& candidate) {
  const int range = options_.range;
  const int column = candidate.x - centre_.x + range;
  const int row = candidate.y - centre_.y + range;
  if (column < 0 || column >= 2 * range || row < 0 || row >= 2 * range) return;
  std::uint32_t& epoch = epochs_[2 * range * row + column];
  if (epoch == epoch_) return;
  epoch = epoch_;
  const Samples<Sample> candidate_block =
      reference_.whole_block(x_ + candidate.x, y_ + candidate.y);
  const std::uint32_t cost =
      32 * distance_.sad(block_, candidate_block, size_) + rate(4 * candidate.x, 4 * candidate.y);
  if (cost >= best_cost_) return;
  best_ = candidate;
  best_cost_ = cost;
}

// Rows have CandidateRow::kExtra samples more than the partition touches.
template <class Sample>
void FastSearchWindow<Sample>::copy_window() {
  const LumaPlane<Sample>& plane = frame_.reference;
  const int left = x_ + centre_.x - options_.range;
  const int top = y_ + centre_.y - options_.range;
  const int width = 2 * options_.range + size_.width + CandidateRow<Sample>::kExtra;
  const int height = 2 * options_.range + size_.height;
  samples_.resize(static_cast<std::size_t>(width) * height);
  const int before = std::clamp(-left, 0, width);
  const int after = std::clamp(left + width - plane.width, 0, width);
  Sample* to = samples_.data();
  for (int y = top; y < top + height; ++y) {
    const Sample* const row = plane.data + std::clamp(y, 0, plane.height - 1) * plane.stride;
    if (after == width) {
      to = std::fill_n(to, width, row[plane.width - 1]);
      continue;
    }
    to = std::fill_n(to, before, row[0]);
    if (before == width) continue;
    to = std::copy_n(row + left + before, width - before - after, to);
    to = std::fill_n(to, after, row[plane.width - 1]);
  }
}

template <class Sample>
void FastSearchWindow<Sample>::evaluate_all() {
  copy_window();
  const int count = 2 * options_.range;
  const WholeVector first = {centre_.x - options_.range, centre_.y - options_.range};
  for (int i = 0; i < count; ++i) row_rates_[i] = rate(4 * (first.x + i) - predictor_.x);
  const std::ptrdiff_t stride = count + size_.width + CandidateRow<Sample>::kExtra;
  for (int row = 0; row < count; ++row) {
    const std::uint32_t row_rate = rate(4 * (first.y + row) - predictor_.y);
    const std::uint32_t least = distance_.row_costs(
        block_, size_, {{samples_.data() + row * stride, stride}, count, row_rates_.data()},
        row_costs_.data());
    if (least + row_rate >= best_cost_) continue;
    const auto at = std::find(row_costs_.begin(), row_costs_.end(), least);
    best_ = first + WholeVector{static_cast<int>(at - row_costs_.begin()), row};
    best_cost_ = least + row_rate;
  }
}

// Returns the best of nine candidates at a distance of `step` quarter samples.
template <class Sample>
MotionEstimate FastSearchWindow<Sample>::refine(const MotionVector& centre, int step) const {
  MotionEstimate best{centre, kNoCost};
  for (int y = centre.y - step; y <= centre.y + step; y += step) {
    for (int x = centre.x - step; x <= centre.x + step; x += step) {
      const MotionVector vector{static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)};
      const std::uint32_t cost = 32 * distortion(vector) + rate(x, y);
      if (cost < best.cost) best = {vector, cost};
    }
  }
  return best;
}

template <class Sample>
MotionEstimate FastSearchWindow<Sample>::refined() const {
  const MotionVector whole{static_cast<std::int16_t>(4 * best_.x),
                           static_cast<std::int16_t>(4 * best_.y)};
  if (options_.precision == Precision::kInteger) return {whole, best_cost_};
  const MotionEstimate half = refine(whole, 2);
  return options_.precision == Precision::kHalf ? half : refine(half.vector, 1);
}

template <class Sample>
std::uint32_t FastSearchWindow<Sample>::distortion(const MotionVector& vector) const {
  alignas(64) Sample storage[kMacroblockWidth * kMacroblockWidth];
  const Samples<Sample> candidate_block =
      reference_.block(4 * x_ + vector.x, 4 * y_ + vector.y, size_, storage);
  if (options_.precision == Precision::kInteger)
    return distance_.sad(block_, candidate_block, size_);
  return distance_.satd(block_, candidate_block, size_);
}

template class FastSearchWindow<std::uint8_t>;
template class FastSearchWindow<std::uint16_t>;

}  // namespace millrace::motion
