// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/recursion/merge_sort.h>
#include <millrace/docs/examples/recursion/merge_sort_tasks.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/peers/merge_sort_peers.h>
#include <millrace/tools/benchmarks/workloads/joins/merge_sort_workload.h>

#include <memory>
#include <span>
#include <vector>

namespace millrace::tools {
namespace {

using examples::SortPair;

constexpr std::uint32_t kKeys = 1'000'000;

struct MergeSortCase {
  explicit MergeSortCase(std::size_t size)
      : pairs(examples::random_pairs(size, kKeys, /*seed=*/1)),
        sorted(examples::sort_directly(pairs)) {}

  void expect(const std::vector<SortPair>& result) const {
    if (result == sorted) return;
    throw Error(ErrorCode::kInternal, "the pairs are not those of std::stable_sort");
  }

  std::vector<SortPair> pairs;
  std::vector<SortPair> sorted;
};

// The queue, and the arrays in its device's memory.
struct DeviceSorter {
  DeviceSorter(const std::shared_ptr<Device>& device, std::size_t size)
      : queue(device->make_queue()), sorter(*queue, size) {}

  void load(std::span<const SortPair> pairs) { sorter.load(pairs); }
  std::vector<SortPair> pairs() { return sorter.pairs(); }

  std::unique_ptr<Queue> queue;
  examples::MergeSorter sorter;
};

// A peer's arrays, with the sizes of tasks that a device has.
class PeerSorter {
 public:
  PeerSorter(const MergeSortPeer& peer, std::size_t size)
      : peer_(peer), pairs_(size), scratch_(size) {}

  void load(std::span<const SortPair> pairs) { pairs_.assign(pairs.begin(), pairs.end()); }
  const std::vector<SortPair>& pairs() const { return pairs_; }

  void sort() {
    const examples::MergeSortOptions options;
    peer_.sort({{.pairs = pairs_.data(),
                 .scratch = scratch_.data(),
                 .cut_off = static_cast<std::uint32_t>(options.cut_off),
                 .segment = static_cast<std::uint32_t>(options.segment)},
                0,
                static_cast<std::uint32_t>(pairs_.size()),
                false});
  }

 private:
  MergeSortPeer peer_;
  std::vector<SortPair> pairs_;
  std::vector<SortPair> scratch_;
};

template <class Sorter, class Sort>
WorkRun run_of(const std::shared_ptr<const MergeSortCase>& work,
               const std::shared_ptr<Sorter>& sorter, const Sort& sort) {
  return {.check =
              [=] {
                sorter->load(work->pairs);
                sort();
                work->expect(sorter->pairs());
                return RunAmount{static_cast<double>(work->pairs.size())};
              },
          .run =
              [=] {
                sorter->load(work->pairs);
                return seconds_of(sort);
              }};
}

PreparedWork prepare_merge_sort(const std::shared_ptr<Device>& device, std::size_t size) {
  const auto work = std::make_shared<const MergeSortCase>(size);
  const auto sorter = std::make_shared<DeviceSorter>(device, size);
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    prepared.runs.push_back(
        run_of(work, sorter, [=] { sorter->sorter.sort({.run = {.policy = policy}}); }));
    prepared.runs.back().policy = to_string(policy);
  }
  if (!device->info().shares_host_memory || device->info().is_simulated) return prepared;
  for (const MergeSortPeer& peer : merge_sort_peers()) {
    const auto theirs = std::make_shared<PeerSorter>(peer, size);
    prepared.runs.push_back(run_of(work, theirs, [=] { theirs->sort(); }));
    prepared.runs.back().peer = peer.name;
  }
  return prepared;
}

}  // namespace

Workload merge_sort_workload() {
  Workload workload;
  workload.name = "joins-merge-sort";
  workload.what = "stable merge sort of SIZE pairs, each range a task with a join";
  workload.item_name = "pairs";
  workload.sizes = SizeChoice{.cpu = {100'000, 4'000'000},
                              .gpu = {100'000, 1'000'000, 10'000'000},
                              .quick = 100'000,
                              .simulated = 2000};
  workload.size_rule = "is 1 to 100000000";
  workload.is_size = [](std::uint64_t size) { return size >= 1 && size <= 100'000'000; };
  workload.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                        std::uint64_t size) { return prepare_merge_sort(device, size); };
  return workload;
}

}  // namespace millrace::tools
