// SPDX-License-Identifier: Apache-2.0

// Figures 9 to 11 of Lee, Lo, Chen, Chung and Chung, "GPU Performance Enhancement via Communication
// Cost Reduction", 2012, as a workload: 3-stars found by the paper's method with and without
// streaming and compression, where its time goes, and by this library's own searches.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_WORKLOAD_H_

#include <millrace/algorithms/three_star/paper/three_star_paper.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

namespace millrace::tools {

inline constexpr char kThreeStarPaper[] = "three-star-paper";
inline constexpr char kThreeStarPaperInput[] = "uniform";

// The strategies of the paper's four variants, in the order of three_star::kPaperSchemes.
inline constexpr const char* kThreeStarTechniques[] = {"baseline", "streaming", "compression",
                                                       "both"};

// A fifth: the last of them with tables and arithmetic exchanged. Triples are tested by tables; on
// a CPU, for which the paper's code has none, by arithmetic.
inline constexpr char kBothByArithmetic[] = "both+arithmetic";
inline constexpr char kBothByTables[] = "both+tables";

// This library's own: on the device, and by one thread of the CPU.
inline constexpr char kThreeStarCount[] = "count";
inline constexpr char kThreeStarCountOneThread[] = "count+one-thread";
inline constexpr char kThreeStarVisitOneThread[] = "visit+one-thread";

// The bars of figure 11 by the names that a variant's values have: seconds, each step by itself.
struct ThreeStarPaperStep {
  const char* name;
  double three_star::PaperSearchProfile::*seconds;
};

inline constexpr ThreeStarPaperStep kThreeStarPaperSteps[] = {
    {"LOAD", &three_star::PaperSearchProfile::load},
    {"COMP", &three_star::PaperSearchProfile::compute},
    {"REPORT", &three_star::PaperSearchProfile::report},
    {"DataOut", &three_star::PaperSearchProfile::data_out},
    {"DECODE", &three_star::PaperSearchProfile::decode}};

// A value of every run: the time of the paper's code for CPUs on one core, which runs once, because
// it takes minutes for the largest sizes, and finds the set that all others must find.
inline constexpr char kSequentialSeconds[] = "sequential seconds";

// Random points of 2000 x 2000 with a radius of 50.
Workload three_star_paper_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_THREE_STAR_THREE_STAR_PAPER_WORKLOAD_H_
