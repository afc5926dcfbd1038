// SPDX-License-Identifier: Apache-2.0

// An application of Kokkos that sorts a view by Millrace, on an execution space instance of its
// own.
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/backends/kokkos/interop.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace {

using Execution = Kokkos::DefaultHostExecutionSpace;

bool sorts_a_view() {
  constexpr std::uint32_t kCount = 1000000;
  const Execution instance;
  const Kokkos::View<std::uint32_t*, Kokkos::HostSpace> keys("keys", kCount);
  Kokkos::parallel_for(Kokkos::RangePolicy<Execution>(instance, 0, kCount),
                       [keys](int i) { keys(i) = static_cast<std::uint32_t>(i) * 2654435761u; });
  instance.fence();
  const auto queue = millrace::kokkos::make_queue(instance);
  const auto span = millrace::kokkos::span_of(keys);
  millrace::radix_sort::sort_keys<std::uint32_t>(*queue, {span.data(), span.size()},
                                                 {span.data(), span.size()});
  for (std::uint32_t i = 1; i < kCount; ++i) {
    if (keys(i - 1) > keys(i)) return false;
  }
  return true;
}

}  // namespace

int main() {
  const Kokkos::ScopeGuard guard;
  const bool is_sorted = sorts_a_view();
  std::printf("a view of %s: %s\n", Execution::name(), is_sorted ? "sorted" : "not sorted");
  return is_sorted ? EXIT_SUCCESS : EXIT_FAILURE;
}
