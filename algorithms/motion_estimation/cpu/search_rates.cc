// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/cpu/search_rates.h>

#include <algorithm>
#include <functional>

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
    for (int row = 0; row < 2 * range; row += RowGroup::kRows) {
      groups_[rounding].push_back(make_group(rounding, row));
    }
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

RowGroup SearchRates::make_group(int rounding, int first) const {
  RowGroup group;
  group.first = first;
  const int end = std::min(first + RowGroup::kRows, 2 * range_);
  for (int row = first; row < end; ++row) {
    const int row_bits = bits(rounding, row);
    if (group.runs.empty() || group.runs.back().bits != row_bits) {
      group.runs.push_back({row, 0, row_bits});
    }
    ++group.runs.back().count;
  }
  std::ranges::stable_sort(group.runs, std::greater(), &RowRun::bits);
  const auto near =
      std::ranges::find_if(group.runs, [](const RowRun& run) { return run.bits <= kNearBits; });
  group.far = static_cast<std::size_t>(near - group.runs.begin());
  return group;
}

}  // namespace millrace::motion
