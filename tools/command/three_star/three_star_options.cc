// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/three_star/three_star_options.h>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/tools/command/three_star/three_star_search.h>
#include <millrace/tools/tables/decimal_number.h>

namespace millrace::tools {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, what);
}

std::function<void(const std::string&)> positive_number(const std::string& option, double& number) {
  return [option, &number](const std::string& text) {
    if (parse_number(text, number) && number > 0) return;
    refuse(option + " is '" + text + "'; it is a number greater than 0");
  };
}

Projection parse_projection(const std::string& text) {
  if (text == "stereographic") return Projection::kStereographic;
  if (text == "equirectangular") return Projection::kEquirectangular;
  if (text == "mercator") return Projection::kMercator;
  refuse("--projection is '" + text + "'; it is stereographic, equirectangular or mercator");
}

three_star::StarForm parse_form(const std::string& text) {
  for (const three_star::StarForm form :
       {three_star::StarForm::kCompressed, three_star::StarForm::kRaw}) {
    if (text == to_string(form)) return form;
  }
  refuse("--form is '" + text + "'; it is compressed or raw");
}

void add_input_options(CLI::App& command, ThreeStarOptions& options) {
  command
      .add_option(
          "POINTS", options.file,
          "A .npy array of N x 2; or a table in text, such as CSV: two numbers a line, or columns "
          "named x and y, or lat and lng; - for standard input; or a .3star file that -o wrote, "
          "whose 3-stars are read, not searched")
      ->type_name("");
  command
      .add_option_function<std::string>("--radius",
                                        positive_number("--radius", options.grid.radius),
                                        "How far sensors and relays send, in units of the points; "
                                        "in metres for lat,lng")
      ->type_name("R");
  command
      .add_option("--random", options.random,
                  "In place of POINTS: so many random ones, the same each time")
      ->type_name("N")
      ->transform(whole_number(1, std::numeric_limits<std::uint32_t>::max()));
  command.add_option("--width", options.width, "Of their square (default: 2000)")
      ->type_name("W")
      ->transform(whole_number(1, std::numeric_limits<std::int32_t>::max()));
  command
      .add_option_function<std::string>(
          "--projection",
          [&options](const std::string& text) { options.grid.projection = parse_projection(text); },
          "Of lat,lng: stereographic (default), of as many regions as it takes to have distances "
          "within 0.05 % of the sphere's; or, of all points at once, equirectangular, which "
          "lengthens and shortens distances from east to west, or mercator, which does so with all "
          "alike")
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--grid", positive_number("--grid", options.grid.step),
          "The search is exact on a grid so wide, to which points "
          "are rounded (default: 1 for whole numbers, else R / 10000)")
      ->type_name("STEP");
}

void add_run_options(CLI::App& command, ThreeStarOptions& options) {
  command
      .add_option(
          "--device", options.device,
          "A device by name, or several with commas between them, which share the work (see "
          "`millrace devices`; default: a GPU that can, else the CPU)")
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--form", [&options](const std::string& text) { options.form = parse_form(text); },
          "How a GPU sends 3-stars to the host: compressed (default), or raw, three numbers each")
      ->type_name("NAME");
  command
      .add_option_function<std::string>(
          "--policy", [&options](const std::string& name) { options.policy = parse_policy(name); },
          "How cells meet workers: persistent, uberkernel, kernel-per-type, or auto (default)")
      ->type_name("NAME");
  command.add_flag_function(
      "--no-hash", [&options](auto) { options.is_hashed = false; },
      "Count only, which is faster: no set hash, and no histogram");
  command
      .add_option(
          "-o,--output", options.out,
          "Write all 3-stars to this file: to a .3star compressed, for POINTS of another run; to "
          "others as lines of three points, counted from 0")
      ->type_name("FILE");
  command.add_flag("--sorted", options.is_sorted,
                   "Write lines in the order of their numbers; else they come as they are found");
}

