// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/radix_sort/cpu/aligned_bytes.h>
#include <millrace/algorithms/radix_sort/cpu/thread_scratch.h>
#include <millrace/runtime/host/per_thread.h>

namespace millrace::radix_sort {

std::byte* thread_scratch(std::size_t bytes) {
  struct Scratch {
    AlignedBytes memory;
    std::size_t size = 0;
  };
  static auto& scratches = *new PerThread<Scratch>;
  Scratch& own = scratches.get();
  if (own.size < bytes) {
    own.size = 0;
    own.memory.reset();
    own.memory = aligned_bytes(bytes);
    own.size = bytes;
  }
  return own.memory.get();
}

}  // namespace millrace::radix_sort
