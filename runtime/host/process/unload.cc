// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/process/process.h>
#include <millrace/runtime/host/process/unload.h>

#include <semaphore.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

// A function of the C++ ABI. It registers function(argument) for the time when `dso` is unloaded or
// the process ends; if `dso` is null, for the end of the process.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* dso) noexcept;

namespace millrace {
namespace {

struct Action {
  UnloadStep step;
  int generation;
  std::function<void()> call;
};

// ThreadSanitizer calls functions that __cxa_atexit() registers for the end of the process without
// their argument. The end cannot be detected there, and an unloaded library leaves its threads.
#ifdef __SANITIZE_THREAD__
constexpr bool kKnowsEnd = false;
#else
constexpr bool kKnowsEnd = true;
#endif

// Distinguishes the end of the process from the unloading of the library, as both call destructors.
// At the end exit() posts a semaphore by a function of the C library, because functions of this
// library may be unmapped by then. The semaphore is never freed.
class EndOfProcess {
 public:
  EndOfProcess() {
    sem_init(semaphore_, 0, 0);
    if (!kKnowsEnd) return;
    const auto post = reinterpret_cast<void (*)()>(&sem_post);
    __cxa_atexit(reinterpret_cast<void (*)(void*)>(post), semaphore_, nullptr);
  }

  bool has_begun() const {
    if (!kKnowsEnd) return true;
    int value = 0;
    sem_getvalue(semaphore_, &value);
    return value > 0;
  }

 private:
  sem_t* const semaphore_ = new sem_t;
};

struct Actions {
  EndOfProcess end_of_process;
  std::mutex mutex;
  std::vector<Action> all;
};

Actions* made_actions = nullptr;  // Null before the first at_unload().

Actions& actions() {
  static Actions& all = *(made_actions = new Actions);
  return all;
}

// When the library is unloaded, this runs before the destructors of static objects, so actions may
// use these.
__attribute__((destructor)) void unload() {
  if (made_actions == nullptr || made_actions->end_of_process.has_begun()) return;
  for (const UnloadStep step :
       {UnloadStep::kObjects, UnloadStep::kThreads, UnloadStep::kSchedulers}) {
    std::vector<Action> due;
    {
      const std::lock_guard lock(made_actions->mutex);
      for (Action& action : made_actions->all) {
        if (action.step == step && action.generation == process_generation()) {
          due.push_back(std::move(action));
        }
      }
    }
    std::for_each(due.rbegin(), due.rend(), [](const Action& action) {
      if (action.call) action.call();
    });
  }
  delete std::exchange(made_actions, nullptr);
}

}  // namespace

void at_unload(UnloadStep step, std::function<void()> action) {
  const int generation = process_generation();
  Actions& all = actions();
  const std::lock_guard lock(all.mutex);
  all.all.push_back({step, generation, std::move(action)});
}

}  // namespace millrace
