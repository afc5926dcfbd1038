// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/kokkos/kokkos_runtime.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/host/host_cores.h>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace millrace::kokkos {
namespace {

struct Listeners {
  // Recursive, because a listener may end with an object that it releases.
  std::recursive_mutex mutex;
  std::list<std::function<void()>> functions;
  bool hook_is_set = false;
  bool is_finalized = false;
};

// Never destroyed: Kokkos may be finalized after the destructors of all static objects.
Listeners& listeners() {
  static auto* const all = new Listeners;
  return *all;
}

void on_finalize() {
  Listeners& all = listeners();
  const std::lock_guard lock(all.mutex);
  all.is_finalized = true;
  for (const auto& function : all.functions) function();
}

// Uses as many threads as Kokkos chooses, but no more than a CPU quota allows, which Kokkos does
// not know.
void initialize_kokkos() {
  const HostCores& cores = host_cores();
  const bool is_chosen =
      std::getenv("OMP_NUM_THREADS") != nullptr || std::getenv("KOKKOS_NUM_THREADS") != nullptr;
  if (is_chosen || cores.usable >= cores.affinity) return Kokkos::initialize();
#if KOKKOS_VERSION >= 40000
  Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(cores.usable));
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = cores.usable;
  Kokkos::initialize(arguments);
#endif
}

void finalize_at_exit() {
  if (Kokkos::is_initialized()) Kokkos::finalize();
}

bool was_finalized(const Listeners& all) {
#if KOKKOS_VERSION >= 40000
  return all.is_finalized || Kokkos::is_finalized();
#else
  return all.is_finalized;
#endif
}

}  // namespace

void initialize() {
  Listeners& all = listeners();
  const std::lock_guard lock(all.mutex);
  if (was_finalized(all)) throw_finalized();
  if (!Kokkos::is_initialized()) {
    initialize_kokkos();
    std::atexit(&finalize_at_exit);
  }
  if (!std::exchange(all.hook_is_set, true)) Kokkos::push_finalize_hook(&on_finalize);
}

void throw_finalized() {
  throw Error(ErrorCode::kDeviceLost,
              "Kokkos has been finalised, and a process cannot initialise it again");
}

bool is_initialized() { return Kokkos::is_initialized(); }

void check_initialized() {
  if (!is_initialized()) throw_finalized();
}

std::mutex& loop_mutex(const std::string& space) {
  static std::mutex mutex;
  static auto* const mutexes = new std::map<std::string, std::mutex>;
  const std::lock_guard lock(mutex);
  return (*mutexes)[space];
}

AtFinalize::AtFinalize(std::function<void()> function) {
  Listeners& all = listeners();
  const std::lock_guard lock(all.mutex);
  position_ = all.functions.insert(all.functions.end(), std::move(function));
}

AtFinalize::~AtFinalize() {
  Listeners& all = listeners();
  const std::lock_guard lock(all.mutex);
  all.functions.erase(position_);
}

}  // namespace millrace::kokkos
