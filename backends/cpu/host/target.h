// SPDX-License-Identifier: Apache-2.0

// The name of what is compiled for the CPU: see DeviceInfo::target.
#ifndef MILLRACE_BACKENDS_CPU_HOST_TARGET_H_
#define MILLRACE_BACKENDS_CPU_HOST_TARGET_H_

namespace millrace::cpu {

inline constexpr const char* kTarget = "cpu";

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_TARGET_H_
