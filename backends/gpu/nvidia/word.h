// SPDX-License-Identifier: Apache-2.0

// The unsigned integer that represents a value of 4 or 8 bytes in the GPU calls. The vendor's
// functions are defined for these types.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_

#include <type_traits>

namespace millrace::nvidia {

template <class T>
using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

}  // namespace millrace::nvidia

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_
