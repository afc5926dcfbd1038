// SPDX-License-Identifier: Apache-2.0

// Stacks of simulated GPU threads, kept for the next launch.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_POOL_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_POOL_H_

#include <millrace/backends/simt/launch/fiber.h>

#include <memory>
#include <mutex>
#include <vector>

namespace millrace::simt {

// May be used by any thread.
class FiberPool {
 public:
  // Returns the instance of the process.
  static FiberPool& get();

  // Returns `count` fibers in any state. Throws Error(kOutOfMemory).
  std::vector<std::unique_ptr<Fiber>> take(std::size_t count);

  void give_back(std::vector<std::unique_ptr<Fiber>> fibers);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Fiber>> idle_;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_POOL_H_
