// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/radix_sort.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include <millrace/runtime/core/error.h>
#include <millrace/runtime/core/op_table.h>

namespace millrace::radix_sort {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kInvalidArgument, message);
}

// One of the arrays; empty where it is null.
struct Array {
  const char* name;
  const void* data;
  std::size_t element_bytes;
  std::size_t count;

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t end() const { return begin() + (data == nullptr ? 0 : element_bytes * count); }
};

void check_array(const Array& array, bool is_wanted) {
  const std::string name = array.name;
  if (is_wanted && array.data == nullptr) refuse(name + " is null");
  if (!is_wanted && array.data != nullptr) refuse(name + " is not null; it would not be used");
  if (array.data != nullptr && array.begin() % array.element_bytes != 0) {
    refuse(name + " is at an address that is not a multiple of its elements' " +
           std::to_string(array.element_bytes) + " bytes");
  }
}

void check_apart(const Array& output, const Array& other) {
  if (output.data == nullptr || other.data == nullptr) return;
  if (output.begin() < other.end() && other.begin() < output.end()) {
    refuse(std::string(output.name) + " overlaps " + other.name);
  }
}

void check_output(const Array& output, const Array& own_input, const Array& other_input) {
  if (output.data != own_input.data) check_apart(output, own_input);
  check_apart(output, other_input);
}

void check_type(const SortArguments& arguments) {
  const auto type = static_cast<int>(arguments.key_type);
  if (type > static_cast<int>(KeyType::kF64)) {
    refuse("key_type is " + std::to_string(type) + "; it is 0 to 5");
  }
  const std::size_t bytes = arguments.value_bytes;
  if (bytes != 0 && bytes != 4 && bytes != 8) {
    refuse("value_bytes is " + std::to_string(bytes) + "; it is 0, 4 or 8");
  }
  if (arguments.is_argsort && bytes == 0) refuse("value_bytes is 0; indices have 4 or 8");
}

void check_count(const SortArguments& arguments) {
  const std::size_t most = std::numeric_limits<std::size_t>::max() / 16;
  if (arguments.count > most) {
    refuse("count is " + std::to_string(arguments.count) + "; at most " + std::to_string(most) +
           " can be in memory");
  }
  constexpr std::uint64_t kMostByFourBytes = std::uint64_t{1} << 32;
  if (arguments.is_argsort && arguments.value_bytes == 4 && arguments.count > kMostByFourBytes) {
    refuse("count is " + std::to_string(arguments.count) +
           "; indices of 4 bytes tell 4294967296 keys apart");
  }
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
  check_apart(keys_out, values_out);
}

void check_size(const char* name, std::size_t size, std::size_t keys) {
  if (size == keys) return;
  refuse(std::string(name) + " has " + std::to_string(size) + " elements for " +
         std::to_string(keys) + " keys");
}

}  // namespace internal

SortReport sort(Queue& queue, const SortArguments& arguments, Policy policy) {
  if (arguments.count > 0) internal::check_arguments(arguments);
  auto& implementation = OpTable<RadixSortOp>::at(queue);
  queue.wait();
  SortReport report;
  if (arguments.count == 0) return report;
  const auto start = std::chrono::steady_clock::now();
  implementation(queue, arguments, policy, report);
  const auto end = std::chrono::steady_clock::now();
  report.seconds = std::chrono::duration<double>(end - start).count();
  return report;
}

}  // namespace millrace::radix_sort
