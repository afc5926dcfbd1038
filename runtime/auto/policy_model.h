// SPDX-License-Identifier: Apache-2.0

// A cost model of task queues: the time under a policy on a device is a sum of terms, each a
// feature of the queue times a cost of the policy. Costs are fitted to measurements (cost_fit.h),
// stored (policy_store.h), or the defaults of a known device.
//
//   const Policy fastest = choose_policy(work, *costs_of(device.info()));
#ifndef MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_
#define MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/tasks/policy.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace millrace {

// The known features of a queue of tasks.
struct WorkFeatures {
  double roots = 0;  // Number of roots.
  double items = 0;  // Number of items that run, including the roots.
  double waves = 1;  // Number of waves: roots are the first, their children the second, ...
  double types = 1;  // Number of types of the set.

  // Gini-Simpson index of the items' types (type_mix.h). If it is unknown, all types are assumed to
  // be equally frequent.
  std::optional<double> gini_simpson{};

  double item_bytes = 16;    // Bytes of the set's largest type.
  double item_seconds = 0;   // Work of one item, in seconds of one worker.
  bool spawns = true;        // True if a type of the set may spawn.
  bool opens_joins = false;  // True if a type of the set may open a join.
};

// The terms of the sum. Terms of items count seconds of one worker and are divided by the number of
// workers of the device; work is divided by the items of a wave if these are fewer.
enum CostTerm {
  kCostOfRun,   // A run, also an empty one.
  kCostOfWave,  // A wave or, for persistent threads, a level of the tree; times the number of types
                // if each is a launch.
  kCostOfSpread,  // A doubling of the number of items that run at a time, from the roots to the
                  // mean of the waves, or to the workers.
  kCostOfRoot,    // A root.
  kCostOfSpawn,   // An item that is spawned. In a set that opens joins half of one under persistent
                  // threads, whose workers keep it on a stack, and eight in waves, which also store
                  // the join and its values.
  kCostOfByte,    // A byte of an item counted so.
  kCostOfType,    // An item of a set of several types, in any mix.
  kCostOfMix,     // An item times the Gini-Simpson index of the types: lanes of a warp diverge, and
                  // branches are mispredicted.
  kCostOfWork,    // A second of an item's own work.
  kCostTerms,
};
using CostVector = std::array<double, kCostTerms>;

// The costs of the link between host and device.
struct LinkCosts {
  double up = 0;             // Bytes a second from pinned memory; 0 if nothing is copied.
  double down = 0;           // Bytes a second to pinned memory; 0 if nothing is copied.
  double chunk_seconds = 0;  // Time of a chunk in a stage in addition to that of its bytes.
};

// All costs of a device.
struct DeviceCosts {
  double workers = 1;  // Number of items of one lane that run at a time.

  // Costs of each policy, in the order of kConcretePolicies.
  std::array<CostVector, std::size(kConcretePolicies)> policies{};

  LinkCosts link{};
  double residual = 0;  // Mean relative error of the fit; 0 if there was none.
  std::string source;   // Origin of the costs, for people.

  CostVector& of(Policy policy) { return policies.at(index_of(policy)); }
  const CostVector& of(Policy policy) const { return policies.at(index_of(policy)); }

  // Returns the index of a policy, which must not be kAuto, in kConcretePolicies.
  static std::size_t index_of(Policy policy);
};

// Returns the factor of each cost.
CostVector cost_terms(Policy policy, const WorkFeatures& work, double workers);

// Returns the predicted time of a run.
double predict_seconds(Policy policy, const WorkFeatures& work, const DeviceCosts& costs);

// Returns the item_seconds at which `policy` is predicted to take `seconds`, or 0 if it is
// predicted to take longer without any work.
double implied_item_seconds(Policy policy, const WorkFeatures& work, double seconds,
                            const DeviceCosts& costs);

// Returns the policy with the shortest predicted time.
Policy choose_policy(const WorkFeatures& work, const DeviceCosts& costs);

// Returns the shipped costs. For GPUs they were measured on an H200 and use the device's number of
// multiprocessors. For CPUs they were measured on two cores of a server; the costs of a run and of
// a wave grow with the logarithm of the number of cores.
DeviceCosts default_costs(const DeviceInfo& device);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_
