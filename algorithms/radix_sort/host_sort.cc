#include <millrace/algorithms/radix_sort/host_sort.h>

#include <algorithm>
#include <cstddef>

#include <millrace/algorithms/radix_sort/host_sort_memory.h>
#include <millrace/algorithms/radix_sort/host_sort_plan.h>
#include <millrace/algorithms/radix_sort/host_sort_resident.h>
#include <millrace/algorithms/radix_sort/host_sort_streamed.h>

namespace millrace::radix_sort {
namespace {

void sort_serially(Queue& queue, const SortArguments& arguments, SortReport& report) {
  SortMemory memory(queue);
  const QueueGuard guard(queue);
  const std::size_t all_keys = key_bytes(arguments.key_type) * arguments.count;
  const std::size_t all_values = arguments.value_bytes * arguments.count;
  SortArguments resident = arguments;
  resident.space = MemorySpace::kDevice;
  const auto bring_up = [&](const void* from, std::size_t bytes) -> void* {
    if (from == nullptr) return nullptr;
    void* const to = memory.take(MemorySpace::kDevice, bytes);
    queue.copy(to, from, bytes);
    report.bytes_up += bytes;
    return to;
  };
  const auto bring_down = [&](void* to, const void* from, std::size_t bytes) {
    if (to == nullptr) return;
    queue.copy(to, from, bytes);
    report.bytes_down += bytes;
  };
  resident.keys_in = bring_up(arguments.keys_in, all_keys);
  resident.values_in = bring_up(arguments.values_in, all_values);
  resident.keys_out = memory.take(MemorySpace::kDevice, all_keys);
  resident.values_out = memory.take(MemorySpace::kDevice, all_values);
  enqueue_resident_sort(queue, resident, memory);
  bring_down(arguments.keys_out, resident.keys_out, all_keys);
  bring_down(arguments.values_out, resident.values_out, all_values);
  queue.wait();
}

}  // namespace

void sort_on_host(Queue& queue, const SortArguments& arguments, const HostSortOptions& options,
                  SortReport& report) {
  const std::size_t record_bytes = key_bytes(arguments.key_type) + arguments.value_bytes;
  const bool is_streamed = options.scheme == HostSortScheme::kStreamed ||
                           (options.scheme == HostSortScheme::kAuto &&
                            is_worth_streaming(arguments.count, record_bytes));
  if (is_streamed) {
    sort_streamed(queue, arguments, 0, options, report);
  } else {
    sort_serially(queue, arguments, report);
  }
}

}  // namespace millrace::radix_sort
