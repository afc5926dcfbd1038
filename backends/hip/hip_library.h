// SPDX-License-Identifier: Apache-2.0

// AMD's HIP library, loaded on first use, so that programs start where it is not installed.
//
// A program that links the library does not start without it. A plugin with the HIP code could be
// left unloaded instead, but each user's task set has kernels of its own and would have to be a
// plugin too. So the functions that kernels and host calls refer to are defined here
// (hip_functions.cc): each loads the library and forwards to its own.
#ifndef MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_
#define MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_

#include <string>

namespace millrace::hip_backend {

// Why the library cannot be used, in words; empty when it is there. Loads it.
std::string why_no_library();

// The library's function of that name; null where it or the library is missing. Loads the library.
void* find_in_library(const char* name) noexcept;

// Whether the process is exiting and the library may be gone already.
bool has_ended() noexcept;

// Where this program's kernels are registered; never destroyed.
class KernelRegistry;
KernelRegistry& kernel_registry();

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_
