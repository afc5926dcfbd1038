// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/cpu/motion_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "algorithms/motion_estimation/cpu/motion_simd.cc"
#include <millrace/algorithms/motion_estimation/cpu/motion_targets.h>
// Highway requires this after foreach_target.h:
#include <millrace/algorithms/motion_estimation/cpu/integer_search_inl.h>
#include <millrace/algorithms/motion_estimation/cpu/sads_inl.h>

#include <hwy/highway.h>

#include <algorithm>
#include <chrono>
#include <memory>

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

template <class Sample, class S>
class RowSearch {
 public:
  RowSearch(const SearchFrame<Sample>& frame, const SearchRates& rates)
      : frame_(frame), rates_(rates), integer_(rates) {}

  void search(std::size_t macroblock, const MotionField& field) {
    const Sample* const samples = frame_.current.macroblock(macroblock);
    for (int y = 0; y < kMacroblockWidth; ++y) {
      std::copy_n(samples + y * frame_.current.stride, kMacroblockWidth,
                  current_ + kMacroblockWidth * y);
    }
    const MotionVector predictor = predictor_of(frame_, macroblock);
    const int left = window_centre(predictor.x) - rates_.range();
    const int top = window_centre(predictor.y) - rates_.range();
    const std::ptrdiff_t offset = samples - frame_.current.data;
    const int x = static_cast<int>(offset % frame_.current.stride);
    const int y = static_cast<int>(offset / frame_.current.stride);
    const int size = 2 * rates_.range();
    // Wide enough for vectors that begin at the last column, with the eight that two of them share.
    window_.move(frame_.reference, x + left, y + top, size + 2 * SearchRates::kPadding + 8,
                 size + 2 * kMacroblockWidth);
    Candidate best[kPartitions];
    integer_.search({rates_, current_, window_, predictor}, best);
    for (int p = 0; p < kPartitions; ++p) {
      const std::size_t index = MotionField::index(macroblock, p);
      field.costs[index] = best[p].cost;
      field.vectors[index] = {static_cast<std::int16_t>(4 * (left + best[p].x)),
                              static_cast<std::int16_t>(4 * (top + best[p].y))};
    }
  }

 private:
  const SearchFrame<Sample>& frame_;
  const SearchRates& rates_;
  IntegerSearch<Sample, S> integer_;
  SearchWindow<Sample> window_;
  alignas(64) Sample current_[kMacroblockWidth * kMacroblockWidth];
};

template <class S, class Sample>
void search_macroblocks(const SearchFrame<Sample>& frame, const SearchRates& rates, int row,
                        const MotionField& field) {
  const auto search = std::make_unique<RowSearch<Sample, S>>(frame, rates);
  const auto per_row = static_cast<std::size_t>(frame.current.macroblocks_per_row());
  for (std::size_t column = 0; column < per_row; ++column) {
    search->search(per_row * row + column, field);
  }
}

#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 && HWY_TARGET <= HWY_SSE4
constexpr bool kHasEights = true;

// Returns the shortest time of a fixed number of sums of absolute differences.
template <class S>
double seconds_of_sums() {
  constexpr int kRows = 32;
  constexpr int kTimes = 8;
  using Clock = std::chrono::steady_clock;
  alignas(64) typename S::Element rows[(kRows + 4) * S::kMostRowElements] = {};
  const std::uint8_t current[4 * kMacroblockWidth] = {};
  auto shortest = Clock::duration::max();
  [[maybe_unused]] volatile std::uint16_t kept = 0;
  for (int time = 0; time < kTimes; ++time) {
    const auto start = Clock::now();
    for (int again = 0; again < kTimes; ++again) {
      // Prevents the compiler from reusing the sums.
      asm volatile("" : : "r"(rows), "r"(current) : "memory");
      const S sads(current, 0, 0);
      Sums smallest = hn::Set(SumTag(), SearchRates::kNever);
      for (int row = 0; row < kRows; ++row) {
        const PairSums sums = sads(rows + S::row_elements() * row);
        smallest = hn::Min(smallest, hn::Min(sums.left, sums.right));
      }
      kept = hn::GetLane(smallest);
    }
    shortest = std::min(shortest, Clock::now() - start);
  }
  return std::chrono::duration<double>(shortest).count();
}

bool eights_are_faster() {
  static const bool are_faster = seconds_of_sums<SadsByEights>() < seconds_of_sums<SadsByFours>();
  return are_faster;
}

#else

constexpr bool kHasEights = false;
using SadsByEights = Sads<std::uint8_t>;
bool eights_are_faster() { return false; }

#endif

}  // namespace

void search_row_8(const SearchFrame<std::uint8_t>& frame, const SearchRates& rates, int row,
                  const MotionField& field, SadsBy by) {
  if (kHasEights && (by == SadsBy::kFastest ? eights_are_faster() : by == SadsBy::kEights)) {
    search_macroblocks<SadsByEights>(frame, rates, row, field);
  } else {
    search_macroblocks<Sads<std::uint8_t>>(frame, rates, row, field);
  }
}

void search_row_10(const SearchFrame<std::uint16_t>& frame, const SearchRates& rates, int row,
                   const MotionField& field) {
  search_macroblocks<Sads<std::uint16_t>>(frame, rates, row, field);
}

}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::motion {

HWY_EXPORT(search_row_8);
HWY_EXPORT(search_row_10);

template <>
void search_row(const SearchFrame<std::uint8_t>& frame, const SearchRates& rates, int row,
                const MotionField& field, SadsBy by) {
  HWY_DYNAMIC_DISPATCH(search_row_8)(frame, rates, row, field, by);
}

template <>
void search_row(const SearchFrame<std::uint16_t>& frame, const SearchRates& rates, int row,
                const MotionField& field, SadsBy /*by*/) {
  HWY_DYNAMIC_DISPATCH(search_row_10)(frame, rates, row, field);
}

}  // namespace millrace::motion
#endif  // HWY_ONCE
