// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/algorithms/radix_sort/group/group_sort_peers.h>
#include <millrace/algorithms/radix_sort/group/group_sort_runs.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/check.h>

#include <algorithm>
#include <chrono>

namespace millrace::radix_sort {
namespace {

// Sorts of fewer records are not faster on a second device: one H200 takes a millisecond for them
// (docs/experiments/when_several_gpus_share_a_call.md).
constexpr std::size_t kLeastRecordsOfGroup = std::size_t{1} << 21;

// Sorts by one device, the one with the most lanes.
void sort_by_fastest(const DeviceGroup& group, const SortArguments& arguments, Policy policy,
                     SortReport& report) {
  const std::vector<DeviceInfo> infos = group.infos();
  const auto speeds = DeviceSpeeds::shared().of("records sorted by one", infos);
  const auto fastest = std::max_element(speeds.begin(), speeds.end()) - speeds.begin();
  Queue& queue = group.queue(static_cast<std::size_t>(fastest));
  const auto start = std::chrono::steady_clock::now();
  internal::sort_checked(queue, arguments, policy, report);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  for (const DeviceInfo& info : infos) report.portions.push_back({.device = info.name});
  report.portions[static_cast<std::size_t>(fastest)] = {.device = queue.device().info().name,
                                                        .items = arguments.count,
                                                        .pieces = 1,
                                                        .seconds = taken.count(),
                                                        .bytes_up = report.bytes_up,
                                                        .bytes_down = report.bytes_down};
}

}  // namespace

SortReport sort(const DeviceGroup& group, const SortArguments& capacity, Policy policy) {
  if (group.size() == 1) return sort(group.queue(0), capacity, policy);
  if (capacity.count > 0) internal::check_arguments(capacity);
  if (capacity.space == MemorySpace::kDevice) {
    reject(
        "space is kDevice; a group of several devices sorts arrays of the host: use kHost "
        "or kPinned");
  }
  for (std::size_t i = 0; i < group.size(); ++i) internal::check_linked(group.queue(i));
  group.wait();
  const SortArguments arguments = internal::with_known_count(group.queue(0), capacity);
  SortReport report;
  if (arguments.count == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  if (arguments.count < kLeastRecordsOfGroup || is_by_digits(arguments)) {
    sort_by_fastest(group, arguments, policy, report);
  } else if (can_sort_by_peers(group, arguments)) {
    sort_by_peers(group, arguments, report);
  } else {
    sort_in_group_runs(group, arguments, policy, kLeastRecordsOfDevice, report);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace millrace::radix_sort
