// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/three_star/three_star_options.h>
#include <millrace/tools/command/three_star/three_star_search.h>
#include <millrace/tools/tables/decimal_number.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace millrace::tools {
namespace {

std::function<void(const std::string&)> positive_number(const std::string& option, double& number) {
  return [option, &number](const std::string& text) {
    if (parse_decimal_number(text, number) && number > 0) return;
    reject(option + " is '" + text + "'; give a number greater than 0");
  };
}

Projection parse_projection(const std::string& text) {
  if (text == "stereographic") return Projection::kStereographic;
  if (text == "equirectangular") return Projection::kEquirectangular;
  if (text == "mercator") return Projection::kMercator;
  reject("--projection is '" + text + "'; give stereographic, equirectangular or mercator");
}

three_star::StarForm parse_form(const std::string& text) {
  for (const three_star::StarForm form :
       {three_star::StarForm::kCompressed, three_star::StarForm::kRaw}) {
    if (text == to_string(form)) return form;
  }
  reject("--form is '" + text + "'; give compressed or raw");
}

void add_input_options(Command& command, ThreeStarOptions& options) {
  command.add_option(
      {.names = "POINTS",
       .help =
           "The points: a .npy array of N x 2; or a text table such as CSV, with two numbers a "
           "line or with columns named x and y, or lat and lng; or Points of GeoJSON or KML; or a "
           ".3star file that -o wrote, whose 3-stars are read instead of searched; - is standard "
           "input",
       .store = into(options.file),
       .files = OfferedFiles::kFiles});
  command.add_option({.names = "--radius",
                      .value_name = "R",
                      .help = "Distance that sensors and relays reach, in units of the points; in "
                              "metres for lat,lng",
                      .store = positive_number("--radius", options.grid.radius)});
  command.add_option(
      {.names = "--random",
       .value_name = "N",
       .help = "Search N random points, the same ones each time, instead of POINTS",
       .store = whole_number_in("--random", 1, std::numeric_limits<std::uint32_t>::max(),
                                options.random)});
  command.add_option({.names = "--width",
                      .value_name = "W",
                      .help = "Width of the square of random points (default: 2000)",
                      .store = whole_number_in(
                          "--width", 1, std::numeric_limits<std::int32_t>::max(), options.width)});
  command.add_option(
      {.names = "--projection",
       .value_name = "NAME",
       .help = "Projection of lat,lng: stereographic (default) uses as many regions as keep "
               "distances within 0.05 % of the sphere's; equirectangular, of all points at once, "
               "distorts distances from east to west; mercator distorts all directions alike",
       .store = [&options](
                    const std::string& text) { options.grid.projection = parse_projection(text); },
       .choices =
           [] {
             return std::vector<std::string>{"stereographic", "equirectangular", "mercator"};
           }});
  command.add_option({.names = "--grid",
                      .value_name = "STEP",
                      .help = "Round points to a grid of this width, on which the search is exact "
                              "(default: 1 for whole numbers, else R / 10000)",
                      .store = positive_number("--grid", options.grid.step)});
}

void add_run_options(Command& command, ThreeStarOptions& options) {
  add_device_option(command, options.device,
                    "Search on this device (`millrace devices` lists them), or on several that "
                    "share the work, with commas between their names (default: a GPU that can "
                    "search, else the CPU)");
  command.add_option(
      {.names = "--form",
       .value_name = "NAME",
       .help = "Form in which a GPU sends 3-stars to the host: compressed (default), or raw, three "
               "numbers each",
       .store = [&options](const std::string& text) { options.form = parse_form(text); },
       .choices =
           [] {
             return std::vector<std::string>{"compressed", "raw"};
           }});
  add_policy_option(
      command, [&options](const std::string& name) { options.policy = parse_policy(name); },
      "Schedule cells by this policy: persistent, uberkernel, kernel-per-type, or auto (default)");
  command.add_flag({.names = "--no-hash",
                    .help = "Only count, which is faster: print no set hash and no histogram",
                    .set = [&options] { options.is_hashed = false; }});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help =
                          "Write all 3-stars to FILE: compressed if it is named .3star, which "
                          "POINTS of another run can be; else as lines of three points, counted "
                          "from 0",
                      .store = into(options.out),
                      .files = OfferedFiles::kFiles});
  command.add_flag("--sorted", options.is_sorted,
                   "Sort the lines by their numbers (default: the order in which they are found)");
}

// Checks the options of the search, or of a file that has 3-stars already.
void check_search(const ThreeStarOptions& options) {
  const bool has_radius = options.grid.radius > 0;
  if (is_of_chunks(options.file) && !options.has_stars && std::filesystem::exists(options.file)) {
    reject(options.file + " is named .3star and has no 3-stars; give a file that -o wrote");
  }
  if (!options.has_stars && !has_radius) {
    reject(
        "--radius is required, the distance that sensors and relays reach; give it in the unit of "
        "the points, or in metres for lat,lng");
  }
  if (options.has_stars &&
      (has_radius || options.grid.step > 0 || options.grid.projection || options.form)) {
    reject(options.file +
           " has 3-stars of one radius; leave out --radius, --grid, --projection and --form");
  }
  const bool has_conditions =
      !options.fixed_relays.empty() || !options.forbidden.empty() || !options.links.empty();
  if (options.has_stars && has_conditions) {
    reject(options.file +
           " has 3-stars already; for --fixed-relays, --forbidden and --links give the file of the "
           "points, with --radius");
  }
  if (!options.is_sorted) return;
  if (options.out.empty()) reject("--sorted is given without --output; give the file to write");
  if (is_of_chunks(options.out))
    reject(
        "--sorted is for lines of text; leave it out, or give --output a name that does not end in "
        ".3star");
}

