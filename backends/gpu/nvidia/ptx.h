// SPDX-License-Identifier: Apache-2.0

// PTX instructions behind atomics.h for which the compiler has no function. Each is one instruction
// on global memory, with its order and scope (PTX ISA, "Memory Consistency Model").
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_PTX_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_PTX_H_

#include <millrace/backends/gpu/api_types.h>

#include <cuda_runtime.h>

#include <cstddef>

namespace millrace::nvidia::ptx {

// Device scope. `order` is not kRelaxed, for which atomicAdd and similar functions exist.
template <gpu::Order order>
__device__ unsigned add(unsigned* target, unsigned value) {
  unsigned old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Order order>
__device__ unsigned long long add(unsigned long long* target, unsigned long long value) {
  unsigned long long old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Order order>
__device__ unsigned exchange(unsigned* target, unsigned value) {
  unsigned old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.exch.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.exch.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(address), "r"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Order order>
__device__ unsigned long long exchange(unsigned long long* target, unsigned long long value) {
  unsigned long long old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.exch.b64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.exch.b64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.exch.b64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(address), "l"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Order order>
__device__ unsigned compare_exchange(unsigned* target, unsigned expected, unsigned value) {
  unsigned old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(address), "r"(expected), "r"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(address), "r"(expected), "r"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(address), "r"(expected), "r"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Order order>
__device__ unsigned long long compare_exchange(unsigned long long* target,
                                               unsigned long long expected,
                                               unsigned long long value) {
  unsigned long long old;
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (order == gpu::Order::kAcquire) {
    asm volatile("atom.acquire.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(old)
                 : "l"(address), "l"(expected), "l"(value)
                 : "memory");
  } else if constexpr (order == gpu::Order::kRelease) {
    asm volatile("atom.release.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(old)
                 : "l"(address), "l"(expected), "l"(value)
                 : "memory");
  } else {
    asm volatile("atom.acq_rel.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(old)
                 : "l"(address), "l"(expected), "l"(value)
                 : "memory");
  }
  return old;
}

template <gpu::Scope scope, gpu::Order order>
__device__ unsigned load(const unsigned* source) {
  unsigned value;
  const std::size_t address = __cvta_generic_to_global(source);
  if constexpr (scope == gpu::Scope::kDevice && order == gpu::Order::kRelaxed) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  } else if constexpr (order == gpu::Order::kRelaxed) {
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  } else {
    asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  }
  return value;
}

template <gpu::Scope scope, gpu::Order order>
__device__ unsigned long long load(const unsigned long long* source) {
  unsigned long long value;
  const std::size_t address = __cvta_generic_to_global(source);
  if constexpr (scope == gpu::Scope::kDevice && order == gpu::Order::kRelaxed) {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  } else if constexpr (order == gpu::Order::kRelaxed) {
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  } else {
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  }
  return value;
}

template <gpu::Scope scope, gpu::Order order>
__device__ void store(unsigned* target, unsigned value) {
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (scope == gpu::Scope::kDevice && order == gpu::Order::kRelaxed) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
  } else if constexpr (order == gpu::Order::kRelaxed) {
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
  } else {
    asm volatile("st.release.sys.global.u32 [%0], %1;" : : "l"(address), "r"(value) : "memory");
  }
}

template <gpu::Scope scope, gpu::Order order>
__device__ void store(unsigned long long* target, unsigned long long value) {
  const std::size_t address = __cvta_generic_to_global(target);
  if constexpr (scope == gpu::Scope::kDevice && order == gpu::Order::kRelaxed) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(address), "l"(value) : "memory");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" : : "l"(address), "l"(value) : "memory");
  } else if constexpr (order == gpu::Order::kRelaxed) {
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" : : "l"(address), "l"(value) : "memory");
  } else {
    asm volatile("st.release.sys.global.u64 [%0], %1;" : : "l"(address), "l"(value) : "memory");
  }
}

}  // namespace millrace::nvidia::ptx

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_PTX_H_
