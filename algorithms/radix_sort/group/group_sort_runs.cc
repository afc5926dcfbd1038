// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/group/group_sort_runs.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/stream/run_merge.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace millrace::radix_sort {
namespace {

// Returns the first device with memory of its own, which copies pinned memory faster; or device 0.
std::size_t owner_of_runs(const DeviceGroup& group) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!group.device(i)->info().shares_host_memory) return i;
  }
  return 0;
}

template <class Index>
void add_to_all(Index* indices, std::size_t count, std::size_t first) {
  constexpr std::size_t kSome = std::size_t{1} << 16;
  HostThreads::shared().for_each((count + kSome - 1) / kSome, [&](std::size_t i) {
    const std::size_t end = std::min(count, (i + 1) * kSome);
    for (std::size_t k = i * kSome; k < end; ++k) indices[k] += static_cast<Index>(first);
  });
}

class GroupRuns {
 public:
  GroupRuns(const DeviceGroup& group, const SortArguments& arguments, Policy policy,
            SortReport& report)
      : group_(group),
        arguments_(arguments),
        policy_(policy),
        report_(report),
        key_bytes_(key_bytes(arguments.key_type)),
        memory_(group.queue(owner_of_runs(group))),
        keys_(take(key_bytes_)),
        values_(take(arguments.value_bytes)) {}

  void run(std::size_t least_records) {
    report_.portions =
        share_items(group_,
                    {.operation = "records sorted in runs",
                     .items = arguments_.count,
                     .least = least_records,
                     .first_fraction = 1},
                    [this](std::size_t device, const ItemRange& records, const std::stop_token&) {
                      return sort_run(group_.queue(device), {records.begin, records.size()});
                    });
    std::sort(runs_.begin(), runs_.end(),
              [](const RecordSpan& a, const RecordSpan& b) { return a.first < b.first; });
    SortArguments merged = arguments_;
    merged.keys_in = keys_;
    merged.values_in = values_;
    merge_runs(merged, runs_);
  }

 private:
  std::byte* take(std::size_t element_bytes) {
    const std::size_t owner = owner_of_runs(group_);
    const MemorySpace space =
        group_.device(owner)->info().shares_host_memory ? MemorySpace::kHost : MemorySpace::kPinned;
    return memory_.take_array<std::byte>(space, element_bytes * arguments_.count);
  }

  LinkBytes sort_run(Queue& queue, const RecordSpan& run) {
    const std::size_t value_bytes = arguments_.value_bytes;
    SortArguments of_run = arguments_;
    of_run.count = run.count;
    of_run.space = MemorySpace::kHost;
    of_run.keys_in = static_cast<const std::byte*>(arguments_.keys_in) + key_bytes_ * run.first;
    of_run.keys_out = keys_ + key_bytes_ * run.first;
    if (arguments_.values_in != nullptr) {
      of_run.values_in =
          static_cast<const std::byte*>(arguments_.values_in) + value_bytes * run.first;
    }
    of_run.values_out = value_bytes > 0 ? values_ + value_bytes * run.first : nullptr;
    SortReport report;
    internal::sort_checked(queue, of_run, policy_, report);
    if (arguments_.is_argsort) number_from(run, of_run.values_out);
    add(run, report);
    return {report.bytes_up, report.bytes_down};
  }

  // Adds the run's first record to its indices, which count from there.
  void number_from(const RecordSpan& run, void* indices) const {
    if (arguments_.value_bytes == 4) {
      add_to_all(static_cast<std::uint32_t*>(indices), run.count, run.first);
    } else {
      add_to_all(static_cast<std::uint64_t*>(indices), run.count, run.first);
    }
  }

  void add(const RecordSpan& run, const SortReport& report) {
    const std::lock_guard lock(mutex_);
    runs_.push_back(run);
    report_.policy = report.policy;
    report_.partitions += report.partitions;
    report_.buckets += report.buckets;
    report_.bytes_up += report.bytes_up;
    report_.bytes_down += report.bytes_down;
    if (report.codec != "raw") report_.codec = report.codec;
    report_.coded_segments += report.coded_segments;
    report_.raw_segments += report.raw_segments;
    report_.codec_trials += report.codec_trials;
  }

  const DeviceGroup& group_;
  const SortArguments& arguments_;
  const Policy policy_;
  SortReport& report_;
  const std::size_t key_bytes_;
  SortMemory memory_;
  std::byte* const keys_;  // Sorted runs.
  std::byte* const values_;
  std::mutex mutex_;
  std::vector<RecordSpan> runs_;
};

}  // namespace

void sort_in_group_runs(const DeviceGroup& group, const SortArguments& arguments, Policy policy,
                        std::size_t least_records, SortReport& report) {
  GroupRuns(group, arguments, policy, report).run(least_records);
}

}  // namespace millrace::radix_sort
