// SPDX-License-Identifier: Apache-2.0

// Queues of CPUs that nobody waits for, or that another thread than their maker waits for: their
// runs have as many threads as those of a queue whose maker waits. Tasks wait at a barrier, so a
// queue with fewer threads hangs, and shows as the timeout of this target, which is short.
#include <millrace/backends/cpu/host/cpu_queue.h>
#include <millrace/backends/cpu/task_target.h>
#include <millrace/runtime/tasks/run_tasks.h>
#include <millrace/tests/conformance/conformance.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace millrace::conformance {
namespace {

// A barrier: ends when as many tasks as are expected run at the same time.
struct WaitsForOthers {
  std::atomic<int>* present;
  int expected;

  template <class Context>
  void operator()(Context&) const {
    ++*present;
    while (*present < expected) std::this_thread::yield();
  }
};
using BarrierTasks = TaskSet<WaitsForOthers>;
const cpu::RegisterTasks<BarrierTasks> registered;

std::vector<std::string> cpu_names() {
  std::vector<std::string> names;
  for (const DeviceInfo& device : list_devices()) {
    if (device.target == cpu::kTarget) names.push_back(device.name);
  }
  return names;
}

class UnattendedTest : public PolicyTest {
 protected:
  void SetUp() override {
    // Backends start no more threads than there are cores.
    threads = std::min<int>(cpu::threads_of(*queue).concurrency(),
                            static_cast<int>(std::thread::hardware_concurrency()));
  }

  // Starts one task for each thread. They end together, and never where fewer threads come.
  void submit() {
    TaskList<BarrierTasks> roots;
    for (int i = 0; i < threads; ++i) roots.push(WaitsForOthers{&present, threads});
    submit_tasks(*queue, std::move(roots), {.policy = policy});
  }

  void wait_without_the_queue() const {
    while (present < threads) std::this_thread::yield();
  }

  int threads = 0;
  std::atomic<int> present = 0;
};

TEST_P(UnattendedTest, ARunThatNobodyWaitsForHasAllThreads) {
  submit();
  wait_without_the_queue();
  queue->wait();
  EXPECT_EQ(present, threads);
}

TEST_P(UnattendedTest, ARunThatAnotherThreadWaitsForHasAllThreads) {
  submit();
  const Event event = queue->record();
  std::thread other([&event] { event.wait(); });
  wait_without_the_queue();
  other.join();
  EXPECT_EQ(present, threads);
}

TEST_P(UnattendedTest, ARunThatItsMakerWaitsForHasAllThreads) {
  submit();
  queue->wait();
  EXPECT_EQ(present, threads);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(UnattendedTest);  // A build may have no CPU backend.
INSTANTIATE_TEST_SUITE_P(Conformance, UnattendedTest,
                         testing::Combine(testing::ValuesIn(cpu_names()),
                                          testing::ValuesIn(kConcretePolicies)),
                         [](const auto& info) { return name_of(info); });

}  // namespace
}  // namespace millrace::conformance
