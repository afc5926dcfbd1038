// SPDX-License-Identifier: Apache-2.0

#include <iostream>

#include <millrace/docs/examples/first/tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>

int main(int argc, char** argv) {
  const auto device = millrace::open_device(argc > 1 ? argv[1] : "tbb");
  const auto queue = device->make_queue();
  millrace::Buffer<double> integral(device, millrace::MemorySpace::kPinned, 1);
  for (const millrace::Policy policy : millrace::kConcretePolicies) {
    *integral.data() = 0;
    const millrace::TaskList<Tasks> roots(Interval{0, 1, integral.data()});
    const millrace::RunReport report = millrace::run_tasks(*queue, roots, {.policy = policy});
    std::cout << to_string(policy) << ": " << *integral.data() << " by " << report.tasks()
              << " tasks\n";
  }
}
