// SPDX-License-Identifier: Apache-2.0

// After fork(): the child uses CPUs, and is notified of GPUs that stayed with its parent.
#include <millrace/algorithms/radix_sort/radix_sort.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_threads.h>
#include <millrace/runtime/host/process/process.h>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace millrace {
namespace {

// Returns true if check() is true in a child.
template <class Check>
bool holds_in_child(const Check& check) {
  const pid_t child = fork();
  if (child == 0) {
    bool is_true = false;
    try {
      is_true = check();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    _exit(is_true ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_FALSE(WIFSIGNALED(status)) << "signal " << WTERMSIG(status);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// A small number for a simulated GPU, but more than the host would sort for it.
bool sorts(Queue& queue) {
  std::vector<std::uint32_t> keys(queue.device().info().is_simulated ? 30000 : 1000000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i * 2654435761u;
  std::vector<std::uint32_t> sorted(keys.size());
  radix_sort::sort_keys<std::uint32_t>(queue, std::span<const std::uint32_t>(keys), sorted,
                                       {.space = MemorySpace::kHost});
  return std::is_sorted(sorted.begin(), sorted.end());
}

// True if `work` throws kDeviceLost with a message that names fork().
template <class Work>
bool reports_fork(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string words = error.what();
    std::fprintf(stderr, "in the child: %s\n", error.what());
    return error.code() == ErrorCode::kDeviceLost && words.find("fork()") != std::string::npos;
  }
  return false;
}

TEST(Process, CountsForks) {
  const int here = process_generation();
  EXPECT_TRUE(holds_in_child([here] {
    return process_generation() == here + 1 &&
           holds_in_child([here] { return process_generation() == here + 2; });
  }));
  EXPECT_EQ(process_generation(), here);
}

TEST(Fork, ChildHasHostThreadsOfItsOwn) {
  const auto works = [] {
    std::vector<int> seen(1000);
    HostThreads::shared().for_each(seen.size(), [&](std::size_t i) { ++seen[i]; });
    std::atomic<bool> is_started = false;
    HostThreads::shared().start([&] {
      is_started = true;
      is_started.notify_all();
    });
    is_started.wait(false);  // By a thread of the team, which nobody else can do.
    return seen == std::vector<int>(1000, 1);
  };
  EXPECT_TRUE(works());
  EXPECT_TRUE(holds_in_child(works));
  EXPECT_TRUE(works());
}

TEST(Fork, CpusWorkInTheChild) {
  const auto device = open_device("tbb");
  const auto queue = device->make_queue();
  EXPECT_TRUE(sorts(*queue));
  EXPECT_TRUE(holds_in_child([] { return sorts(*open_device("tbb")->make_queue()); }));
  EXPECT_TRUE(holds_in_child([&] { return sorts(*device->make_queue()); }));
  EXPECT_TRUE(holds_in_child([&] { return sorts(*queue); }));
  EXPECT_TRUE(sorts(*queue));
}

// Objects of the parent go in the child, too, and wait for nothing there.
TEST(Fork, GpusStayWithTheParent) {
  for (const DeviceInfo& info : list_devices()) {
    if (info.shares_host_memory) continue;
    SCOPED_TRACE(info.name);
    auto device = open_device(info.name);
    auto queue = device->make_queue();
    auto buffer = std::make_unique<Buffer<std::byte>>(device, MemorySpace::kDevice, 1000);
    EXPECT_TRUE(sorts(*queue));
    EXPECT_TRUE(holds_in_child([&] {
      const bool reports =
          reports_fork([&] { device->make_queue(); }) && reports_fork([&] {
            fill_bytes(*queue, buffer->span(), std::byte{1});
            queue->wait();
          }) &&
          reports_fork([&] { Buffer<std::byte>(device, MemorySpace::kDevice, 1000); }) &&
          reports_fork([&] { open_device(info.name); });
      buffer.reset();
      queue.reset();
      device.reset();
      return reports && sorts(*open_device("tbb")->make_queue());
    }));
    EXPECT_TRUE(sorts(*queue));
  }
}

}  // namespace
}  // namespace millrace
