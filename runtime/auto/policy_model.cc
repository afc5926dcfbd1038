// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/auto/policy_model.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace millrace {
namespace {

constexpr double kMicro = 1e-6;
constexpr double kNano = 1e-9;

// Fitted to compute_fibonacci() of n = 40 (docs/examples/recursion), 497 million tasks, on an H200.
double join_factor(Policy policy) { return policy == Policy::kPersistentThreads ? 0.5 : 8; }

// Costs are in the order of CostTerm. The cost of an item of an even mix of two types was measured.
// The fraction of it that is due to the mix was fitted by tune on a CPU and is assumed to be half
// on GPUs.
DeviceCosts cpu_defaults(const DeviceInfo& device) {
  DeviceCosts costs;
  costs.workers = std::max(device.compute_units, 1);
  const double steps = std::max(std::log2(costs.workers), 1.0);
  costs.of(Policy::kPersistentThreads) = {2.5 * kMicro * steps, 0.3 * kMicro, 1 * kMicro,
                                          1.5 * kNano,          12 * kNano,   0.1 * kNano,
                                          1.5 * kNano,          7 * kNano,    1};
  costs.of(Policy::kUberkernel) = {0.5 * kMicro, 1 * kMicro * steps, 2.5 * kMicro,
                                   1.2 * kNano,  16 * kNano,         0.1 * kNano,
                                   1.3 * kNano,  6.8 * kNano,        1};
  costs.of(Policy::kKernelPerType) = {0.5 * kMicro, 1 * kMicro * steps, 2.5 * kMicro,
                                      1.2 * kNano,  17 * kNano,         0.1 * kNano,
                                      6 * kNano,    0 * kNano,          1};
  costs.source = "defaults for CPUs";
  return costs;
}

DeviceCosts gpu_defaults(const DeviceInfo& device) {
  constexpr double kLanes = 1024;  // Number of lanes of a multiprocessor that run at a time.
  DeviceCosts costs;
  costs.workers = kLanes * std::max(device.compute_units, 1);
  costs.of(Policy::kPersistentThreads) = {28 * kMicro,   0.25 * kMicro, 6 * kMicro,
                                          0.6 * kMicro,  3 * kMicro,    0.25 * kMicro,
                                          0.05 * kMicro, 0.1 * kMicro,  1};
  costs.of(Policy::kUberkernel) = {19 * kMicro,   2.7 * kMicro, 0,
                                   0.6 * kMicro,  1.2 * kMicro, 0.03 * kMicro,
                                   0.05 * kMicro, 0.1 * kMicro, 1};
  costs.of(Policy::kKernelPerType) = {17 * kMicro,  12 * kMicro,  0,
                                      0.6 * kMicro, 2.4 * kMicro, 0.03 * kMicro,
                                      0.8 * kMicro, 0 * kMicro,   1};
  costs.link = {.up = 54e9, .down = 55e9, .chunk_seconds = 15 * kMicro};
  const bool is_measured = device.description.find("H200") != std::string::npos;
  costs.source = is_measured ? "defaults for an H200" : "defaults for GPUs, an H200's";
  return costs;
}

}  // namespace

std::size_t DeviceCosts::index_of(Policy policy) {
  const auto found = std::find(std::begin(kConcretePolicies), std::end(kConcretePolicies), policy);
  return static_cast<std::size_t>(found - std::begin(kConcretePolicies));
}

CostVector cost_terms(Policy policy, const WorkFeatures& work, double workers) {
  const double waves = std::max(work.waves, 1.0);
  const double items = std::max(work.items, work.roots);
  const double at_a_time = std::clamp(items / waves, 1.0, std::max(workers, 1.0));
  const double spawned =
      (items - work.roots) / workers * (work.opens_joins ? join_factor(policy) : 1);
  const double launches = policy == Policy::kKernelPerType ? waves * work.types : waves;
  CostVector terms{};
  terms[kCostOfRun] = 1;
  terms[kCostOfWave] = launches;
  terms[kCostOfSpread] = std::max(std::log2(at_a_time / std::max(work.roots, 1.0)), 0.0);
  terms[kCostOfRoot] = work.roots / workers;
  terms[kCostOfSpawn] = spawned;
  terms[kCostOfByte] = spawned * work.item_bytes;
  if (work.types > 1) {
    terms[kCostOfType] = items / workers;
    terms[kCostOfMix] = items / workers * work.gini_simpson.value_or(1 - 1 / work.types);
  }
  terms[kCostOfWork] = items * work.item_seconds / at_a_time;
  return terms;
}

double predict_seconds(Policy policy, const WorkFeatures& work, const DeviceCosts& costs) {
  const CostVector terms = cost_terms(policy, work, costs.workers);
  const CostVector& own = costs.of(policy);
  return std::inner_product(terms.begin(), terms.end(), own.begin(), 0.0);
}

double implied_item_seconds(Policy policy, const WorkFeatures& work, double seconds,
                            const DeviceCosts& costs) {
  WorkFeatures with = work;
  with.item_seconds = 0;
  const double without = predict_seconds(policy, with, costs);
  with.item_seconds = 1;
  const double of_a_second = predict_seconds(policy, with, costs) - without;
  return of_a_second > 0 ? std::max((seconds - without) / of_a_second, 0.0) : 0;
}

Policy choose_policy(const WorkFeatures& work, const DeviceCosts& costs) {
  return *std::min_element(
      std::begin(kConcretePolicies), std::end(kConcretePolicies), [&](Policy a, Policy b) {
        return predict_seconds(a, work, costs) < predict_seconds(b, work, costs);
      });
}

DeviceCosts default_costs(const DeviceInfo& device) {
  return device.warp_width > 1 ? gpu_defaults(device) : cpu_defaults(device);
}

}  // namespace millrace
