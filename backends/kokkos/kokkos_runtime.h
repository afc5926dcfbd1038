// SPDX-License-Identifier: Apache-2.0

// The lifetime of Kokkos. A process initializes and finalizes it once, by the application or else
// by Millrace.
#ifndef MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_
#define MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_

#include <functional>
#include <list>
#include <mutex>
#include <string>

namespace millrace::kokkos {

// Initializes Kokkos if nobody has. It is then finalized at the end of the process, or earlier by
// the application. Throws kDeviceLost if it has been finalized already.
void initialize();

// Returns true if Kokkos is initialized, by the application or by Millrace.
bool is_initialized();

// Throws kDeviceLost if Kokkos is not initialized.
void check_initialized();

// Throws kDeviceLost, for objects that were lost with Kokkos's finalization.
[[noreturn]] void throw_finalized();

// Returns the mutex that is locked while a loop of the execution space of that name runs: Kokkos
// allows one at a time.
std::mutex& loop_mutex(const std::string& space);

// Calls a function at the beginning of Kokkos's finalization, if this object still exists.
// Construct it after initialize(). Thread-safe.
class AtFinalize {
 public:
  explicit AtFinalize(std::function<void()> function);
  ~AtFinalize();
  AtFinalize(const AtFinalize&) = delete;
  AtFinalize& operator=(const AtFinalize&) = delete;

 private:
  std::list<std::function<void()>>::iterator position_;
};

}  // namespace millrace::kokkos

#endif  // MILLRACE_BACKENDS_KOKKOS_KOKKOS_RUNTIME_H_
