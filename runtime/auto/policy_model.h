// SPDX-License-Identifier: Apache-2.0

// What a queue of tasks costs under each policy on one device: a sum of terms, each a figure of the
// queue times a cost of the policy. Costs are fitted from measurements (policy_fit.h), stored
// (policy_store.h), or the defaults of a known device.
#ifndef MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_
#define MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include <millrace/runtime/core/device.h>
#include <millrace/runtime/tasks/policy.h>

namespace millrace {

// A queue of tasks, as far as it is known.
struct WorkFeatures {
  double roots = 0;
  double items = 0;  // All that run, roots too.
  double waves = 1;  // Roots are the first, what they spawn is the second, ...
  double types = 1;  // Of the set.
  // The Gini-Simpson index of the items' types (type_mix.h). Nothing where it is not known: types
  // are then taken to be as many each.
  std::optional<double> gini_simpson{};
  double item_bytes = 16;   // Of the set's largest type.
  double item_seconds = 0;  // The work of one item, by one worker.
  bool spawns = true;       // Whether any type of the set may.
};

// The terms of the sum. Those of items count the seconds of one worker, shared by all that the
// device has; work is shared by as many as a wave has items, if that is fewer.
enum CostTerm {
  kCostOfRun,   // A run, be it empty.
  kCostOfWave,  // A wave or, of persistent threads, a level of the tree. Times the types where they
                // are launched one by one.
  kCostOfSpread,  // A doubling of the items that are there at a time, from the roots to the mean of
                  // the waves, or to the workers.
  kCostOfRoot,
  kCostOfSpawn,  // An item that is spawned.
  kCostOfByte,   // A byte of such an item.
  kCostOfType,   // An item of a set of several types, however they are mixed.
  kCostOfMix,    // An item, times the Gini-Simpson index of their types: warps whose lanes diverge,
                 // branches that are mispredicted.
  kCostOfWork,   // A second of an item's own work.
  kCostTerms,
};
using CostVector = std::array<double, kCostTerms>;

// Of the way between host and device.
struct LinkCosts {
  double up = 0;             // Bytes a second, from pinned memory; 0 where nothing is copied.
  double down = 0;           // Likewise.
  double chunk_seconds = 0;  // What a chunk takes beside its bytes, in a stage.
};

// All that is known of a device.
struct DeviceCosts {
  double workers = 1;  // Items of one lane that run at a time.

  // By kConcretePolicies' places.
  std::array<CostVector, std::size(kConcretePolicies)> policies{};

  LinkCosts link{};
  double residual = 0;  // Mean relative error of the fit; 0 where there was none.
  std::string source;   // Where these are from, in words.

  CostVector& of(Policy policy) { return policies.at(place_of(policy)); }
  const CostVector& of(Policy policy) const { return policies.at(place_of(policy)); }

  // Of a policy that is not kAuto.
  static std::size_t place_of(Policy policy);
};

// What each cost is to be multiplied with.
CostVector cost_terms(Policy policy, const WorkFeatures& work, double workers);

double predict_seconds(Policy policy, const WorkFeatures& work, const DeviceCosts& costs);

// The item_seconds with which `policy` is predicted to take `seconds`; 0 where without any it takes
// longer.
double implied_item_seconds(Policy policy, const WorkFeatures& work, double seconds,
                            const DeviceCosts& costs);

// The policy that is predicted to be fastest. Of a set that does not spawn, all are one wave.
Policy choose_policy(const WorkFeatures& work, const DeviceCosts& costs);

// What a queue of unknown growth is taken for: a tree that doubles from wave to wave up to 32,768
// items or eight a root, of a microsecond each.
WorkFeatures assumed_growth(WorkFeatures known);

// The shipped costs: measured ones of an H200 for devices of its kind; for other GPUs the same with
// their number of multiprocessors, for CPUs those of two cores of a server, with a run and a wave
// that cost as many steps more as there are times twice its two cores.
DeviceCosts default_costs(const DeviceInfo& device);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_AUTO_POLICY_MODEL_H_
