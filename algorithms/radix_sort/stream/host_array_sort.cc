// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/small_sort.h>
#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/resident_sort.h>
#include <millrace/algorithms/radix_sort/sort_memory.h>
#include <millrace/algorithms/radix_sort/stream/run_merge.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort.h>
#include <millrace/algorithms/radix_sort/stream/streamed_sort_plan.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/memory_space.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace millrace::radix_sort {
namespace {

std::size_t record_bytes(const SortArguments& arguments) {
  return key_bytes(arguments.key_type) + arguments.value_bytes;
}

void sort_serially(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                   SortReport& report) {
  SortMemory memory(queue);
  const QueueGuard guard(queue);
  const std::size_t all_keys = key_bytes(arguments.key_type) * arguments.count;
  const std::size_t all_values = arguments.value_bytes * arguments.count;
  SortArguments resident = arguments;
  resident.space = MemorySpace::kDevice;
  const auto upload = [&](const void* from, std::size_t bytes) -> void* {
    if (from == nullptr) return nullptr;
    void* const to = memory.take(MemorySpace::kDevice, bytes);
    queue.copy(to, from, bytes);
    report.bytes_up += bytes;
    return to;
  };
  const auto download = [&](void* to, const void* from, std::size_t bytes) {
    if (to == nullptr) return;
    queue.copy(to, from, bytes);
    report.bytes_down += bytes;
  };
  resident.keys_in = upload(arguments.keys_in, all_keys);
  resident.values_in = upload(arguments.values_in, all_values);
  resident.keys_out = memory.take(MemorySpace::kDevice, all_keys);
  resident.values_out = memory.take(MemorySpace::kDevice, all_values);
  enqueue_resident_sort(queue, steps, resident, memory);
  download(arguments.keys_out, resident.keys_out, all_keys);
  download(arguments.values_out, resident.values_out, all_values);
  queue.wait();
}

HostArraySortScheme scheme_for(const SortArguments& arguments, std::size_t first_index,
                               HostArraySortScheme wanted) {
  if (wanted == HostArraySortScheme::kAuto &&
      is_profitable_on_host(arguments.count, arguments.value_bytes > 0, arguments.is_argsort)) {
    return HostArraySortScheme::kHost;
  }
  if (wanted == HostArraySortScheme::kHost) return wanted;
  if (first_index > 0) return HostArraySortScheme::kStreamed;
  if (wanted != HostArraySortScheme::kAuto) return wanted;
  return is_profitable_to_stream(arguments.count, record_bytes(arguments), arguments.space,
                                 arguments.value_bytes > 0, arguments.is_argsort)
             ? HostArraySortScheme::kStreamed
             : HostArraySortScheme::kSerial;
}

// Sorts arrays that fit on the device.
void sort_at_once(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                  std::size_t first_index, const HostArraySortOptions& options,
                  SortReport& report) {
  switch (scheme_for(arguments, first_index, options.scheme)) {
    case HostArraySortScheme::kHost: return sort_small(arguments, first_index);
    case HostArraySortScheme::kStreamed:
      return sort_streamed(queue, steps, arguments, first_index, options, report);
    default: sort_serially(queue, steps, arguments, report);
  }
}

// Returns the arguments that sort a run of the inputs to the same indices of other outputs.
SortArguments arguments_of(const RecordSpan& run, const SortArguments& arguments,
                           std::byte* keys_out, std::byte* values_out) {
  const std::size_t first_key = key_bytes(arguments.key_type) * run.first;
  const std::size_t first_value = arguments.value_bytes * run.first;
  SortArguments of_run = arguments;
  of_run.count = run.count;
  of_run.keys_in = static_cast<const std::byte*>(arguments.keys_in) + first_key;
  of_run.keys_out = keys_out + first_key;
  if (arguments.values_in != nullptr) {
    of_run.values_in = static_cast<const std::byte*>(arguments.values_in) + first_value;
  }
  of_run.values_out = arguments.value_bytes > 0 ? values_out + first_value : nullptr;
  return of_run;
}

void sort_in_runs(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                  const HostArraySortOptions& options, std::size_t most_records,
                  SortReport& report) {
  // Not from a pool: it is more than devices have, and its pages take little of the time.
  const auto device = queue.device().shared_from_this();
  const auto take = [&](std::size_t bytes) {
    return Buffer<std::byte>(device, MemorySpace::kHost, bytes * arguments.count);
  };
  Buffer<std::byte> keys = take(key_bytes(arguments.key_type));
  Buffer<std::byte> values = take(arguments.value_bytes);
  std::vector<RecordSpan> runs;
  for (std::size_t first = 0; first < arguments.count; first += most_records) {
    runs.push_back({first, std::min(most_records, arguments.count - first)});
    SortArguments run = arguments_of(runs.back(), arguments, keys.data(), values.data());
    run.space = MemorySpace::kHost;
    sort_at_once(queue, steps, run, first, options, report);
  }
  SortArguments merged = arguments;
  merged.keys_in = keys.data();
  merged.values_in = values.data();
  merge_runs(merged, runs);
}

}  // namespace

void sort_host_arrays(Queue& queue, const DeviceSortSteps& steps, const SortArguments& arguments,
                      const HostArraySortOptions& options, SortReport& report) {
  std::size_t most =
      options.most_records != 0
          ? options.most_records
          : most_records_on_device(queue.device().info().memory_bytes,
                                   key_bytes(arguments.key_type), arguments.value_bytes);
  const std::size_t least = options.least_run != 0 ? options.least_run : kLeastRun;
  while (true) {
    report = {};
    try {
      if (arguments.count <= most) return sort_at_once(queue, steps, arguments, 0, options, report);
      return sort_in_runs(queue, steps, arguments, options, most, report);
    } catch (const Error& error) {
      // Others use the device's memory, too, so shorter runs may fit.
      const bool is_least = most < least || std::min(most, arguments.count) < 2;
      if (error.code() != ErrorCode::kOutOfMemory || is_least) throw;
    }
    most = std::min(most, arguments.count) / 2;
  }
}

}  // namespace millrace::radix_sort
