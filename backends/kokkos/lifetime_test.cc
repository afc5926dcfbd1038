// SPDX-License-Identifier: Apache-2.0

// Tests of the initialization and finalization of Kokkos by either side, and of the objects that
// remain after it. Each runs in a process of its own, because Kokkos has one lifetime per process.
#include <millrace/backends/kokkos/count_node.h>
#include <millrace/backends/kokkos/interop.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>

namespace millrace::kokkos {
namespace {

// The status with which a child exits if check() is true.
constexpr int kTrue = 40;

template <class Check>
bool holds_in_child(const Check& check) {
  const pid_t child = fork();
  if (child == 0) {
    int status = 1;
    try {
      if (check()) status = kTrue;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    std::exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == kTrue;
}

bool counts(Queue& queue) {
  std::uint64_t nodes = 0;
  const TaskList<CountTasks> root(CountNode{&nodes, 8});
  run_tasks(queue, root);
  return nodes == 511;
}

bool is_lost(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kDeviceLost;
  }
  return false;
}

TEST(KokkosLifetime, TheApplicationInitialisesAndFinalisesAroundMillrace) {
  EXPECT_TRUE(holds_in_child([] {
    Kokkos::initialize();
    const bool counted = counts(*open_device("kokkos")->make_queue());
    Kokkos::finalize();
    return counted;
  }));
}

TEST(KokkosLifetime, MillraceInitialisesWhenADeviceIsOpenedNotWhenItIsListed) {
  EXPECT_TRUE(holds_in_child([] {
    list_devices();
    if (Kokkos::is_initialized()) return false;
    const auto queue = open_device("kokkos")->make_queue();
    return Kokkos::is_initialized() && counts(*queue);
  }));
}

TEST(KokkosLifetime, WhatMillraceHasInitialisedIsFinalisedAtTheEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_TRUE(holds_in_child([&] {
    const auto device = open_device("kokkos");
    Kokkos::push_finalize_hook([&ends] { (void)!write(ends[1], "f", 1); });
    return true;
  }));
  close(ends[1]);
  char said = 0;
  EXPECT_EQ(read(ends[0], &said, 1), 1);
  EXPECT_EQ(said, 'f');
  close(ends[0]);
}

TEST(KokkosLifetime, TheApplicationMayFinaliseWhatMillraceHasInitialised) {
  EXPECT_TRUE(holds_in_child([] {
    { const auto queue = open_device("kokkos")->make_queue(); }
    Kokkos::finalize();
    return true;
  }));
}

TEST(KokkosLifetime, QueuesAndBuffersOutliveKokkos) {
  EXPECT_TRUE(holds_in_child([] {
    std::optional<Kokkos::ScopeGuard> guard(std::in_place);
    const auto device = open_device("kokkos");
    const auto queue = device->make_queue();
    Buffer<int> numbers(device, MemorySpace::kDevice, 10);
    numbers.data()[9] = 3;
    const bool counted = counts(*queue);
    guard.reset();
    return counted && is_lost([&] { counts(*queue); }) && is_lost([&] { device->make_queue(); }) &&
           is_lost([] { open_device("kokkos"); }) && numbers.data()[9] == 3;
  }));
}

TEST(KokkosLifetime, OtherBackendsWorkOn) {
  EXPECT_TRUE(holds_in_child([] {
    const auto queue = open_device("kokkos")->make_queue();
    Kokkos::finalize();
    return counts(*open_device("tbb")->make_queue());
  }));
}

}  // namespace
}  // namespace millrace::kokkos
