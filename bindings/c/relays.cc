// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/bindings/c/call.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace millrace::c {
namespace {

using three_star::Link;
using three_star::Placement;
using three_star::PlacementMethod;
using three_star::Point;

static_assert(sizeof(Point) == sizeof(millrace_point));
static_assert(sizeof(Link) == sizeof(millrace_link));

// The object of a millrace_placement.
struct PlacementObject {
  Placement placement;
  std::vector<millrace_relay> relays;
};

millrace_placement_method method_of(PlacementMethod method) {
  switch (method) {
    case PlacementMethod::kNothing: return MILLRACE_PLACEMENT_NOTHING;
    case PlacementMethod::kTree: return MILLRACE_PLACEMENT_TREE;
    case PlacementMethod::kThreeStar: break;
  }
  return MILLRACE_PLACEMENT_THREE_STAR;
}

}  // namespace

extern "C" {

millrace_status millrace_place_relays(millrace_queue* queue, const millrace_point* sensors,
                                      size_t count, int32_t radius,
                                      millrace_placement** placement) {
  return call([&] {
    check_not_null(placement, "placement");
    if (count > 0) check_not_null(sensors, "sensors");
    const std::span<const Point> given(reinterpret_cast<const Point*>(sensors), count);
    auto made = std::make_shared<PlacementObject>();
    made->placement = three_star::place_relays(*find_queue(queue), given, radius);
    for (const three_star::Relay& relay : made->placement.relays) {
      made->relays.push_back(
          {relay.position.x, relay.position.y, relay.joins_three ? 1 : 0, /*unused=*/0});
    }
    *placement = make_handle<millrace_placement>(HandleKind::kPlacement, std::move(made));
  });
}

millrace_status millrace_placement_get(const millrace_placement* placement,
                                       millrace_placement_info* info) {
  return call([&] {
    const auto object =
        find_handle<PlacementObject>(placement, {HandleKind::kPlacement, "placement"});
    auto whole = read_struct(info, "info", &millrace_placement_info::links);
    const Placement& found = object->placement;
    whole.method = method_of(found.method);
    whole.is_connected = found.is_connected ? 1 : 0;
    whole.components = found.components;
    whole.tree_relays = found.tree_relays;
    whole.three_star_relays = found.three_star_relays;
    whole.relay_count = object->relays.size();
    whole.link_count = found.links.size();
    whole.relays = object->relays.data();
    whole.links = reinterpret_cast<const millrace_link*>(found.links.data());
    write_struct(info, whole);
  });
}

millrace_status millrace_placement_free(millrace_placement* placement) {
  return call([&] { free_handle(placement, {HandleKind::kPlacement, "placement"}); });
}

}  // extern "C"

}  // namespace millrace::c
