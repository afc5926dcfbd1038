// SPDX-License-Identifier: Apache-2.0

// A user's program: its own tasks and one of Millrace's algorithms, on the devices it is given.
#include "tasks.h"
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/runtime/tasks/task_list.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace {

std::uint64_t sum_below(millrace::Queue& queue, std::uint64_t count) {
  const std::shared_ptr<millrace::Device> device = queue.device().shared_from_this();
  millrace::Buffer<std::uint64_t> sum(device, millrace::MemorySpace::kPinned, 1);
  *sum.data() = 0;
  millrace::run_tasks(queue, millrace::TaskList<Tasks>(Sum{0, count, sum.data()}));
  return *sum.data();
}

bool sorts(millrace::Queue& queue) {
  std::vector<float> keys;
  for (int i = 0; i < 10000; ++i) keys.push_back(static_cast<float>(i * 7919 % 10007));
  std::vector<float> sorted(keys.size());
  millrace::radix_sort::sort_keys<float>(queue, std::span<const float>(keys), sorted,
                                         {.space = millrace::MemorySpace::kHost});
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1] > sorted[i]) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      const auto queue = millrace::open_device(argv[i])->make_queue();
      constexpr std::uint64_t kCount = 10000;
      const bool is_right = sum_below(*queue, kCount) == kCount * (kCount - 1) / 2 && sorts(*queue);
      std::printf("%s: %s\n", argv[i], is_right ? "right" : "wrong");
      if (!is_right) return 1;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return 0;
}
