// SPDX-License-Identifier: Apache-2.0

// Radix sort on GPUs.
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/algorithms/radix_sort/resident_sort.h>
#include <millrace/algorithms/radix_sort/stream/host_array_sort.h>
#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/core/op_table.h>

namespace millrace::MILLRACE_GPU {
namespace {

void sort(Queue& queue, const radix_sort::SortArguments& arguments, Policy /*policy*/,
          radix_sort::SortReport& report) {
  if (arguments.space == MemorySpace::kDevice) {
    radix_sort::sort_resident(queue, arguments);
  } else {
    radix_sort::sort_on_host(queue, arguments, {.codec = arguments.codec}, report);
  }
}

const RegisterOp<radix_sort::RadixSortOp> registered(kBackend, &sort);

}  // namespace
}  // namespace millrace::MILLRACE_GPU
