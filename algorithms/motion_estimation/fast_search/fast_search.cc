// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/fast_search.h>
#include <millrace/algorithms/motion_estimation/fast_search/fast_search_window.h>
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace millrace::motion {
namespace {

constexpr WholeVector kSmallDiamond[] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
constexpr WholeVector kLargeDiamond[] = {{0, -2}, {-1, -1}, {1, -1}, {-2, 0},
                                         {2, 0},  {-1, 1},  {1, 1},  {0, 2}};
constexpr WholeVector kHexagon[] = {{-1, -2}, {1, -2}, {-2, 0}, {2, 0}, {-1, 2}, {1, 2}};
constexpr WholeVector kSixteenPoints[] = {{0, -4}, {-2, -3}, {2, -3}, {-4, -2}, {4, -2}, {-4, -1},
                                          {4, -1}, {-4, 0},  {4, 0},  {-4, 1},  {4, 1},  {-4, 2},
                                          {4, 2},  {-2, 3},  {2, 3},  {0, 4}};

// Limits of a start's cost, in sixteenths of the expected cost, below which only the last steps
// follow, or only those around the start.
constexpr std::uint64_t kConverged = 20;
constexpr std::uint64_t kNear = 28;

template <class Sample>
void evaluate_around(FastSearchWindow<Sample>& window, const WholeVector& middle,
                     std::span<const WholeVector> pattern, int scale = 1) {
  for (const WholeVector& point : pattern) {
    window.evaluate(middle + WholeVector{scale * point.x, scale * point.y});
  }
}

template <class Sample>
void move(FastSearchWindow<Sample>& window, std::span<const WholeVector> pattern) {
  WholeVector middle;
  do {
    middle = window.best();
    evaluate_around(window, middle, pattern);
  } while (window.best() != middle);
}

// Evaluates every other sample, as far to the sides as the window extends and half as far up and
// down.
template <class Sample>
void evaluate_cross(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int x = 1; x <= window.range(); x += 2) {
    window.evaluate(middle + WholeVector{-x, 0});
    window.evaluate(middle + WholeVector{x, 0});
  }
  for (int y = 1; y <= window.range() / 2; y += 2) {
    window.evaluate(middle + WholeVector{0, -y});
    window.evaluate(middle + WholeVector{0, y});
  }
}

template <class Sample>
void evaluate_square(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int y = -2; y <= 2; ++y) {
    for (int x = -2; x <= 2; ++x) window.evaluate(middle + WholeVector{x, y});
  }
}

template <class Sample>
void evaluate_hexagons(FastSearchWindow<Sample>& window) {
  const WholeVector middle = window.best();
  for (int scale = 1; scale <= window.range() / 4; ++scale) {
    evaluate_around<Sample>(window, middle, kSixteenPoints, scale);
  }
}

// Searches by Zhu and Ma, "A new diamond search algorithm for fast block-matching motion
// estimation", IEEE Transactions on Image Processing 9(2), 2000: from the centre, the large diamond
// until its middle is best, then the small one once.
template <class Sample>
void search_diamond(FastSearchWindow<Sample>& window) {
  window.evaluate(window.centre());
  move<Sample>(window, kLargeDiamond);
  evaluate_around<Sample>(window, window.best(), kSmallDiamond);
}

// Knowledge about a partition from others that were searched before.
struct SearchHints {
  std::span<const WholeVector> starts{};  // Candidates to evaluate beside the window's centre.
  std::uint32_t expected_cost = 0;        // 0 if unknown.
};

