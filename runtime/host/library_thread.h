// SPDX-License-Identifier: Apache-2.0

// Threads of the library that no caller joins. They are joined when the library is unloaded,
// because a thread that has only been notified may still execute code that is being unmapped.
#ifndef MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_
#define MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_

#include <functional>

namespace millrace {

// Calls `body` on a new thread, which ends when it returns. The thread that unloads the library
// calls `stop`, which must make an idle `body` return. Both functions are destroyed when the thread
// ends. Throws std::system_error if no thread can be started. Thread-safe.
void start_library_thread(std::function<void()> body, std::function<void()> stop);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_
