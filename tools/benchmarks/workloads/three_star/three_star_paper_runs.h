// SPDX-License-Identifier: Apache-2.0

// Figures 10 and 11 of Lee, Lo, Chen, Chung and Chung, "GPU Performance Enhancement via
// Communication Cost Reduction", 2012, measured: 3-stars found by sequential code and by the
// paper's method with and without streaming and compression, and where its time goes.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/three_star/paper/three_star_paper.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>

namespace millrace::tools {

// The bars of figure 11.
struct ThreeStarPaperRow {
  const char* name;
  double three_star::PaperProfile::*seconds;
};

inline constexpr ThreeStarPaperRow kThreeStarPaperRows[] = {
    {"LOAD", &three_star::PaperProfile::load},
    {"COMP", &three_star::PaperProfile::compute},
    {"REPORT", &three_star::PaperProfile::report},
    {"DataOut", &three_star::PaperProfile::data_out},
    {"DECODE", &three_star::PaperProfile::decode}};

// A way to find them on the device, and what it took.
struct ThreeStarPaperVariant {
  std::string name;
  three_star::PaperOptions options;
  double seconds = 0;
  std::uint64_t bytes_down = 0;
  three_star::PaperProfile profile{};  // Each step by itself.
};

// The times for one number of points, in seconds.
struct ThreeStarPaperRun {
  std::size_t points = 0;
  std::uint64_t three_stars = 0;
  double sequential = 0;  // The paper's code for CPUs, once.
  double our_count = 0;   // count_three_stars(), on the device.
  // As the sequential code, by one thread of the CPU: counted, and every id looked at.
  double our_count_alone = 0;
  double our_visit_alone = 0;

  // The paper's four in its order, then the last of them with tables and arithmetic exchanged.
  std::vector<ThreeStarPaperVariant> variants;
};

// This library's own searches.
struct ThreeStarOwnSearch {
  const char* name;
  double ThreeStarPaperRun::*seconds;
};

inline constexpr ThreeStarOwnSearch kThreeStarOwnSearches[] = {
    {"our count", &ThreeStarPaperRun::our_count},
    {"our count by one CPU thread", &ThreeStarPaperRun::our_count_alone},
    {"our visit by one CPU thread", &ThreeStarPaperRun::our_visit_alone}};

// Random points of 2000 x 2000 with a radius of 50. Triples are tested by tables, on a CPU, for
// which the paper's code has none, by arithmetic.
class ThreeStarPaperRuns {
 public:
  explicit ThreeStarPaperRuns(std::shared_ptr<Device> device);

  // In turns (contest.h), `least_rounds` or more. Every search must find the set of the sequential
  // code before any is timed; throws kInternal where one does not, or what find_as_paper() throws.
  ThreeStarPaperRun measure(std::size_t points, double seconds, std::size_t least_rounds);

 private:
  void check(const std::vector<three_star::Point>& points, ThreeStarPaperRun& run);
  void time(const std::vector<three_star::Point>& points, double seconds, std::size_t least_rounds,
            ThreeStarPaperRun& run);
  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  const std::unique_ptr<Queue> one_thread_;
  const three_star::PaperTables tables_;
  std::vector<ThreeStarPaperVariant> variants_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_RUNS_H_
