// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/relay_squares.h>

#include <algorithm>
#include <utility>

namespace millrace::three_star {

std::vector<std::uint32_t> RelaySquares::between_three_components() const {
  std::vector<std::uint32_t> between;
  for (const Square& square : squares()) {
    const std::uint32_t own = component_of(square);
    std::uint32_t other = own;
    bool are_three = false;
    for_each_near(square, [&](const Square& near) {
      const std::uint32_t component = component_of(near);
      if (component == own || component == other) return;
      are_three = are_three || other != own;
      other = component;
    });
    const auto some = members(square);
    if (are_three) between.insert(between.end(), some.begin(), some.end());
  }
  std::sort(between.begin(), between.end());
  return between;
}

RelaySquares::Triples RelaySquares::most_triples() const {
  Triples triples;
  std::vector<std::pair<std::uint32_t, double>>
      sensors_of;  // Number of sensors of each component near.
  for (const Square& square : squares()) {
    sensors_of.clear();
    const std::uint32_t own = component_of(square);
    double near = 0;
    for_each_near(square, [&](const Square& other) {
      const double sensors = other.end - other.begin;
      near += sensors;
      const std::uint32_t component = component_of(other);
      if (component == own) return;
      const auto of = std::find_if(sensors_of.begin(), sensors_of.end(),
                                   [&](const auto& each) { return each.first == component; });
      if (of == sensors_of.end()) {
        sensors_of.emplace_back(component, sensors);
      } else {
        of->second += sensors;
      }
    });
    double others = 0;
    double of_one = 0;
    for (const auto& [component, sensors] : sensors_of) {
      others += sensors;
      of_one += sensors * sensors;
    }
    // Each triple is counted at all three of its corners.
    const double sensors = square.end - square.begin;
    triples.all += sensors * near * near / 6;
    triples.of_three += sensors * (others * others - of_one) / 6;
  }
  return triples;
}

}  // namespace millrace::three_star
