// SPDX-License-Identifier: Apache-2.0

// The number of bytes of tasks that may spill to the host's memory in a run.
#ifndef MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_
#define MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/host/host_memory.h>

#include <cstddef>
#include <string>

namespace millrace::MILLRACE_GPU {

// The tasks of later levels that a run holds back while it runs one.
struct HeldTasks {
  std::size_t spilled = 0;       // Number of those in the host's memory.
  std::size_t device_bytes = 0;  // Bytes of those on the device, at most.
};

// The bound is the requested number of bytes. If none was requested, spilling may continue as long
// as the host's memory suffices to double the list, which copies it, and for the tasks on the
// device, which are spilled too when the run stops.
class SpillBound {
 public:
  // Up to this size the host's memory is not queried. Above it, it is queried each time the list
  // has doubled.
  static constexpr std::size_t kUnchecked = std::size_t{64} << 20;

  // `bytes` is RunOptions::spill_bytes. At most `device_bytes` of tasks are on the device.
  SpillBound(
      std::size_t bytes, std::size_t device_bytes,
      std::size_t (*available)() = [] { return available_memory(); })
      : bytes_(bytes), device_bytes_(device_bytes), available_(available) {}

  bool is_reached(std::size_t spilled_bytes) {
    if (bytes_ > 0) return spilled_bytes > bytes_;
    if (spilled_bytes <= unchecked_) return false;
    available_bytes_ = available_();
    if (available_bytes_ < device_bytes_ || available_bytes_ - device_bytes_ < 3 * spilled_bytes)
      return true;
    unchecked_ = 2 * spilled_bytes;
    return false;
  }

  // Describes the bound for an error message, after it is reached.
  std::string text() const {
    return bytes_ > 0 ? std::to_string(bytes_) + " bytes to spill to"
                      : "the host's memory, of which " + std::to_string(available_bytes_) +
                            " bytes are available";
  }

 private:
  const std::size_t bytes_;
  const std::size_t device_bytes_;
  std::size_t (*const available_)();
  std::size_t unchecked_ = kUnchecked;
  std::size_t available_bytes_ = 0;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_
