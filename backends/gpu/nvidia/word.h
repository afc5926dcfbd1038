// SPDX-License-Identifier: Apache-2.0

// The unsigned integer as which the GPU calls handle a value of 4 or 8 bytes; the vendor has its
// functions for these.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_

#include <type_traits>

namespace millrace::nvidia {

template <class T>
using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

}  // namespace millrace::nvidia

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_WORD_H_
