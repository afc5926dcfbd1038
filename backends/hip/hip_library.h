// SPDX-License-Identifier: Apache-2.0

// AMD's HIP library, loaded on first use, so that programs also start on machines without it.
//
// A program that links the library does not start without it. The HIP code could be a plugin that
// is loaded only if the library exists, but each user's task set has kernels of its own and would
// have to be a plugin too. So the functions to which kernels and host calls refer are defined here
// (hip_functions.cc). Each loads the library and forwards to it.
#ifndef MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_
#define MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_

#include <string>

namespace millrace::hip_backend {

// Returns the reason if the library cannot be used, else an empty string. Loads the library.
std::string why_no_library();

// Returns the library's function of that name, or null if it or the library is missing. Loads the
// library.
void* find_in_library(const char* name) noexcept;

// Returns true if the process is exiting and the library may have been unloaded.
bool has_ended() noexcept;

// The registry of this program's kernels; never destroyed.
class KernelRegistry;
KernelRegistry& kernel_registry();

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_HIP_LIBRARY_H_