// Searches in the style of Chen, Zhou and He, "Fast integer-pel and fractional-pel motion
// estimation for H.264/AVC", Journal of Visual Communication and Image Representation 17(2), 2006
// (UMHexagonS): from the best of the starts, a cross that is twice as wide as high, all of 5x5,
// hexagons of 16 points in growing distance, and then a hexagon and a diamond that move until their
// middle is best. A start whose cost is close to the expected one skips the first of these steps.
template <class Sample>
void search_multi_hexagon(FastSearchWindow<Sample>& window, const SearchHints& hints) {
  window.evaluate(window.centre());
  for (const WholeVector& start : hints.starts) window.evaluate(start);
  evaluate_around<Sample>(window, window.best(), kSmallDiamond);
  const std::uint64_t cost = 16 * std::uint64_t{window.best_cost()};
  if (cost > kConverged * hints.expected_cost) {
    if (cost > kNear * hints.expected_cost) evaluate_cross(window);
    evaluate_square(window);
    if (cost > kNear * hints.expected_cost) evaluate_hexagons(window);
  }
  move<Sample>(window, kHexagon);
  move<Sample>(window, kSmallDiamond);
}

// Returns the smallest partition that contains another one as a half and is searched before it.
int parent_of(int partition) {
  const Partition inner = partition_at(partition);
  for (int other = partition - 1; other > 0; --other) {
    const Partition whole = partition_at(other);
    const bool is_inside = inner.x >= whole.x && inner.x + inner.width <= whole.x + whole.width &&
                           inner.y >= whole.y && inner.y + inner.height <= whole.y + whole.height;
    if (is_inside && whole.width * whole.height == 2 * inner.width * inner.height) return other;
  }
  return 0;
}

const std::array<int, kPartitions>& parents() {
  static const auto table = [] {
    std::array<int, kPartitions> parents{};
    for (int partition = 1; partition < kPartitions; ++partition) {
      parents[partition] = parent_of(partition);
    }
    return parents;
  }();
  return table;
}

// Searches the partitions of a frame, each after the one that contains it as a half.
template <class Sample>
class FrameSearch {
 public:
  FrameSearch(const SearchFrame<Sample>& frame, SearchPattern pattern, const SearchOptions& options)
      : columns_(static_cast<std::size_t>(frame.current.macroblocks_per_row())),
        pattern_(pattern),
        reference_(frame.reference),
        window_(frame, reference_, options),
        whole_costs_(frame.current.macroblock_count()) {}

  MotionEstimate estimate(std::size_t macroblock, int partition, const MotionVector& predictor) {
    window_.open(macroblock, partition_at(partition), predictor);
    switch (pattern_) {
      case SearchPattern::kFull: window_.evaluate_all(); break;
      case SearchPattern::kDiamond: search_diamond(window_); break;
      case SearchPattern::kMultiHexagon: search_with_hints(macroblock, partition); break;
    }
    return window_.refined();
  }

  FastSearchWindow<Sample>& window() { return window_; }

 private:
  struct Found {
    WholeVector vector;
    std::uint32_t cost = 0;
  };

  void search_with_hints(std::size_t macroblock, int partition) {
    const Found& parent = found_[parents()[partition]];
    const WholeVector starts[] = {{0, 0}, parent.vector};
    if (partition == 0) {
      search_multi_hexagon(window_, {{starts, 1}, cost_around(macroblock)});
      whole_costs_[macroblock] = window_.best_cost();
    } else {
      search_multi_hexagon(window_, {starts, parent.cost / 2});
    }
    found_[partition] = {window_.best(), window_.best_cost()};
  }

  // Returns the smaller cost of the macroblocks at the left and above.
  std::uint32_t cost_around(std::size_t macroblock) const {
    const bool has_left = macroblock % columns_ != 0;
    const bool has_above = macroblock >= columns_;
    const std::uint32_t left = has_left ? whole_costs_[macroblock - 1] : 0;
    const std::uint32_t above = has_above ? whole_costs_[macroblock - columns_] : 0;
    return has_left && has_above ? std::min(left, above) : std::max(left, above);
  }

  const std::size_t columns_;
  const SearchPattern pattern_;
  const HalfSamplePicture<Sample> reference_;
  FastSearchWindow<Sample> window_;
  std::vector<std::uint32_t> whole_costs_;  // Costs of the 16x16 partitions at whole samples.
  std::array<Found, kPartitions> found_{};  // This macroblock's results at whole samples.
};

