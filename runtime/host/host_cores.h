// SPDX-License-Identifier: Apache-2.0

// The number of processors that this process may keep busy. It is the default number of threads
// everywhere, because more threads would only take time from the others.
//
//   const int threads = host_cores().usable;
#ifndef MILLRACE_RUNTIME_HOST_HOST_CORES_H_
#define MILLRACE_RUNTIME_HOST_HOST_CORES_H_

#include <filesystem>
#include <string>

namespace millrace {

struct HostCores {
  int processors = 1;  // Number of processors online.
  int affinity = 1;    // Number allowed by the process's affinity and cpuset.

  // CPU time that the control groups of the process allow, in processors: the smallest cpu.max
  // (version 2) or cpu.cfs_quota_us (version 1) of its groups and of all that contain them. 0 if
  // none sets a limit.
  double quota = 0;

  int usable = 1;  // Minimum of these, rounded up; at least 1.
};

// Returns the limits of this process. The first call reads them; later changes have no effect.
// Thread-safe.
const HostCores& host_cores();

// Returns one line for people, such as "2 of 16 processors (8 by affinity, CPU quota 1.5)".
std::string describe(const HostCores& cores);

// Reads the limits from the file system below `root` and takes the other counts as given, for
// tests. Files that are missing or cannot be parsed set no limit.
HostCores read_host_cores(const std::filesystem::path& root, int processors, int affinity);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_CORES_H_
