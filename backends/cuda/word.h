// The unsigned integer as which the GPU calls over CUDA handle a value of 4 or 8 bytes; the vendor
// has its functions for these.
#ifndef MILLRACE_BACKENDS_CUDA_WORD_H_
#define MILLRACE_BACKENDS_CUDA_WORD_H_

#include <type_traits>

namespace millrace::cuda_backend {

template <class T>
requires(sizeof(T) == 4 ||
         sizeof(T) ==
             8) using Word = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

}  // namespace millrace::cuda_backend

#endif  // MILLRACE_BACKENDS_CUDA_WORD_H_
