// SPDX-License-Identifier: Apache-2.0

// What is to be done before the library's code leaves a process that goes on: when the shared
// object that holds it is unloaded (dlclose). Nothing is done when the process ends, where a thread
// that is busy must not be waited for.
#ifndef MILLRACE_RUNTIME_HOST_UNLOAD_H_
#define MILLRACE_RUNTIME_HOST_UNLOAD_H_

#include <functional>

namespace millrace {

// In this order.
enum class UnloadStep {
  kObjects,     // Objects that nobody has freed; they may wait for their work.
  kThreads,     // The library's threads end.
  kSchedulers,  // Those of libraries that it uses, and memory that threads had.
};

// Has `action` called when the library is unloaded; actions of one step in reverse order. It must
// not throw. Actions of a process are not called in its children. Thread-safe.
void at_unload(UnloadStep step, std::function<void()> action);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_UNLOAD_H_
