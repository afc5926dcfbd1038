// SPDX-License-Identifier: Apache-2.0

// Headers and library that do not belong together.
#ifndef MILLRACE_RUNTIME_CORE_HEADER_VERSION_H_
#define MILLRACE_RUNTIME_CORE_HEADER_VERSION_H_

#include <string>

#include <millrace/runtime/version.h>

namespace millrace {

// "0.1.0" of a MILLRACE_VERSION.
std::string version_text(int version);

// `header_version` is MILLRACE_VERSION as the caller was compiled with it. Throws kUnsupported with
// both unless it is that of this library: classes and templates of C++ change with each version.
// (C programs may be older than the library; see bindings/c/millrace.h.)
void check_header_version(int header_version);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_HEADER_VERSION_H_
