// The search of `millrace three-star`, and the files of what it finds.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_SEARCH_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_SEARCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <millrace/algorithms/three_star/three_star.h>
#include <millrace/tools/command/three_star_grid.h>
#include <millrace/tools/files/interrupt.h>
#include <millrace/tools/files/output_file.h>

namespace millrace::tools {

// A device that can search for 3-stars: the one named, or, for "", the first with memory of its
// own, else the first; none that is simulated. Throws Error(kNotFound).
std::shared_ptr<Device> open_search_device(const std::string& name);

struct StarResult {
  three_star::SearchReport search;
  std::optional<std::uint64_t> set_hash;
  std::vector<std::uint64_t> histogram;  // See StarTally; empty without a hash.
};

// Counts, and hashes if `is_hashed`. Throws Error once a signal has come, but for counts alone
// only when they are done.
StarResult search_stars(Queue& queue, const SensorGrid& grid, Policy policy, bool is_hashed,
                        const InterruptGuard& interrupt);

// Writes a line for each 3-star, three places of points from 0 on, in no particular order. They are
// counted before, so that a bar shows how far it is, and a file that would fill its disk is refused
// with Error(kIo). Throws Error once a signal has come.
StarResult write_stars(Queue& queue, const SensorGrid& grid, Policy policy, bool is_hashed,
                       const InterruptGuard& interrupt, OutputFile& file);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_SEARCH_H_