// As estimate_in_coding_order(); the window measures P_Skip.
template <class Sample, class Estimate>
void code(const SearchFrame<Sample>& frame, const Estimate& estimate,
          FastSearchWindow<Sample>& window, const CodedMotion& motion,
          const SearchOptions& options) {
  const auto skip_distortion = [&](std::size_t macroblock, const MotionVector& vector) {
    window.open(macroblock, partition_at(0), {});
    return window.distortion(vector);
  };
  estimate_in_coding_order(frame.current.macroblocks_per_row(),
                           frame.current.height / kMacroblockWidth, {estimate, skip_distortion},
                           motion, options);
}

std::uint32_t vector_cost(const MotionVector& vector, const MotionVector& predictor, int lambda) {
  return motion_cost(0, lambda, vector.x - predictor.x, vector.y - predictor.y);
}

}  // namespace

template <class Sample>
void fast_search(const SearchFrame<Sample>& frame, SearchPattern pattern, const MotionField& field,
                 const SearchOptions& options) {
  FrameSearch<Sample> search(frame, pattern, options);
  for (std::size_t macroblock = 0; macroblock < frame.current.macroblock_count(); ++macroblock) {
    const MotionVector predictor = predictor_of(frame, macroblock);
    for (int partition = 0; partition < kPartitions; ++partition) {
      const MotionEstimate found = search.estimate(macroblock, partition, predictor);
      const std::size_t index = MotionField::index(macroblock, partition);
      field.vectors[index] = found.vector;
      field.costs[index] = found.cost;
    }
  }
}

template <class Sample>
void search_in_coding_order(const SearchFrame<Sample>& frame, SearchPattern pattern,
                            const CodedMotion& motion, const SearchOptions& options) {
  FrameSearch<Sample> search(frame, pattern, options);
  const auto estimate = [&](std::size_t macroblock, int partition, const MotionVector& predictor) {
    return search.estimate(macroblock, partition, predictor);
  };
  code(frame, estimate, search.window(), motion, options);
}

template <class Sample>
void cost_in_coding_order(const SearchFrame<Sample>& frame, const MotionField& field,
                          const CodedMotion& motion, const SearchOptions& options) {
  const HalfSamplePicture<Sample> reference(frame.reference);
  FastSearchWindow<Sample> window(frame, reference, options);
  const auto estimate = [&](std::size_t macroblock, int partition, const MotionVector& predictor) {
    const std::size_t index = MotionField::index(macroblock, partition);
    const MotionVector& vector = field.vectors[index];
    const std::uint32_t distortion_cost =
        field.costs[index] - vector_cost(vector, predictor_of(frame, macroblock), options.lambda);
    return MotionEstimate{vector, distortion_cost + vector_cost(vector, predictor, options.lambda)};
  };
  code(frame, estimate, window, motion, options);
}

template void fast_search(const SearchFrame<std::uint8_t>&, SearchPattern, const MotionField&,
                          const SearchOptions&);
template void fast_search(const SearchFrame<std::uint16_t>&, SearchPattern, const MotionField&,
                          const SearchOptions&);
template void search_in_coding_order(const SearchFrame<std::uint8_t>&, SearchPattern,
                                     const CodedMotion&, const SearchOptions&);
template void search_in_coding_order(const SearchFrame<std::uint16_t>&, SearchPattern,
                                     const CodedMotion&, const SearchOptions&);
template void cost_in_coding_order(const SearchFrame<std::uint8_t>&, const MotionField&,
                                   const CodedMotion&, const SearchOptions&);
template void cost_in_coding_order(const SearchFrame<std::uint16_t>&, const MotionField&,
                                   const CodedMotion&, const SearchOptions&);

}  // namespace millrace::motion
