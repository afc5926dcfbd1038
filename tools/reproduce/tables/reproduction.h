// SPDX-License-Identifier: Apache-2.0

// A paper's table or figure, made anew from measurements of workloads.
#ifndef MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_
#define MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/benchmarks/run/configuration.h>
#include <millrace/tools/report/chart/chart.h>
#include <millrace/tools/reproduce/tables/data_table.h>
#include <millrace/tools/reproduce/tables/finding.h>
#include <millrace/tools/reproduce/tables/measured_device.h>
#include <millrace/tools/reproduce/tables/paper_table.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

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
  kTiny,   // Used to try it out.
};

// The device, sizes and inputs to measure with.
struct ReproductionPlan {
  DeviceInfo device;
  Scale scale = Scale::kFull;
  std::vector<std::string> clips = {};  // Motion estimation uses them; empty: textures that move.
  std::string stream = {};              // H.264, for inverse transforms; empty: random macroblocks.

  Scale scale_of_device() const { return device.is_simulated ? Scale::kTiny : scale; }
};

// A configuration to be measured: a workload's name, an input or a path, a size, and its runs.
struct PlannedRuns {
  std::string workload;
  std::string input;
  std::uint64_t size = 0;
  RunSelection choice = {};
};

// Returns what the tables and figures `names` of a subject need; names of other subjects are passed
// over. Throws kNotFound for an unknown subject, and for motion what read_motion_clip() throws.
std::vector<PlannedRuns> plan_runs(const std::string& subject, const ReproductionPlan& plan,
                                   const std::set<std::string>& names);

// Returns those tables and figures in the paper's order, with what was measured of them. Throws
// kNotFound as above.
std::vector<Reproduction> reproduce(const std::string& subject, const MeasuredDevice& measured,
                                    const std::set<std::string>& names);

// One of each for a subject.
std::vector<PlannedRuns> plan_idct(const ReproductionPlan& plan,
                                   const std::set<std::string>& names);
std::vector<PlannedRuns> plan_motion(const ReproductionPlan& plan,
                                     const std::set<std::string>& names);
std::vector<PlannedRuns> plan_sort(const ReproductionPlan& plan,
                                   const std::set<std::string>& names);
std::vector<PlannedRuns> plan_three_star(const ReproductionPlan& plan,
                                         const std::set<std::string>& names);
std::vector<Reproduction> reproduce_idct(const MeasuredDevice& measured,
                                         const std::set<std::string>& names);
std::vector<Reproduction> reproduce_motion(const MeasuredDevice& measured,
                                           const std::set<std::string>& names);
std::vector<Reproduction> reproduce_sort(const MeasuredDevice& measured,
                                         const std::set<std::string>& names);
std::vector<Reproduction> reproduce_three_star(const MeasuredDevice& measured,
                                               const std::set<std::string>& names);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_TABLES_REPRODUCTION_H_
