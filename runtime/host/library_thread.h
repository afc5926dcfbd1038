// SPDX-License-Identifier: Apache-2.0

// Threads of the library that nobody joins while it is in use. They are joined when it is unloaded:
// a thread that only has been told to end may still run code that is no longer there.
#ifndef MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_
#define MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_

#include <functional>

namespace millrace {

// Calls `body` on a new thread, which ends with it. `stop`, which the thread that unloads the
// library calls, has an idle `body` return; what either holds goes when the thread ends. Throws
// std::system_error where no thread can be made. Thread-safe.
void start_library_thread(std::function<void()> body, std::function<void()> stop);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_LIBRARY_THREAD_H_
