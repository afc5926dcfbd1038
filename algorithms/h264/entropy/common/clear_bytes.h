// SPDX-License-Identifier: Apache-2.0

// Clears a macroblock's memory.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_CLEAR_BYTES_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_CLEAR_BYTES_H_

#include <millrace/algorithms/h264/macroblock.h>
#include <millrace/runtime/core/target_function.h>

#include <cstddef>
#include <cstring>

namespace millrace::h264 {

// Sets `size` bytes to 0. GCC compiles a size that it knows to REP STOS, which starts slowly, so
// the size is hidden from it: it then calls memset().
MILLRACE_FUNCTION inline void clear_bytes(void* bytes, std::size_t size) {
#if defined(__GNUC__) && !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+r"(size));
#endif
  std::memset(bytes, 0, size);
}

// Turns a macroblock whose bytes are 0 into Macroblock{}.
MILLRACE_FUNCTION inline void set_lost(Macroblock& macroblock) {
  macroblock.type = MacroblockType::kLost;
  for (int quarter = 0; quarter < 4; ++quarter) {
    macroblock.references[0][quarter] = -1;
    macroblock.references[1][quarter] = -1;
  }
}

// Resets the macroblock to Macroblock{}.
MILLRACE_FUNCTION inline void clear(Macroblock& macroblock) {
  clear_bytes(static_cast<void*>(&macroblock), sizeof(macroblock));
  set_lost(macroblock);
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_COMMON_CLEAR_BYTES_H_
