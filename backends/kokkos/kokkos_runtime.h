// SPDX-License-Identifier: Apache-2.0

// Kokkos itself, which a process initialises once and finalises once: by its application or, where
// that has not, by Millrace.
#ifndef MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_
#define MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_

#include <functional>
#include <list>
#include <mutex>
#include <string>

namespace millrace::kokkos {

// Initialises Kokkos if nobody has; it is then finalised when the process ends, or earlier by the
// application. Throws kDeviceLost when it has been finalised already.
void initialize();

// Whether an application's or Millrace's initialisation is in force.
bool is_initialized();

// Throws kDeviceLost where it is not.
void check_initialized();

// Throws kDeviceLost, for what went with Kokkos's finalisation.
[[noreturn]] void throw_finalized();

// Locked while a loop of the execution space of that name runs: Kokkos has one at a time.
std::mutex& loop_mutex(const std::string& space);

// Calls a function at the beginning of Kokkos's finalisation, unless this has gone before. Made
// after initialize(). Thread-safe.
class AtFinalize {
 public:
  explicit AtFinalize(std::function<void()> function);
  ~AtFinalize();
  AtFinalize(const AtFinalize&) = delete;
  AtFinalize& operator=(const AtFinalize&) = delete;

 private:
  std::list<std::function<void()>>::iterator place_;
};

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_
