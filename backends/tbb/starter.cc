#include <millrace/backends/tbb/starter.h>

#include <tbb/info.h>

#include <algorithm>
#include <utility>

namespace millrace::tbb_backend {

// As many threads as oneTBB makes unless told otherwise (it warns of a request for more), and no
// place for one of the caller's.
Starter::Starter() : arena_(std::max(1, tbb::info::default_concurrency() - 1), 0) {}

Starter& Starter::get() {
  static Starter* const instance = new Starter;
  return *instance;
}

void Starter::call(std::function<void()> action) {
  {
    const std::lock_guard lock(mutex_);
    actions_.push_back(std::move(action));
  }
  arena_.enqueue([this] { call_next(); });
}

void Starter::call_next() {
  std::function<void()> action;
  {
    const std::lock_guard lock(mutex_);
    action = std::move(actions_.front());
    actions_.pop_front();
  }
  action();
}

}  // namespace millrace::tbb_backend
