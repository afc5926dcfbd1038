// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/fast_search/fast_search.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <millrace/algorithms/motion_estimation/fast_search/fast_search_patterns.h>
#include <millrace/algorithms/motion_estimation/fast_search/fast_search_window.h>
#include <millrace/algorithms/motion_estimation/fast_search/half_sample_picture.h>

namespace millrace::motion {
namespace {

// Returns the smallest partition that contains another one as a half and is searched before it.
int parent_of(int partition) {
  const Partition part = partition_at(partition);
  for (int other = partition - 1; other > 0; --other) {
    const Partition whole = partition_at(other);
    const bool is_inside = part.x >= whole.x && part.x + part.width <= whole.x + whole.width &&
                           part.y >= whole.y && part.y + part.height <= whole.y + whole.height;
    if (is_inside && whole.width * whole.height == 2 * part.width * part.height) return other;
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
      case SearchPattern::kFull: window_.look_at_all(); break;
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
      const std::size_t place = MotionField::index(macroblock, partition);
      field.vectors[place] = found.vector;
      field.costs[place] = found.cost;
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
    const std::size_t place = MotionField::index(macroblock, partition);
    const MotionVector& vector = field.vectors[place];
    const std::uint32_t distortion_cost =
        field.costs[place] - vector_cost(vector, predictor_of(frame, macroblock), options.lambda);
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
