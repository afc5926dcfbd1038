// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/process/process.h>

#include <pthread.h>

#include <atomic>

namespace millrace {
namespace {

std::atomic<int> generation = 0;

}  // namespace

int process_generation() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });
  static_cast<void>(registered);
  return generation.load(std::memory_order_relaxed);
}

}  // namespace millrace
