// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/splitter.h>
#include <millrace/runtime/group/item_sharing.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace millrace::radix_sort {

std::vector<Splitter> choose_splitters(std::vector<Splitter> sample,
                                       std::span<const double> weights) {
  constexpr Splitter kFirst = {};
  constexpr Splitter kBehindAll = {std::numeric_limits<std::uint64_t>::max(),
                                   std::numeric_limits<std::uint64_t>::max()};
  const double all = sum_of_weights(weights);
  std::sort(sample.begin(), sample.end());
  std::vector<Splitter> splitters;
  double before = 0;
  for (std::size_t range = 0; range + 1 < weights.size(); ++range) {
    before += weights[range];
    const double rank = std::round(before / all * static_cast<double>(sample.size()));
    const auto index = static_cast<std::size_t>(rank);
    const bool is_left = std::any_of(weights.begin() + static_cast<std::ptrdiff_t>(range) + 1,
                                     weights.end(), [](double weight) { return weight > 0; });
    if (!is_left) {
      splitters.push_back(kBehindAll);
    } else if (before == 0 || index == 0) {
      splitters.push_back(kFirst);
    } else {
      // Clamped, because the range that follows has weight.
      splitters.push_back(sample[std::min(index, sample.size() - 1)]);
    }
  }
  return splitters;
}

}  // namespace millrace::radix_sort
