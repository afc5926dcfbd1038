// SPDX-License-Identifier: Apache-2.0

// The nodes of a placement: sensors, new relays, and relays that existed.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_NETWORK_NODES_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_NETWORK_NODES_H_

#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/algorithms/three_star/placement/position.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>
#include <millrace/tools/geography/sphere.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

enum class NodeKind : std::uint8_t { kSensor, kThreeStarRelay, kTreeRelay, kFixedRelay };

// The arguments of the constructor must outlive this object.
class NetworkNodes {
 public:
  NetworkNodes(const SensorGrid& grid, const three_star::Placement& placement)
      : grid_(grid), placement_(placement) {}

  std::size_t sensors() const { return grid_.points().size(); }
  std::size_t new_relays() const { return placement_.relays.size(); }
  std::size_t count() const { return sensors() + new_relays() + placement_.fixed.size(); }
  const std::vector<three_star::Link>& links() const { return placement_.links; }

  NodeKind kind(std::uint32_t node) const;

  // Returns the position in steps of the grid.
  three_star::Position position(std::uint32_t node) const;

  // Returns s and the index of a point in the file, r and the index of a relay, or f and the index
  // of a relay that existed in its file; all from 0 on.
  std::string name(std::uint32_t node) const;

  // Returns the position with a longitude from -180 to 180; of points with latitudes.
  LatLng lat_lng(std::uint32_t node) const;

  // Returns the length of a link in metres on the sphere; of points with latitudes.
  double metres(const three_star::Link& link) const;

  // Returns the names of the neighbours of each relay that is new, with blanks between them.
  std::vector<std::string> joins() const;

 private:
  const SensorGrid& grid_;
  const three_star::Placement& placement_;
};

// "three-star" or "tree" for new relays, "fixed" for others.
const char* to_string(NodeKind kind);

// Returns the shortest text that is exact: far from the origin, fewer digits would move a relay out
// of reach.
std::string coordinate_text(double number);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_NETWORK_NODES_H_
