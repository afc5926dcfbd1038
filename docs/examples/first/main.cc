// SPDX-License-Identifier: Apache-2.0

#include <millrace/docs/examples/first/tasks.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <iostream>

int main(int argc, char** argv) {
  const auto device = millrace::open_device(argc > 1 ? argv[1] : "tbb");
  const auto policy = millrace::parse_policy(argc > 2 ? argv[2] : "auto");
  millrace::Buffer<double> integral(device, millrace::MemorySpace::kPinned, 1);
  *integral.data() = 0;
  const millrace::TaskList<Tasks> roots(Interval{0, 1, integral.data()});
  const auto report = millrace::run_tasks(*device->make_queue(), roots, {.policy = policy});
  std::cout << *integral.data() << " by " << report.tasks() << " tasks\n";
}
