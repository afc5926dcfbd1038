// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/nearest_name.h>

#include <algorithm>
#include <utility>

namespace millrace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j] is the distance of a's first i letters to b's first j ones (optimal string alignment).
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  // The dashes of options are no letters that could be misspelled.
  const auto letters = static_cast<std::size_t>(
      std::ranges::count_if(word, [](char letter) { return letter != '-'; }));
  std::string nearest;
  std::size_t least = std::max<std::size_t>(letters / 3, 1) + 1;
  if (letters < 2) return nearest;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace millrace
