// SPDX-License-Identifier: Apache-2.0

// Rates and times that bound what runs on a device: copies within its memory and over its link,
// launches, tasks, and arithmetic.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_LIMITS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_LIMITS_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/report/results/results.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {

inline constexpr char kCopyLimit[] = "copy";            // Read and written, in B/s.
inline constexpr char kCacheLimit[] = "copy in cache";  // The same of a small array, again.
inline constexpr char kUploadLimit[] = "upload";        // Pinned to device memory, in B/s.
inline constexpr char kDownloadLimit[] = "download";    // The other way.
inline constexpr char kLaunchLimit[] = "launch";  // The least operation and waiting for it, in s.
inline constexpr char kTaskLimit[] = "tasks";     // A flat queue of the smallest, in op/s.

// Arithmetic, in op/s: of 16-bit integers and of doubles.
inline constexpr char kAdditionLimit[] = "additions";
inline constexpr char kMultiplyAddLimit[] = "multiply-adds";

// Returns the limit of copies that bounds work that reads and writes so many bytes in all.
std::string copy_limit_of(double bytes);

// Measures all of them in turns for so long; links only where the device has memory of its own.
// Throws kCancelled when is_stopped() says so.
std::vector<LimitRecord> measure_device_limits(const std::shared_ptr<Device>& device,
                                               double seconds,
                                               const std::function<bool()>& is_stopped);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_DEVICE_LIMITS_H_
