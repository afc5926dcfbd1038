// SPDX-License-Identifier: Apache-2.0

// An allocator for containers of large memory, which has huge pages if the system allows them: a
// page fault for each 4 KiB takes longer than to write them. No constructor is called for elements
// that are given no value: they are uninitialised.
//
//   std::vector<std::uint8_t, HugePageAllocator<std::uint8_t>> samples(3 << 20);
#ifndef MILLRACE_RUNTIME_HOST_HUGE_PAGE_ALLOCATOR_H_
#define MILLRACE_RUNTIME_HOST_HUGE_PAGE_ALLOCATOR_H_

#include <millrace/runtime/host/host_memory.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace millrace {

// All instances are equal. Memory of less than 1 MiB has ordinary pages.
template <class T>
class HugePageAllocator {
 public:
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= 64);
  using value_type = T;

  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>& /*other*/) noexcept {}  // NOLINT: converts.

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_alloc();
    void* const memory = allocate_untouched(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*count*/) noexcept { free_host_memory(memory); }

  template <class Element>
  void construct(Element* /*element*/) noexcept {}
  template <class Element, class... Arguments>
  void construct(Element* element, Arguments&&... arguments) {
    std::construct_at(element, std::forward<Arguments>(arguments)...);
  }

  bool operator==(const HugePageAllocator&) const = default;
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HUGE_PAGE_ALLOCATOR_H_
