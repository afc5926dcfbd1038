// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/radix_sort_simd.h>
#include <millrace/algorithms/radix_sort/cpu/thread_scratch.h>
#include <millrace/runtime/host/per_thread.h>

#include <memory>
#include <new>

namespace millrace::radix_sort {

std::byte* thread_scratch(std::size_t bytes) {
  struct Free {
    void operator()(std::byte* memory) const {
      ::operator delete (memory, std::align_val_t{kCacheLine});
    }
  };
  struct Scratch {
    std::unique_ptr<std::byte, Free> memory;
    std::size_t size = 0;
  };
  static auto& scratches = *new PerThread<Scratch>;
  Scratch& own = scratches.get();
  if (own.size < bytes) {
    own.size = 0;
    own.memory.reset();
    own.memory.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kCacheLine})));
    own.size = bytes;
  }
  return own.memory.get();
}

}  // namespace millrace::radix_sort
