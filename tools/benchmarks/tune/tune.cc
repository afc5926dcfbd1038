// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/tools/benchmarks/harness/copy_probe.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/tune/tune.h>
#include <millrace/tools/benchmarks/tune/tune_design.h>

#include <algorithm>
#include <cstddef>
#include <exception>

namespace millrace::tools {
namespace {

// Returns the time of the quickest of several runs, as many as fit into `seconds`, since a
// disturbance only adds to it.
double quickest(const TuneWorkload& workload, Policy policy, double seconds,
                const std::stop_token& stop) {
  const auto run = [&] { return seconds_of([&] { workload.run({.policy = policy}); }); };
  const SamplingResult samples = sample_in_turns(
      {run}, {.precision = 0, .seconds = seconds, .most_rounds = 200, .is_stopped = [&stop] {
                return stop.stop_requested();
              }});
  if (samples.is_stopped) throw Error(ErrorCode::kCancelled, "tuning was stopped");
  const SampledRuns& runs = samples.runs.front();
  if (runs.failure != nullptr) std::rethrow_exception(runs.failure);
  return *std::min_element(runs.seconds.begin(), runs.seconds.end());
}

LinkCosts measure_link(Queue& queue) {
  const auto device = queue.device().shared_from_this();
  if (device->info().shares_host_memory) return {};
  constexpr std::size_t kSmall = 256;
  const std::size_t large =
      device->info().is_simulated ? std::size_t{1} << 20 : std::size_t{1} << 26;
  const auto pinned = CopyProbe::make_memory(queue, MemorySpace::kPinned, large);
  const auto there = CopyProbe::make_memory(queue, MemorySpace::kDevice, large);
  LinkCosts link;
  link.chunk_seconds = CopyProbe(queue, pinned, there, kSmall).best_seconds();
  const auto rate = [&](const CopyProbe& probe) {
    return probe.bytes() / std::max(probe.best_seconds() - link.chunk_seconds, 1e-9);
  };
  link.up = rate(CopyProbe(queue, pinned, there, large));
  link.down = rate(CopyProbe(queue, there, pinned, large));
  return link;
}

}  // namespace

TuneResult tune(const std::shared_ptr<Device>& device, double seconds,
                const std::stop_token& stop) {
  const auto queue = device->make_queue();
  DeviceCosts costs = default_costs(device->info());
  costs.link = measure_link(*queue);
  const std::vector<TuneWorkload> workloads = tune_design(*queue);
  const double seconds_each =
      seconds / static_cast<double>(workloads.size() * std::size(kConcretePolicies));
  TuneResult result;
  std::vector<MeasuredRun> runs;
  for (const TuneWorkload& workload : workloads) {
    for (const Policy policy : kConcretePolicies) {
      const double best = quickest(workload, policy, seconds_each, stop);
      runs.push_back({policy, workload.work, best});
      result.runs.push_back({workload.name, runs.back()});
    }
  }
  const CostFit fit = fit_costs(runs, costs);
  result.costs = fit.costs;
  result.costs.source = "measured by tune";
  for (TunedRun& tuned : result.runs) {
    tuned.run.work.item_seconds *= fit.unit_seconds;
    tuned.predicted_seconds = predict_seconds(tuned.run.policy, tuned.run.work, result.costs);
  }
  return result;
}

}  // namespace millrace::tools
