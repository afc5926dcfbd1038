// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/digit_sort.h>
#include <millrace/algorithms/radix_sort/host_array_sort.h>
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/resident_sort.h>
#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/internal/op_table.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/seconds_since.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace millrace::radix_sort {
namespace {

// One of the arrays; empty if it is null.
struct Array {
  const char* name;
  const void* data;
  std::size_t element_bytes;
  std::size_t count;

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t end() const { return begin() + (data == nullptr ? 0 : element_bytes * count); }
};

void check_array(const Array& array, bool is_wanted) {
  if (is_wanted) check_not_null(array.name, array.data);
  if (!is_wanted && array.data != nullptr)
    reject(std::string(array.name) + " is not null but would not be used; leave it null");
  if (array.data != nullptr && array.begin() % array.element_bytes != 0) {
    reject(std::string(array.name) + " is at an address that is not a multiple of its elements' " +
           std::to_string(array.element_bytes) + " bytes; align it");
  }
}

void check_disjoint(const Array& output, const Array& other) {
  if (output.data == nullptr || other.data == nullptr) return;
  if (output.begin() < other.end() && other.begin() < output.end()) {
    reject(std::string(output.name) + " overlaps " + other.name + "; give them disjoint memory");
  }
}

void check_output(const Array& output, const Array& own_input, const Array& other_input) {
  if (output.data != own_input.data) check_disjoint(output, own_input);
  check_disjoint(output, other_input);
}

void check_type(const SortArguments& arguments) {
  const auto type = static_cast<int>(arguments.key_type);
  if (type > static_cast<int>(KeyType::kF16)) {
    reject("key_type is " + std::to_string(type) + "; it must be a KeyType, 0 to 10");
  }
  const int bits = static_cast<int>(8 * key_bytes(arguments.key_type));
  const int end = arguments.bits.end_of(arguments.key_type);
  if (arguments.bits.first < 0 || end > bits || arguments.bits.first >= end) {
    reject("bits are " + std::to_string(arguments.bits.first) + " to " + std::to_string(end) +
           "; for keys of " + std::to_string(bits) +
           " bits give 0 <= first < end <= " + std::to_string(bits));
  }
  const std::size_t bytes = arguments.value_bytes;
  if (bytes != 0 && bytes != 4 && bytes != 8) {
    reject("value_bytes is " + std::to_string(bytes) + "; it must be 0, 4 or 8");
  }
  if (arguments.is_argsort && bytes == 0)
    reject("value_bytes is 0 for an argsort; it must be 4 or 8, the bytes of an index");
}

void check_count(const SortArguments& arguments) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / 16;
  if (arguments.count > most) {
    reject("count is " + std::to_string(arguments.count) + "; it must be at most " +
           std::to_string(most));
  }
  constexpr std::uint64_t kMostByFourBytes = std::uint64_t{1} << 32;
  if (arguments.is_argsort && arguments.value_bytes == 4 && arguments.count > kMostByFourBytes) {
    reject("count is " + std::to_string(arguments.count) +
           "; indices of 4 bytes number at most 4294967296 keys; use value_bytes 8");
  }
}

// Returns the loop on the queue's own threads, or on those of the host.
PieceLoop piece_loop_of(Queue& queue) {
  if (auto* const of_target = OpTable<PieceLoopOp>::find(queue)) return of_target(queue);
  return [](std::size_t count, const auto& work) { HostThreads::shared().for_each(count, work); };
}

}  // namespace

namespace internal {

void check_arguments(const SortArguments& arguments) {
  check_type(arguments);
  check_count(arguments);
  const std::size_t key_size = key_bytes(arguments.key_type);
  const std::size_t value_size = arguments.value_bytes;
  const std::size_t count = arguments.count;
  const Array keys_in{"keys_in", arguments.keys_in, key_size, count};
  const Array keys_out{"keys_out", arguments.keys_out, key_size, count};
  const Array values_in{"values_in", arguments.values_in, value_size, count};
  const Array values_out{"values_out", arguments.values_out, value_size, count};
  check_array(keys_in, true);
  if (!arguments.is_argsort || keys_out.data != nullptr) check_array(keys_out, true);
  check_array(values_in, value_size > 0 && !arguments.is_argsort);
  check_array(values_out, value_size > 0);
  check_output(keys_out, keys_in, values_in);
  check_output(values_out, values_in, keys_in);
  check_disjoint(keys_out, values_out);
}

SortArguments with_known_count(Queue& queue, const SortArguments& capacity) {
  SortArguments arguments = capacity;
  if (arguments.count_in == nullptr) return arguments;
  std::uint64_t count = 0;
  queue.copy(&count, std::exchange(arguments.count_in, nullptr), sizeof count);
  queue.wait();
  if (count > capacity.count) {
    reject("count_in points to " + std::to_string(count) + ", and the arrays have capacity for " +
           std::to_string(capacity.count) + "; give it at most that");
  }
  arguments.count = count;
  return arguments;
}

void check_size(const char* name, std::size_t size, std::size_t keys) {
  if (size == keys) return;
  reject(std::string(name) + " has " + std::to_string(size) + " elements for " +
         std::to_string(keys) + " keys; the numbers must match");
}

void check_linked(const Queue& queue) {
  if (OpTable<SortStepsOp>::find(queue) == nullptr) OpTable<RadixSortOp>::at(queue);
}

void sort_checked(Queue& queue, const SortArguments& arguments, Policy policy, SortReport& report) {
  auto* const steps_of_device = OpTable<SortStepsOp>::find(queue);
  const bool is_on_device = steps_of_device != nullptr && arguments.space == MemorySpace::kDevice;
  if (is_by_digits(arguments) && !is_on_device) {
    report.partitions =
        static_cast<std::uint64_t>(digit_sort(queue.device(), arguments, piece_loop_of(queue)));
    return;
  }
  if (steps_of_device == nullptr) {
    OpTable<RadixSortOp>::at(queue)(queue, arguments, policy, report);
    return;
  }
  const DeviceSortSteps& steps = steps_of_device();
  if (arguments.space == MemorySpace::kDevice) {
    sort_resident(queue, steps, arguments);
  } else {
    sort_host_arrays(queue, steps, arguments, {.codec = arguments.codec}, report);
  }
}

}  // namespace internal

SortReport sort(Queue& queue, const SortArguments& capacity, Policy policy) {
  if (capacity.count > 0) internal::check_arguments(capacity);
  internal::check_linked(queue);
  queue.wait();
  const SortArguments arguments = internal::with_known_count(queue, capacity);
  SortReport report;
  if (arguments.count == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  internal::sort_checked(queue, arguments, policy, report);
  const auto end = std::chrono::steady_clock::now();
  report.seconds = seconds_between(start, end);
  return report;
}

}  // namespace millrace::radix_sort
