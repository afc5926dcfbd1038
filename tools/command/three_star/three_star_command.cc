// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/three_star/placement/limits/limited_placement.h>
#include <millrace/algorithms/three_star/placement/placement.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/files/report_files.h>
#include <millrace/tools/command/common/interrupt_stop.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/three_star/limits/placement_inputs.h>
#include <millrace/tools/command/three_star/network/network_nodes.h>
#include <millrace/tools/command/three_star/network/relay_page.h>
#include <millrace/tools/command/three_star/points/point_notes.h>
#include <millrace/tools/command/three_star/relay_map.h>
#include <millrace/tools/command/three_star/result_files.h>
#include <millrace/tools/command/three_star/star_inputs.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/command/three_star/three_star_command.h>
#include <millrace/tools/command/three_star/three_star_options.h>
#include <millrace/tools/command/three_star/three_star_rank.h>
#include <millrace/tools/command/three_star/three_star_search.h>
#include <millrace/tools/command/three_star/write_relays.h>
#include <millrace/tools/files/names/file_name.h>

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

struct Result {
  std::string points;  // Name of the points for messages.
  std::string device;
  StarResult stars = {};
  std::optional<three_star::Placement> placement = {};
  std::optional<PointNotes> notes = {};  // Set for points from a file.
};

std::string hex(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, number);
  return text;
}

// "0", "1", "2..3", "4..7".
std::string bin_name(std::size_t bin) {
  if (bin < 2) return std::to_string(bin);
  const std::uint64_t first = std::uint64_t{1} << (bin - 1);
  return std::to_string(first) + ".." + std::to_string(2 * first - 1);
}

nlohmann::json to_json(const three_star::Placement& placement, const SensorGrid& grid,
                       const PlacementInputs& limits) {
  const auto joining = std::count_if(placement.relays.begin(), placement.relays.end(),
                                     [](const auto& relay) { return relay.joins_three; });
  return {{"relays", placement.relays.size()},
          {"relays_joining_three", joining},
          {"tree_relays", placement.tree_relays},
          {"three_star_relays", placement.three_star_relays},
          {"components", placement.components},
          {"candidates", placement.candidates},
          {"thinned", placement.is_thinned},
          {"connected", placement.is_connected},
          {"method", describe(placement.method)},
          {"seconds", placement.seconds},
          {"fixed_relays", grid.relays().size()},
          {"fixed_relays_used", placement.fixed.size()},
          {"own_ranges", limits.own_ranges},
          {"listed_links", limits.links.size()},
          {"forbidden_polygons", limits.polygons.size()}};
}

nlohmann::json to_json(const ThreeStarOptions& options, const SensorGrid& grid,
                       const PlacementInputs& limits, const Result& result) {
  const three_star::SearchReport& search = result.stars.search;
  nlohmann::json json = {{"file", options.file},
                         {"points", grid.inputs()},
                         {"radius", grid.input_radius()},
                         {"grid", grid.step()},
                         {"grid_radius", grid.radius()},
                         {"rounded", grid.is_rounded()},
                         {"three_stars", search.three_stars},
                         {"pairs", search.pairs},
                         {"searched", !options.has_stars},
                         {"seconds", search.seconds},
                         {"device", result.device},
                         {"devices", portions_json(search.portions)},
                         {"policy", to_string(search.policy)},
                         {"form", nullptr},
                         {"host_corners", search.host_corners},
                         {"tasks", search.tasks},
                         {"bytes_up", search.bytes_up},
                         {"bytes_down", search.bytes_down}};
  if (search.form) json["form"] = to_string(*search.form);
  if (result.notes) {
    json["duplicates"] = result.notes->duplicates;
    json["comment_lines"] = result.notes->comment_lines;
    if (grid.is_lat_lng()) json["at_zero"] = result.notes->at_zero;
  }
  if (grid.is_lat_lng()) {
    const ScaleRange scale = grid.scale();
    json["projection"] = grid.projection_name();
    json["regions"] = grid.regions();
    json["distance_error"] = std::max(scale.most - 1, 1 - scale.least);
  }
  if (result.stars.set_hash) {
    json["set_hash"] = hex(*result.stars.set_hash);
    json["histogram"] = result.stars.histogram;
  }
  if (result.placement) json["placement"] = to_json(*result.placement, grid, limits);
  return json;
}

