// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/hip/hip_library.h>
#include <millrace/backends/hip/kernel_registry.h>

#include <dlfcn.h>
#include <hip/hip_version.h>

#include <atomic>
#include <cstdlib>

namespace millrace::hip_backend {
namespace {

std::atomic<bool> is_exiting = false;

struct Library {
  void* handle = nullptr;
  std::string why_not;
};

template <class Function>
void find(const Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library.handle, name));
}

void connect_kernels(const Library& library) {
  KernelRegistration functions;
  find(library, "__hipRegisterFatBinary", functions.register_binary);
  find(library, "__hipRegisterFunction", functions.register_kernel);
  find(library, "__hipRegisterVar", functions.register_variable);
  find(library, "__hipUnregisterFatBinary", functions.unregister_binary);
  kernel_registry().connect(functions);
}

// Loads the library. The version of the headers is tried first; the functions used are the same in
// the others.
Library load() {
  const std::string name = "libamdhip64.so";
  const std::string best = name + "." + std::to_string(HIP_VERSION_MAJOR);
  Library library;
  for (const std::string& tried : {best, name + ".7", name + ".6", name + ".5", name}) {
    library.handle = dlopen(tried.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle != nullptr) break;
    if (tried == best) library.why_not = dlerror();
  }
  if (library.handle == nullptr) {
    library.why_not = "the HIP library is not installed: " + library.why_not;
    return library;
  }
  library.why_not.clear();
  connect_kernels(library);
  // The library's exit handlers were registered while it was loaded, so they run after this one.
  std::atexit([] {
    is_exiting = true;
    kernel_registry().disconnect();
  });
  return library;
}

// Never destroyed: kernels are unregistered while the process exits.
const Library& library() {
  static const auto* const kLibrary = new Library(load());
  return *kLibrary;
}

}  // namespace

std::string why_no_library() { return library().why_not; }

void* find_in_library(const char* name) noexcept {
  const Library& found = library();
  return found.handle == nullptr ? nullptr : dlsym(found.handle, name);
}

bool has_ended() noexcept { return is_exiting; }

KernelRegistry& kernel_registry() {
  static auto* const kRegistry = new KernelRegistry;
  return *kRegistry;
}

}  // namespace millrace::hip_backend
