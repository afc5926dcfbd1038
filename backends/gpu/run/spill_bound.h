// SPDX-License-Identifier: Apache-2.0

// How many bytes of tasks may spill to the host's memory in a run.
#ifndef MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_
#define MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_

#include <cstddef>
#include <string>

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/host/host_memory.h>

namespace millrace::MILLRACE_GPU {

// So many bytes as were asked for, or as long as the host has room for the list to double, which
// moves it, and for what is on the device, which comes too when the run stops.
class SpillBound {
 public:
  // Less is nothing to the host. Beyond it is asked each time the list has doubled.
  static constexpr std::size_t kUnasked = std::size_t{64} << 20;

  // `bytes` as RunOptions::spill_bytes; at most `device_bytes` are on the device.
  SpillBound(
      std::size_t bytes, std::size_t device_bytes,
      std::size_t (*available)() = [] { return available_memory(); })
      : bytes_(bytes), device_bytes_(device_bytes), available_(available) {}

  bool is_reached(std::size_t spilled_bytes) {
    if (bytes_ > 0) return spilled_bytes > bytes_;
    if (spilled_bytes <= unasked_) return false;
    room_ = available_();
    if (room_ < device_bytes_ || room_ - device_bytes_ < 3 * spilled_bytes) return true;
    unasked_ = 2 * spilled_bytes;
    return false;
  }

  // Once it is reached, in words for an error.
  std::string text() const {
    return bytes_ > 0
               ? std::to_string(bytes_) + " bytes to spill to"
               : "the host's memory, of which " + std::to_string(room_) + " bytes are available";
  }

 private:
  const std::size_t bytes_;
  const std::size_t device_bytes_;
  std::size_t (*const available_)();
  std::size_t unasked_ = kUnasked;
  std::size_t room_ = 0;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_SPILL_BOUND_H_