void print_placement(const three_star::Placement& placement, const SensorGrid& grid) {
  std::printf("placement: %s%s\n", describe(placement.method),
              placement.is_thinned ? " (of dense points, some candidates were left out)" : "");
  std::printf("components  candidates  relays  by the tree alone  by 3-stars   seconds\n");
  std::printf("%10" PRIu64 "  %10" PRIu64 "  %6zu  %17" PRIu64 "  %10" PRIu64 "  %8.3f\n",
              placement.components, placement.candidates, placement.relays.size(),
              placement.tree_relays, placement.three_star_relays, placement.seconds);
  if (grid.relays().empty()) return;
  std::printf("of %zu relays that existed, %zu are used\n", grid.relays().size(),
              placement.fixed.size());
}

void print_table(const ThreeStarOptions& options, const SensorGrid& grid, const Result& result) {
  const three_star::SearchReport& search = result.stars.search;
  std::printf("%s: %zu points, radius %.9g%s\n", result.points.c_str(), grid.inputs(),
              grid.input_radius(), grid.is_lat_lng() ? " m" : "");
  if (grid.is_lat_lng()) std::printf("%s\n", grid.projection_summary().c_str());
  if (grid.is_rounded()) {
    std::printf("points are rounded to a grid of %.9g; the radius is %d of its steps\n",
                grid.step(), grid.radius());
  }
  if (result.notes) std::fputs(result.notes->text().c_str(), stdout);
  if (grid.inputs() < 3) std::printf("fewer than three points make no 3-star\n");
  std::printf("device    policy                   seconds         3-stars  set hash\n");
  std::printf("%-8s  %-20s  %10.4f  %14" PRIu64 "  %s\n", result.device.c_str(),
              to_string(search.policy), search.seconds, search.three_stars,
              result.stars.set_hash ? hex(*result.stars.set_hash).c_str() : "-");
  print_device_portions(search.portions);
  if (search.host_corners > 0) {
    std::printf("%" PRIu64
                " points have too many neighbours for the device: the host searched "
                "theirs\n",
                search.host_corners);
  }
  if (!result.stars.histogram.empty()) std::printf("3-stars of a point      points\n");
  for (std::size_t bin = 0; bin < result.stars.histogram.size(); ++bin) {
    std::printf("%18s  %10" PRIu64 "\n", bin_name(bin).c_str(), result.stars.histogram[bin]);
  }
  if (result.placement) print_placement(*result.placement, grid);
  const char* lead = "wrote ";
  for (const std::string& path :
       {options.out, options.relays, options.svg, options.png, options.map,
        options.common.json_path, options.common.trace_path}) {
    if (!path.empty()) std::printf("%s%s\n", std::exchange(lead, "      "), path.c_str());
  }
}

void place(Queue& queue, const ThreeStarOptions& options, const StarInputs& input,
           const InterruptGuard& interrupt, Result& result, ResultFiles& files) {
  const SensorGrid& grid = input.grid;
  {
    const TimelineScope scope("host place", "relays");
    const InterruptStop stop(interrupt);
    result.placement = three_star::place_relays(queue, grid.points(), grid.radius(),
                                                input.limits.limits(grid), stop.token());
  }
  if (interrupt.interrupted()) throw Error(ErrorCode::kCancelled, "interrupted");
  if (!result.placement->is_connected) {
    throw Error(ErrorCode::kInternal, "the relays do not connect all points");
  }
  if (files.relays) {
    write_relays(*result.placement, grid, relay_format_of(options.relays), files.relays->stream());
  }
  if (files.map) {
    write_relay_page({grid, *result.placement}, grid, input.limits.polygons, files.map->stream());
  }
  if (!files.svg && !files.png) return;
  const RelayMap map(grid, *result.placement);
  if (files.svg) write_svg(map, files.svg->stream());
  if (files.png) write_png(draw(map), files.png->stream());
}

