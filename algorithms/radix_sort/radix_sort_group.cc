#include <millrace/algorithms/radix_sort/radix_sort.h>

#include <chrono>

#include <millrace/algorithms/radix_sort/group_sort_runs.h>
#include <millrace/runtime/error.h>
#include <millrace/runtime/op_table.h>

namespace millrace::radix_sort {

SortReport sort(const DeviceGroup& group, const SortArguments& arguments, Policy policy) {
  if (group.size() == 1) return sort(group.queue(0), arguments, policy);
  if (arguments.count > 0) internal::check_arguments(arguments);
  if (arguments.space == MemorySpace::kDevice) {
    throw Error(ErrorCode::kInvalidArgument,
                "space is kDevice; a group of several devices sorts arrays of the host");
  }
  for (std::size_t i = 0; i < group.size(); ++i) OpTable<RadixSortOp>::at(group.queue(i));
  group.wait();
  SortReport report;
  if (arguments.count == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  sort_in_group_runs(group, arguments, policy, kLeastRecordsOfDevice, report);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  report.seconds = taken.count();
  return report;
}

}  // namespace millrace::radix_sort