void check_form(const ThreeStarOptions& options) {
  if (!options.form) return;
  if (!options.is_hashed && options.out.empty()) {
    reject("--form and --no-hash are both given, and nothing reads the 3-stars; leave one out");
  }
  if (options.form != three_star::StarForm::kRaw) return;
  const std::string why = "--form raw is for unsorted lines of text; ";
  if (is_of_chunks(options.out)) reject(why + "leave it out for a .3star file");
  if (options.is_sorted) reject(why + "leave it out, or --sorted");
}

// Checks where the points come from.
void check_points(const ThreeStarOptions& options) {
  const bool is_random = options.random > 0;
  if (options.file.empty() && !is_random) reject("POINTS is required, or --random N");
  if (options.file.empty()) {
    check_random_points(options.random, memory_limit());
    return;
  }
  if (is_random) reject("POINTS and --random are both given; give one of them");
  if (options.width > 0) {
    reject("--width is given without --random; " + options.file + " has positions of its own");
  }
}

void add_placement_options(Command& command, ThreeStarOptions& options) {
  command.add_flag("--place", options.is_placed,
                   "Place relays that connect all points, and keep their number small");
  const auto add_file = [&](const char* names, const char* value, std::string& path,
                            const char* help) {
    command.add_option({.names = names,
                        .value_name = value,
                        .help = help,
                        .store = into(path),
                        .files = OfferedFiles::kFiles});
  };
  add_file("--relays", "FILE", options.relays,
           "Write the relays' positions, and the points and relays that each connects, to FILE: as "
           "GeoJSON or KML with the links if it is named .geojson, .json or .kml, else as CSV");
  add_file("--svg", "FILE.svg", options.svg, "Draw points, relays and links as SVG");
  add_file("--png", "FILE.png", options.png, "Draw points, relays and links as PNG");
  add_file(
      "--map", "FILE.html", options.map,
      "Draw them as a page for a browser, which moves and scales the map and needs no network");
  add_file("--fixed-relays", "FILE", options.fixed_relays,
           "Use the relays of FILE that exist already; it may have any form that POINTS may have");
  add_file("--forbidden", "FILE", options.forbidden,
           "Place no relay in the polygons of FILE, which is GeoJSON or KML");
  add_file(
      "--links", "FILE.csv", options.links,
      "Pairs of points, counted from 0, that receive each other; between two points that are in "
      "FILE.csv, the file decides instead of the distance");
}

// Checks options that need --place.
void check_placement(const ThreeStarOptions& options) {
  struct Named {
    const char* name;
    const std::string& file;
  };
  const Named inputs[] = {{"--fixed-relays", options.fixed_relays},
                          {"--forbidden", options.forbidden},
                          {"--links", options.links}};
  const Named outputs[] = {{"--relays", options.relays},
                           {"--svg", options.svg},
                           {"--png", options.png},
                           {"--map", options.map}};
  const auto require_place = [&](const Named& option) {
    if (option.file.empty() || options.is_placed) return;
    reject(std::string(option.name) + " is given without --place; give --place too");
  };
  std::string from_standard_input = options.file == "-" ? "POINTS" : "";
  for (const Named& output : outputs) require_place(output);
  for (const Named& input : inputs) {
    if (input.file.empty()) continue;
    require_place(input);
    if (input.file != "-") continue;
    if (!from_standard_input.empty()) {
      reject(from_standard_input + " and " + input.name +
             " are both standard input; give one of them a file");
    }
    from_standard_input = input.name;
  }
}

}  // namespace

void add_three_star_options(Command& command, ThreeStarOptions& options) {
  add_input_options(command, options);
  add_run_options(command, options);
  add_placement_options(command, options);
  add_output_options(command, options.common);
  add_trace_option(command, options.common);
}

void check_three_star_options(ThreeStarOptions& options) {
  check_placement(options);
  options.has_stars = is_star_file(options.file);
  check_points(options);
  check_search(options);
  check_form(options);
  std::vector<std::string> taken;
  for (const std::string& input :
       {options.file, options.fixed_relays, options.forbidden, options.links}) {
    // A pipe, such as /dev/fd/63 of a shell's <(...), has no path of its own.
    std::error_code ignored;
    if (std::filesystem::is_regular_file(input, ignored)) taken.push_back(input);
  }
  check_outputs_differ({{"--output", options.out},
                        {"--relays", options.relays},
                        {"--svg", options.svg},
                        {"--png", options.png},
                        {"--map", options.map},
                        {"--json", options.common.json_path},
                        {"--trace", options.common.trace_path}},
                       taken);
}

void check_random_points(std::int64_t points, std::size_t memory_bytes) {
  constexpr std::size_t kPointBytes = 64;  // Memory of a search without tally and placement.
  const std::size_t most = memory_bytes / kPointBytes;
  if (static_cast<std::uint64_t>(points) <= most) return;
  reject("--random is " + std::to_string(points) + "; with " + std::to_string(memory_bytes >> 20) +
         " MiB of memory, give 1 to " + std::to_string(most));
}

}  // namespace millrace::tools
