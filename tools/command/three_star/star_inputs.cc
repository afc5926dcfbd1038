// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/random_points.h>
#include <millrace/tools/command/three_star/star_inputs.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace millrace::tools {

StarInputs read_star_inputs(const ThreeStarOptions& options, const StarFile* stars,
                            PointNotes& notes) {
  if (stars != nullptr) {
    return {{stars->points(), stars->radius(), stars->units(), stars->origins()}};
  }
  std::optional<PointFile> relays;
  if (!options.fixed_relays.empty()) relays = read_points(options.fixed_relays);
  const auto with_limits = [&](const PointFile& file) -> StarInputs {
    SensorGrid grid(file, options.grid, relays ? &*relays : nullptr);
    if (options.is_placed) grid.check_placement();
    PlacementInputs limits = read_placement_inputs(options.links, options.forbidden, file, grid);
    return {std::move(grid), std::move(limits)};
  };
  if (!options.file.empty()) {
    const PointFile file = read_points(options.file, options.is_placed);
    StarInputs input = with_limits(file);
    notes = notes_of(file, input.grid.is_lat_lng());
    return input;
  }
  const std::int64_t width = options.width > 0 ? options.width : kDefaultWidth;
  const auto random = three_star::random_points(static_cast<std::size_t>(options.random),
                                                static_cast<std::int32_t>(width));
  return with_limits({PointColumns::kXY, three_star::positions_of(random)});
}

}  // namespace millrace::tools
