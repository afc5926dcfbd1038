// SPDX-License-Identifier: Apache-2.0

// Working memory of a sort.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_

#include <millrace/algorithms/radix_sort/sort_steps.h>
#include <millrace/runtime/core/memory_space.h>
#include <millrace/runtime/host/scratch_memory.h>

#include <cstddef>

namespace millrace::radix_sort {

// Scratch memory that also comes as records.
class SortMemory : public ScratchMemory {
 public:
  using ScratchMemory::ScratchMemory;

  // Returns records in device memory, whose values are null where they have no bytes.
  Records take_records(RecordSize size, std::size_t count) {
    void* const keys = take(MemorySpace::kDevice, size.key * count);
    return {keys, take(MemorySpace::kDevice, size.value * count)};
  }
};

// Returns the records from `index` on.
inline Records advance(const Records& records, RecordSize size, std::size_t index) {
  return {static_cast<char*>(records.keys) + size.key * index,
          records.values == nullptr ? nullptr
                                    : static_cast<char*>(records.values) + size.value * index};
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_SORT_MEMORY_H_
