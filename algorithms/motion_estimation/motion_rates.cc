#include <millrace/algorithms/motion_estimation/motion_rates.h>

#include <algorithm>

namespace millrace::motion {

SearchRates::SearchRates(int range, int lambda)
    : range_(range), lambda_(lambda), stride_(static_cast<std::size_t>(2 * range + kPadding)) {
  for (int rounding = 0; rounding < 4; ++rounding) {
    for (int offset = -range; offset < range; ++offset) {
      bits_.push_back(static_cast<std::uint8_t>(difference_bits(4 * offset + rounding - 1)));
    }
  }
  for (int rounding = 0; rounding < 4; ++rounding) {
    for (int bits_y = 1; bits_y < 2 * kClasses; bits_y += 2) {
      for (int x = 0; x < 2 * range; ++x) {
        coarse_.push_back(static_cast<std::uint16_t>(lambda * (bits(rounding, x) + bits_y) / 32));
      }
      coarse_.insert(coarse_.end(), kPadding, kNever);
    }
    runs_[rounding] = make_runs(rounding);
  }
  const auto rate = [=](int difference) {
    return static_cast<std::uint32_t>(lambda * difference_bits(difference));
  };
  for (int step = 1; step <= 2; ++step) {
    for (int middle = -4 * (range + 1); middle <= 4 * (range + 1); ++middle) {
      rates_around_[step - 1].push_back(
          {rate(middle - step), rate(middle + step), rate(middle), rate(middle)});
    }
  }
}

// Even runs wherever enough rows have the same bits; the rows between them are uneven ones.
std::vector<RowRun> SearchRates::make_runs(int rounding) const {
  const auto same_from = [&](int first) {
    const int end = std::min(first + RowRun::kMost, 2 * range_);
    int row = first + 1;
    while (row < end && bits(rounding, row) == bits(rounding, first)) ++row;
    return row - first;
  };
  std::vector<RowRun> runs;
  for (int row = 0; row < 2 * range_;) {
    int count = same_from(row);
    const bool is_even = count >= RowRun::kLeastEven || row + count == 2 * range_;
    if (!is_even && !runs.empty() && !runs.back().is_even && runs.back().count < RowRun::kMost) {
      count = std::min(count, RowRun::kMost - runs.back().count);
      runs.back().count += count;
    } else {
      runs.push_back({row, count, is_even});
    }
    row += count;
  }
  return runs;
}

}  // namespace millrace::motion
