// SPDX-License-Identifier: Apache-2.0

// Kokkos's execution spaces as queues and views as spans, and the reverse.
#include <millrace/backends/kokkos/count_node.h>
#include <millrace/backends/kokkos/interop.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>

namespace millrace::kokkos {
namespace {

using HostExecution = Kokkos::DefaultHostExecutionSpace;

template <class Call>
ErrorCode code_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::kInternal;
}

// Number of loops that Millrace has given Kokkos.
std::atomic<int> loops = 0;

void count_loop(const char* label, std::uint32_t /*device*/, std::uint64_t* /*kernel*/) {
  if (std::strcmp(label, "millrace") == 0) ++loops;
}

class KokkosTest : public testing::Test {
 protected:
  KokkosTest() { initialize(); }
};

TEST_F(KokkosTest, AnInstanceIsAQueueUnderEveryPolicy) {
  const HostExecution instance;
  const auto queue = make_queue(instance);
  EXPECT_EQ(queue->device().info().backend, "kokkos");
  for (const Policy policy : kConcretePolicies) {
    std::uint64_t nodes = 0;
    const TaskList<CountTasks> root(CountNode{&nodes, 12});
    run_tasks(*queue, root, {.policy = policy});
    EXPECT_EQ(nodes, (1u << 13) - 1) << to_string(policy);
  }
}

TEST_F(KokkosTest, RunsAreLoopsOfKokkosThatItsToolsSee) {
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(&count_loop);
  const auto queue = open_device("kokkos")->make_queue();
  for (const Policy policy : kConcretePolicies) {
    loops = 0;
    std::uint64_t nodes = 0;
    const TaskList<CountTasks> root(CountNode{&nodes, 3});
    run_tasks(*queue, root, {.policy = policy});
    EXPECT_EQ(loops, policy == Policy::kPersistentThreads ? 1 : 4) << to_string(policy);
  }
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
}

TEST_F(KokkosTest, AQueueHasItsInstance) {
  const auto queue = open_device("kokkos")->make_queue();
  const auto instance = execution_space<HostExecution>(*queue);
  std::atomic<int> calls = 0;
  Kokkos::parallel_for(Kokkos::RangePolicy<HostExecution>(instance, 0, 100),
                       [&calls](int) { ++calls; });
  instance.fence();
  EXPECT_EQ(calls, 100);
}

TEST_F(KokkosTest, AQueueOfAnotherBackendHasNone) {
  for (const char* const name : {"tbb", "simt:0"}) {
    const auto queue = open_device(name)->make_queue();
    EXPECT_EQ(code_of([&] { execution_space<HostExecution>(*queue); }),
              ErrorCode::kInvalidArgument);
  }
}

TEST_F(KokkosTest, AViewIsASpanThatKeepsIt) {
  const auto queue = make_queue(HostExecution());
  auto view = std::make_unique<Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
      "numbers", 20, 50);
  int* const data = view->data();
  std::iota(data, data + 1000, 7);
  const BufferSpan<int> span = span_of(*view);
  EXPECT_EQ(span.data(), data);
  EXPECT_EQ(span.size(), 1000u);
  EXPECT_EQ(view->use_count(), 2);
  view.reset();
  Buffer<int> copied(open_device("tbb"), MemorySpace::kHost, 1000);
  copy(*queue, copied.span(), span);
  queue->wait();
  EXPECT_EQ(copied.data()[0], 7);
  EXPECT_EQ(copied.data()[999], 1006);
}

TEST_F(KokkosTest, AViewOfConstantsIsASpanOfThem) {
  const Kokkos::View<int*, Kokkos::HostSpace> view("numbers", 3);
  const auto span = span_of(Kokkos::View<const int*, Kokkos::HostSpace>(view));
  static_assert(std::is_same_v<decltype(span), const BufferSpan<const int>>);
  EXPECT_EQ(span.data(), view.data());
}

TEST_F(KokkosTest, AViewWithGapsIsRejected) {
  const Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> view("numbers", 20, 50);
  const auto column = Kokkos::subview(view, Kokkos::ALL(), 3);
  EXPECT_EQ(code_of([&] { span_of(column); }), ErrorCode::kInvalidArgument);
}

TEST_F(KokkosTest, ABufferOfEverySpaceOfTheHostIsAView) {
  const auto device = open_device("kokkos");
  for (const MemorySpace space : kMemorySpaces) {
    Buffer<double> buffer(device, space, 100);
    const auto view = view_of<Kokkos::HostSpace>(*device, buffer);
    EXPECT_EQ(view.data(), buffer.data());
    EXPECT_EQ(view.size(), 100u);
    Kokkos::parallel_for(Kokkos::RangePolicy<HostExecution>(0, 100),
                         [view](int i) { view(i) = 0.5 * i; });
    Kokkos::fence();
    EXPECT_EQ(buffer.data()[99], 49.5);
  }
}

TEST_F(KokkosTest, MemoryThatTheHostCannotReachIsNotHostSpace) {
  const auto device = open_device("simt:0");
  Buffer<double> buffer(device, MemorySpace::kDevice, 100);
  EXPECT_EQ(code_of([&] { view_of<Kokkos::HostSpace>(*device, buffer); }),
            ErrorCode::kInvalidArgument);
}

TEST_F(KokkosTest, AQueueMayHaveFewerThreads) {
  const auto device = open_device("kokkos");
  const auto queue = device->make_queue({.concurrency = 1});
  std::uint64_t nodes = 0;
  const TaskList<CountTasks> root(CountNode{&nodes, 10});
  run_tasks(*queue, root, {.policy = Policy::kPersistentThreads});
  EXPECT_EQ(nodes, (1u << 11) - 1);
  EXPECT_EQ(code_of([&] { device->make_queue({.concurrency = -1}); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace millrace::kokkos
