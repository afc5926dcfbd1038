// SPDX-License-Identifier: Apache-2.0

// Fig. 5 of Chen, Wang, Zhuang and Liu (algorithms/idct/paper/idct_strategies.h), measured: the
// paper's algorithms and accesses, and the runtime's policies, on one queue of macroblocks.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_RUNS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_RUNS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <millrace/algorithms/idct/paper/idct_strategies.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/policy.h>
#include <millrace/tools/benchmarks/harness/crossovers.h>

namespace millrace::tools {

// A way to transform a queue of macroblocks.
struct IdctVariant {
  std::string data;       // Where macroblocks and residual are: "host" or "device".
  std::string algorithm;  // One of the paper's or a policy; "one kernel" for a strategy by itself.
  std::string access;     // The tasks' own is shared memory.

  std::string name() const { return data + ' ' + algorithm + ' ' + access; }
};

// The paper's algorithm on macroblocks in host memory, and a policy on those there or on the
// device.
IdctVariant paper_variant(idct::PaperAlgorithm algorithm, idct::Access access);
IdctVariant policy_variant(const std::string& data, Policy policy);

// The steps of the paper's algorithms, in their order.
using IdctPhase = double idct::PaperTimes::*;
inline constexpr IdctPhase kIdctPhases[] = {&idct::PaperTimes::gather, &idct::PaperTimes::upload,
                                            &idct::PaperTimes::kernel, &idct::PaperTimes::download,
                                            &idct::PaperTimes::scatter};

struct IdctPaperLine {
  IdctVariant variant;
  std::size_t count = 0;
  double seconds = 0;       // Median of whole runs.
  idct::PaperTimes phases;  // Medians of their steps; zero but for the paper's algorithms.
};

// Why a device cannot run something; empty where it can.
struct IdctPaperLimits {
  std::string paper;     // The paper's algorithms and accesses at all.
  std::string textures;  // Those through textures.
};

IdctPaperLimits idct_paper_limits(Queue& queue);

// Every variant within these limits on `count` macroblocks, in turns (contest.h). Each is checked
// before any is timed: throws kInternal where one differs from the reference.
std::vector<IdctPaperLine> measure_idct_paper(const std::shared_ptr<Device>& device,
                                              const IdctPaperLimits& limits, std::size_t count,
                                              double seconds, std::size_t least_rounds = 15);

// The figures of one variant by number of macroblocks.
SizeSeries series_of(const std::vector<IdctPaperLine>& lines, const IdctVariant& variant,
                     const std::function<double(const IdctPaperLine&)>& seconds);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_IDCT_IDCT_PAPER_RUNS_H_
