// SPDX-License-Identifier: Apache-2.0

// Uninitialized memory aligned to a cache line.
#ifndef MILLRACE_ALGORITHMS_RADIX_SORT_CPU_ALIGNED_BYTES_H_
#define MILLRACE_ALGORITHMS_RADIX_SORT_CPU_ALIGNED_BYTES_H_

#include <millrace/algorithms/radix_sort/cpu/simd/radix_sort_simd.h>

#include <cstddef>
#include <memory>
#include <new>

namespace millrace::radix_sort {

struct AlignedDelete {
  void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{kCacheLine}); }
};
using AlignedBytes = std::unique_ptr<std::byte, AlignedDelete>;

// Throws std::bad_alloc.
inline AlignedBytes aligned_bytes(std::size_t count) {
  return AlignedBytes(
      static_cast<std::byte*>(::operator new (count, std::align_val_t{kCacheLine})));
}

}  // namespace millrace::radix_sort

#endif  // MILLRACE_ALGORITHMS_RADIX_SORT_CPU_ALIGNED_BYTES_H_