// What is searched, or read instead.
void check_search(const ThreeStarOptions& options) {
  const bool has_radius = options.grid.radius > 0;
  if (is_of_chunks(options.file) && !options.has_stars && std::filesystem::exists(options.file)) {
    refuse(options.file + " is no file of 3-stars");
  }
  if (!options.has_stars && !has_radius) refuse("--radius is required");
  if (options.has_stars &&
      (has_radius || options.grid.step > 0 || options.grid.projection || options.form)) {
    refuse(options.file +
           " has 3-stars of one radius; --radius, --grid, --projection and --form are for points");
  }
  if (!options.is_sorted) return;
  if (options.out.empty()) refuse("--sorted needs --output");
  if (is_of_chunks(options.out))
    refuse("--sorted is for lines; a .3star file has an order of its own");
}

void check_form(const ThreeStarOptions& options) {
  if (!options.form) return;
  if (!options.is_hashed && options.out.empty()) {
    refuse("--form is for 3-stars that are looked at; --no-hash only counts");
  }
  if (options.form != three_star::StarForm::kRaw) return;
  const std::string why = "--form raw is for lines as they are found; ";
  if (is_of_chunks(options.out)) refuse(why + "a .3star file has compressed ones");
  if (options.is_sorted) refuse(why + "--sorted keeps them compressed");
}

// Which points there are to be.
void check_points(const ThreeStarOptions& options) {
  const bool is_random = options.random > 0;
  if (options.file.empty() && !is_random) refuse("POINTS is required, or --random");
  if (options.file.empty()) {
    check_random_points(options.random, memory_limit());
    return;
  }
  if (is_random) refuse("POINTS and --random are both given");
  if (options.width > 0) {
    refuse("--width is for --random, whose points it is of; " + options.file +
           " has places of its own");
  }
}

void add_placement_options(CLI::App& command, ThreeStarOptions& options) {
  command.add_flag("--place", options.is_placed,
                   "Place relays so that all points are connected, with few of them");
  command
      .add_option("--relays", options.relays,
                  "Write where they are, and what each hears along the tree of all, to this file")
      ->type_name("FILE.csv");
  command.add_option("--svg", options.svg, "Draw points, relays and links")->type_name("FILE.svg");
  command.add_option("--png", options.png, "The same")->type_name("FILE.png");
}

}  // namespace

void add_three_star_options(CLI::App& command, ThreeStarOptions& options) {
  add_input_options(command, options);
  add_run_options(command, options);
  add_placement_options(command, options);
  add_output_options(command, options.common);
  add_trace_option(command, options.common);
}

void check_three_star_options(ThreeStarOptions& options) {
  options.has_stars = is_star_file(options.file);
  check_points(options);
  check_search(options);
  check_form(options);
  const std::string files[] = {options.relays, options.svg, options.png};
  const char* const names[] = {"--relays", "--svg", "--png"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!files[i].empty() && !options.is_placed) refuse(std::string(names[i]) + " needs --place");
  }
  std::vector<std::string> taken;
  // A pipe, such as /dev/fd/63 of a shell's <(...), has no path of its own.
  std::error_code ignored;
  if (std::filesystem::is_regular_file(options.file, ignored)) taken.push_back(options.file);
  check_outputs_are_apart({{"--output", options.out},
                           {"--relays", options.relays},
                           {"--svg", options.svg},
                           {"--png", options.png},
                           {"--json", options.common.json_path},
                           {"--trace", options.common.trace_path}},
                          taken);
}

void check_random_points(std::int64_t points, std::size_t memory_bytes) {
  constexpr std::size_t kPointBytes = 64;  // What a search without tally and placement takes.
  const std::size_t most = memory_bytes / kPointBytes;
  if (static_cast<std::uint64_t>(points) <= most) return;
  refuse("--random is " + std::to_string(points) + "; of " + std::to_string(memory_bytes >> 20) +
         " MiB of memory, it is 1 to " + std::to_string(most));
}

}  // namespace millrace::tools
