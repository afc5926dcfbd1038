// SPDX-License-Identifier: Apache-2.0

// The search of `millrace three-star`, and its files.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_SEARCH_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_SEARCH_H_

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/tools/command/three_star/points/sensor_grid.h>
#include <millrace/tools/command/three_star/star_source.h>
#include <millrace/tools/files/output/output_file.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {

// Opens the devices that search for 3-stars: the named ones, with commas between them, or, for "",
// one that can: the first with memory of its own, else the first; none that is simulated. Throws
// Error(kNotFound), and what open_device_group() throws.
DeviceGroup open_search_devices(const std::string& names);

struct StarResult {
  three_star::SearchReport search;
  std::optional<std::uint64_t> set_hash;
  std::vector<std::uint64_t> histogram;  // See StarTally; empty without a hash.
};

// Counts 3-stars, and hashes them if `is_hashed`. This and the functions below throw what the
// source does.
StarResult search_stars(StarSource& source, std::size_t points, bool is_hashed);

// Source and options of a file of 3-stars.
struct StarOutput {
  Queue& queue;
  StarSource& source;
  const SensorGrid& grid;
  bool is_hashed;
  bool is_sorted;  // Lines are sorted by all three numbers.
};

// Returns true if a file of that name has chunks, not lines.
bool is_of_chunks(const std::string& path);

// Writes a file for StarFileReader, in the order in which 3-stars are found.
StarResult write_chunks(const StarOutput& output, OutputFile& file);

// Writes a line for each 3-star: the indices of three points, from 0 on. They are counted before,
// for the progress bar, and to reject a file that would fill its disk with Error(kIo).
StarResult write_lines(const StarOutput& output, OutputFile& file);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_THREE_STAR_SEARCH_H_
