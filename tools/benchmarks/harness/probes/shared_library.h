// SPDX-License-Identifier: Apache-2.0

// A library that may not be installed.
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_SHARED_LIBRARY_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_SHARED_LIBRARY_H_

#include <dlfcn.h>

#include <string>

namespace millrace::tools {

// Loaded while it lives.
class SharedLibrary {
 public:
  // By a name that the loader finds, or by a path.
  explicit SharedLibrary(const std::string& name)
      : library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~SharedLibrary() {
    if (library_ != nullptr) dlclose(library_);
  }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  // The function of that name; null where it, or the library, is not there.
  template <class Function>
  Function* find(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
  }

 private:
  void* const library_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_PROBES_SHARED_LIBRARY_H_
