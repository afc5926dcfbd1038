// SPDX-License-Identifier: Apache-2.0

// A user's program in a Bazel workspace of its own.
#include "tasks.h"
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

#include <cstdint>
#include <cstdio>
#include <memory>

int main() {
  constexpr std::uint64_t kCount = 10000;
  for (const char* name : {"tbb", "simt:1"}) {
    const std::shared_ptr<millrace::Device> device = millrace::open_device(name);
    const auto queue = device->make_queue();
    millrace::Buffer<std::uint64_t> sum(device, millrace::MemorySpace::kPinned, 1);
    *sum.data() = 0;
    millrace::run_tasks(*queue, millrace::TaskList<Tasks>(Sum{0, kCount, sum.data()}));
    std::printf("%s: %llu\n", name, static_cast<unsigned long long>(*sum.data()));
    if (*sum.data() != kCount * (kCount - 1) / 2) return 1;
  }
  return 0;
}
