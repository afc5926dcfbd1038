// The distortion of a macroblock against any place of the reference, with the filters of
// motion_interpolate_inl.h. A part of motion_refine_simd.cc.

#include <hwy/highway.h>
#include <millrace/algorithms/motion_estimation/mode_choice.h>
#include <millrace/algorithms/motion_estimation/motion_interpolate_inl.h>
#include <millrace/algorithms/motion_estimation/motion_search.h>
#include <millrace/algorithms/motion_estimation/motion_window.h>
#include <millrace/algorithms/motion_estimation/quarter_sample.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SKIP_INL_H_)
#ifndef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SKIP_INL_H_
#define MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SKIP_INL_H_
#else
#undef MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SKIP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::motion {
namespace HWY_NAMESPACE {
namespace {

template <class Sample>
class SkipDistortion {
 public:
  SkipDistortion(const SearchFrame<Sample>& frame, Precision precision)
      : frame_(frame), precision_(precision) {}

  std::uint32_t of(std::size_t macroblock) {
    const auto per_row = static_cast<std::size_t>(frame_.current.macroblocks_per_row());
    const MotionVector vector = skip_vector(predictor_of(frame_, macroblock), precision_);
    const int x = static_cast<int>(macroblock % per_row) * kMacroblockWidth + (vector.x >> 2);
    const int y = static_cast<int>(macroblock / per_row) * kMacroblockWidth + (vector.y >> 2);
    const Sample* const current = frame_.current.macroblock(macroblock);
    if (precision_ == Precision::kInteger) {
      window_.move(frame_.reference, x, y, kMacroblockWidth, kMacroblockWidth);
      return sad(current);
    }
    window_.move(frame_.reference, x - Filter::kBefore, y - Filter::kBefore,
                 Filter::kBefore + kPairs + Filter::kSlack,
                 Filter::kBefore + kRows + Filter::kBehind);
    for (int row = 0; row < kRows; ++row) {
      filter_.run(window_, Filter::kBefore, row, kPairs, pairs_[0][row], pairs_[1][row]);
    }
    return satd(current, vector.x & 3, vector.y & 3);
  }

 private:
  using Filter = Interpolation<Sample>;

  // Samples up to the one right of and below the macroblock's last.
  static constexpr int kRows = kMacroblockWidth + 1;
  static constexpr int kPairs = 32;

  std::uint32_t sad(const Sample* current) const {
    int sum = 0;
    for (int y = 0; y < kMacroblockWidth; ++y) {
      const Sample* const row = window_.row(y);
      for (int x = 0; x < kMacroblockWidth; ++x) sum += std::abs(current[x] - row[x]);
      current += frame_.current.stride;
    }
    return static_cast<std::uint32_t>(sum);
  }

  // Of what is this many quarters right of and below the window's whole samples.
  std::uint32_t satd(const Sample* current, int quarters_x, int quarters_y) const {
    // The half samples around. In the middle of four, the mean is of b and h.
    int first_x = quarters_x / 2;
    int second_x = (quarters_x + 1) / 2;
    const int first_y = quarters_y / 2;
    const int second_y = (quarters_y + 1) / 2;
    if (quarters_y % 2 != 0 && (first_x + first_y) % 2 == 0) std::swap(first_x, second_x);
    std::uint32_t sum = 0;
    for (int y = 0; y < kMacroblockWidth; y += 4) {
      for (int x = 0; x < kMacroblockWidth; x += 4) {
        int differences[16];
        for (int i = 0; i < 16; ++i) {
          const int bx = x + i % 4;
          const int by = y + i / 4;
          const int mean = (half_sample(2 * bx + first_x, 2 * by + first_y) +
                            half_sample(2 * bx + second_x, 2 * by + second_y) + 1) >>
                           1;
          differences[i] = current[by * frame_.current.stride + bx] - mean;
        }
        sum += satd_4x4(differences);
      }
    }
    return sum;
  }

  int half_sample(int x, int y) const { return pairs_[y % 2][y / 2][x]; }

  const SearchFrame<Sample>& frame_;
  const Precision precision_;
  SearchWindow<Sample> window_;
  Filter filter_;
  Sample pairs_[2][kRows][2 * kPairs];
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::motion
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_MOTION_ESTIMATION_MOTION_SKIP_INL_H_