StarResult find(Queue& queue, StarSource& source, const ThreeStarOptions& options,
                const SensorGrid& grid, ResultFiles& files) {
  if (!files.stars) return search_stars(source, grid.inputs(), options.is_hashed);
  const StarOutput output = {queue, source, grid, options.is_hashed, options.is_sorted};
  return is_of_chunks(options.out) ? write_chunks(output, *files.stars)
                                   : write_lines(output, *files.stars);
}

Result run_on(const DeviceGroup& group, StarSource& source, const ThreeStarOptions& options,
              const StarInputs& input, const InterruptGuard& interrupt, ResultFiles& files) {
  Result result = {
      .points = options.file.empty() ? "random" : shown_name(options.file, NameUse::kInput),
      .device = group.name()};
  Queue& queue = group.queue(0);
  result.stars = find(queue, source, options, input.grid, files);
  if (options.is_placed) place(queue, options, input, interrupt, result, files);
  return result;
}

// Returns true if standard output has a result, so that no table is printed.
bool is_quiet(const ThreeStarOptions& options) {
  return has_standard_output({options.out, options.relays, options.svg, options.png, options.map,
                              options.common.json_path, options.common.trace_path});
}

// Finds the 3-stars of `source` and writes all files; on rank 0, or the only one.
void search_and_write(const DeviceGroup& group, StarSource& source, const ThreeStarOptions& options,
                      const StarInputs& input, const PointNotes& notes,
                      const InterruptGuard& interrupt) {
  ResultFiles files(options);
  ReportFiles reports(options.common);
  Result result = run_on(group, source, options, input, interrupt, files);
  if (!options.file.empty() && !options.has_stars) result.notes = notes;
  reports.commit(files.all(), to_json(options, input.grid, input.limits, result));
  if (!is_quiet(options)) print_table(options, input.grid, result);
}

// Runs rank 0, for which others wait. Returns what it throws, or null.
std::exception_ptr run_first_rank(const ThreeStarOptions& options, ThreeStarRank& rank) {
  std::exception_ptr error;
  try {
    search_and_write(*rank.group, rank.source(), options, *rank.input, rank.notes, *rank.interrupt);
  } catch (...) {
    error = std::current_exception();
  }
  if (rank.shared) rank.shared->end();
  return error;
}

void run_rank(ThreeStarOptions& options, Communicator& world) {
  ThreeStarRank rank;
  together(world, [&] { prepare(options, world, rank); });
  const std::span<const three_star::Point> points = rank.input->grid.points();
  ArgumentCheck(world, "millrace three-star")
      .add("the points", {reinterpret_cast<const char*>(points.data()), points.size_bytes()})
      .compare();
  std::exception_ptr error;
  if (world.rank() == 0) {
    error = run_first_rank(options, rank);
  } else if (rank.shared) {
    rank.shared->serve();
  }
  try {
    agree(world, error);
  } catch (const Error&) {
    if (const int signal = signal_of_any(world, *rank.interrupt)) {
      if (world.rank() == 0) {
        std::cerr << "millrace: " << interruption(signal) << "; nothing was written\n";
      }
      throw ExitStatus(128 + signal);
    }
    throw;
  }
}

void run(ThreeStarOptions options) {
  Communicator& world = world_communicator();
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_three_star_command(Command& root) {
  Command& command = root.add_subcommand<ThreeStarOptions>(
      "three-star", "Find the triples of points that one relay can connect, and place relays",
      add_three_star_options, run);
  command.set_footer(
      "A 3-star is three points that are further than R from each other, on a circle whose radius "
      "is\n"
      "at most R: one relay in its middle receives all three.");
}

}  // namespace millrace::tools
