// SPDX-License-Identifier: Apache-2.0
#ifndef MILLRACE_RUNTIME_HOST_PAUSE_CORE_H_
#define MILLRACE_RUNTIME_HOST_PAUSE_CORE_H_

namespace millrace {

// Hints to the core that it executes a loop that waits for another thread.
inline void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_PAUSE_CORE_H_
