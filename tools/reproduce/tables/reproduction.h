// SPDX-License-Identifier: Apache-2.0

// A paper's table or figure, measured anew.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <millrace/runtime/core/device.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>
#include <millrace/tools/reproduce/tables/paper_table.h>

namespace millrace::tools {

struct Reproduction {
  const PaperTable* paper = nullptr;
  DataTable here;  // Columns that the paper has too have its names and units.
  std::vector<Chart> charts;
  std::vector<Finding> findings;
};

// The size of what is measured. A simulated device uses the sizes of kTiny for every scale.
enum class Scale {
  kFull,   // The paper's, or what the device has time and memory for.
  kQuick,  // Two minutes or so for all of them on two cores.
  kTiny,   // To try it out.
};

struct ReproduceOptions {
  std::shared_ptr<Device> device;
  Scale scale = Scale::kFull;
  double seconds = 2;              // For each contest.
  std::vector<std::string> clips;  // For motion estimation; empty: textures that move.
  std::function<void()> step = [] {
  };  // Called before each measurement; what it throws ends the run.

  Scale scale_of_device() const { return device->info().is_simulated ? Scale::kTiny : scale; }
  // Returns the least number of rounds of a contest.
  std::size_t rounds(std::size_t full) const {
    const Scale actual = scale_of_device();
    return actual == Scale::kTiny ? 1 : actual == Scale::kQuick ? 3 : full;
  }
};

// One a subject. Each measures what the tables and figures named need and hands them out in the
// paper's order; names of other subjects are passed over. Results are checked before they are
// timed: throws Error (kInternal) where one is wrong, and what the subject's benchmark throws.
std::vector<Reproduction> reproduce_idct(const ReproduceOptions& options,
                                         const std::set<std::string>& names);
std::vector<Reproduction> reproduce_motion(const ReproduceOptions& options,
                                           const std::set<std::string>& names);
std::vector<Reproduction> reproduce_sort(const ReproduceOptions& options,
                                         const std::set<std::string>& names);
std::vector<Reproduction> reproduce_three_star(const ReproduceOptions& options,
                                               const std::set<std::string>& names);

// The subject of a paper, by the function above. Throws kNotFound for another.
std::vector<Reproduction> reproduce(const std::string& subject, const ReproduceOptions& options,
                                    const std::set<std::string>& names);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_
