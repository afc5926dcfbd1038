// SPDX-License-Identifier: Apache-2.0

// Time that passed, by a clock that never goes back.
#ifndef MILLRACE_RUNTIME_HOST_SECONDS_SINCE_H_
#define MILLRACE_RUNTIME_HOST_SECONDS_SINCE_H_

#include <chrono>

namespace millrace {

inline double seconds_between(std::chrono::steady_clock::time_point begin,
                              std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

inline double seconds_since(std::chrono::steady_clock::time_point begin) {
  return seconds_between(begin, std::chrono::steady_clock::now());
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_SECONDS_SINCE_H_
