// SPDX-License-Identifier: Apache-2.0

// Actions for the time before the library's code is unloaded (dlclose) from a process that
// continues. They are not called at the end of the process, which must not wait for busy threads.
#ifndef MILLRACE_RUNTIME_HOST_PROCESS_UNLOAD_H_
#define MILLRACE_RUNTIME_HOST_PROCESS_UNLOAD_H_

#include <functional>

namespace millrace {

// The order of the actions.
enum class UnloadStep {
  kObjects,     // Destroys objects that were not freed, which may wait for their work.
  kThreads,     // Ends the library's threads.
  kSchedulers,  // Ends schedulers of libraries that it uses, and frees memory of threads.
};

// Registers `action` for the unloading of the library. Actions of one step are called in the
// reverse order of registration. An action must not throw. Actions of a process are not called in
// its forked children. Thread-safe.
void at_unload(UnloadStep step, std::function<void()> action);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_PROCESS_UNLOAD_H_
