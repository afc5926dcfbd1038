// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/assumed_growth.h>

#include <algorithm>
#include <cmath>

namespace millrace {

WorkFeatures assumed_growth(WorkFeatures known) {
  known.items = known.roots;
  known.waves = 1;
  if (!known.spawns || known.roots < 1) return known;
  constexpr double kOfARoot = 8;
  const double items = known.opens_joins ? 1 << 22 : 32'768;
  known.items = std::max(items, kOfARoot * known.roots);
  const double of_a_root = known.items / known.roots;
  const bool are_chains = known.roots > 1 && !known.opens_joins;
  known.waves = are_chains ? of_a_root : std::ceil(std::log2(of_a_root)) + 1;
  known.item_seconds = 1e-6;
  return known;
}

}  // namespace millrace
