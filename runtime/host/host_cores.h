// SPDX-License-Identifier: Apache-2.0

// Number of processors that this process may keep busy. Wherever a number of threads is chosen by
// default, it is this one: a thread more than it only takes time from the others.
//
//   const int threads = host_cores().usable;
#ifndef MILLRACE_RUNTIME_HOST_HOST_CORES_H_
#define MILLRACE_RUNTIME_HOST_HOST_CORES_H_

#include <filesystem>
#include <string>

namespace millrace {

struct HostCores {
  int processors = 1;  // Online in the machine.
  int affinity = 1;    // Allowed by the process's affinity and cpuset.
  // Processors' worth of time that the control groups of the process allow: the least cpu.max
  // (version 2) or cpu.cfs_quota_us (version 1) of its groups and of all that contain them. 0 where
  // none sets a limit.
  double quota = 0;
  int usable = 1;  // The least of these, rounded up; at least 1.
};

// The limits of this process, read by the first call: later changes are not seen. Thread-safe.
const HostCores& host_cores();

// One line about them, as in "2 of 16 processors (8 by affinity, CPU quota 1.5)".
std::string describe(const HostCores& cores);

// The same from the file system below `root`, with the given counts in place of the system's, for
// tests. What is missing or cannot be parsed sets no limit.
HostCores read_host_cores(const std::filesystem::path& root, int processors, int affinity);

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_HOST_CORES_H_
