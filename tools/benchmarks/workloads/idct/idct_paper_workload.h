// SPDX-License-Identifier: Apache-2.0

// Fig. 5 of Chen, Wang, Zhuang and Liu (algorithms/idct/paper/idct_strategies.h) as a workload: the
// paper's algorithms and accesses, and the runtime's policies, on macroblocks in host memory:
// random ones, or those of an H.264 stream.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_WORKLOAD_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_WORKLOAD_H_

#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/tools/benchmarks/workloads/workload.h>

#include <string>

namespace millrace::tools {

inline constexpr char kIdctPaper[] = "idct-paper";
inline constexpr char kIdctPaperInput[] = "mixed";  // Random; others are H.264 streams.

// Figures of the queue of a stream: the fractions of macroblocks with a coefficient that is not 0,
// and of those with the 8x8 transform.
inline constexpr char kIdctCodedFraction[] = "coded share";
inline constexpr char kIdct8x8Fraction[] = "8x8 share";

// The strategy of the runtime's policies; those of the paper are such as "persistent+global".
inline constexpr char kIdctPaperTasks[] = "tasks";
std::string idct_paper_strategy(idct::PaperAlgorithm algorithm, idct::Access access);

// The steps of the paper's algorithms, in their order, by the names that a measurement's values
// have: medians of some runs, in seconds.
struct IdctPhase {
  const char* name;
  double idct::PaperTimes::*seconds;
};
inline constexpr char kIdctKernelSeconds[] = "kernel seconds";
inline constexpr IdctPhase kIdctPhases[] = {{"gather seconds", &idct::PaperTimes::gather},
                                            {"upload seconds", &idct::PaperTimes::upload},
                                            {kIdctKernelSeconds, &idct::PaperTimes::kernel},
                                            {"download seconds", &idct::PaperTimes::download},
                                            {"scatter seconds", &idct::PaperTimes::scatter}};

Workload idct_paper_workload();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_WORKLOAD_H_
