// SPDX-License-Identifier: Apache-2.0

// Options of `millrace three-star`.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_OPTIONS_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_OPTIONS_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

inline constexpr std::int64_t kDefaultWidth = 2000;  // Width of the square of random points.

struct ThreeStarOptions {
  CommonOptions common;
  std::string file;         // Empty: random points.
  bool has_stars = false;   // The file is one that -o wrote.
  std::int64_t random = 0;  // Number of random points.
  std::int64_t width = 0;   // 0: kDefaultWidth.
  GridOptions grid;
  std::string device;  // Empty: open_search_devices() chooses.
  Policy policy = Policy::kAuto;
  std::optional<three_star::StarForm> form = {};  // Default: compressed.
  bool is_hashed = true;
  bool is_sorted = false;
  std::string out;  // Empty, as all below: no such file.
  bool is_placed = false;
  std::string relays;
  std::string svg;
  std::string png;
  std::string map;           // A page of HTML.
  std::string fixed_relays;  // Inputs of the placement.
  std::string forbidden;
  std::string links;
};

// `options` must outlive the subcommand. Parsing throws Error(kInvalidArgument).
void add_three_star_options(Command& command, ThreeStarOptions& options);

// Finds the kind of the input file. Throws Error(kInvalidArgument) for what parsing lets pass: no
// points or two kinds, no radius, two outputs to one file, files of relays without --place,
// conditions on relays of a file of 3-stars.
void check_three_star_options(ThreeStarOptions& options);

// Throws Error(kInvalidArgument) for more random points than can be searched in `memory_bytes`.
void check_random_points(std::int64_t points, std::size_t memory_bytes);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_OPTIONS_H_
