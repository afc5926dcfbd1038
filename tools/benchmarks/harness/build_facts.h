// SPDX-License-Identifier: Apache-2.0

// The sources, flags and compilers that this program is built from (build_facts.bzl).
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_BUILD_FACTS_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_BUILD_FACTS_H_

namespace millrace::tools {

// In optimized builds from a git checkout, with "-changed" behind it where that had changes; else
// empty.
extern const char* const kBuildCommit;

// Flags of the host's compiler without those for warnings, and the processors that device code is
// built for.
extern const char* const kBuildFlags;

// Versions of the compilers of device code; empty where the build has no such backend.
extern const char* const kCudaVersion;
extern const char* const kHipVersion;

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_BUILD_FACTS_H_
