// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/simt/launch/fiber_pool.h>
#include <millrace/backends/simt/launch/sanitizers.h>

#include <iterator>
#include <utility>

namespace millrace::simt {
namespace {

// Returns the stack size, which is larger with sanitizers for their red zones and larger frames.
std::size_t stack_bytes() {
  return (has_address_sanitizer() || has_thread_sanitizer() ? 256 : 64) * std::size_t{1024};
}

}  // namespace

FiberPool& FiberPool::get() {
  static auto& pool = *new FiberPool;  // Never destroyed: streams may outlive static objects.
  return pool;
}

std::vector<std::unique_ptr<Fiber>> FiberPool::take(std::size_t count) {
  std::vector<std::unique_ptr<Fiber>> taken;
  taken.reserve(count);
  {
    const std::lock_guard lock(mutex_);
    while (taken.size() < count && !idle_.empty()) {
      taken.push_back(std::move(idle_.back()));
      idle_.pop_back();
    }
  }
  while (taken.size() < count) taken.push_back(std::make_unique<Fiber>(stack_bytes()));
  return taken;
}

void FiberPool::give_back(std::vector<std::unique_ptr<Fiber>> fibers) {
  const std::lock_guard lock(mutex_);
  idle_.insert(idle_.end(), std::make_move_iterator(fibers.begin()),
               std::make_move_iterator(fibers.end()));
}

}  // namespace millrace::simt
