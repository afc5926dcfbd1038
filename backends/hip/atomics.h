// SPDX-License-Identifier: Apache-2.0

// Atomic operations and fences of the GPU calls on AMD devices. backends/gpu/api.h specifies each.
#ifndef MILLRACE_BACKENDS_HIP_ATOMICS_H_
#define MILLRACE_BACKENDS_HIP_ATOMICS_H_

#include <millrace/backends/gpu/api_types.h>

#include <hip/hip_runtime.h>

#include <type_traits>

namespace millrace::hip_backend {

namespace atomics {

constexpr int order_of(gpu::Order order) {
  switch (order) {
    case gpu::Order::kRelaxed: return __ATOMIC_RELAXED;
    case gpu::Order::kAcquire: return __ATOMIC_ACQUIRE;
    case gpu::Order::kRelease: return __ATOMIC_RELEASE;
    case gpu::Order::kAcquireRelease: return __ATOMIC_ACQ_REL;
  }
}

// Returns the order of a compare-exchange that fails, which stores nothing.
constexpr int failure_order_of(gpu::Order order) {
  const bool acquires = order == gpu::Order::kAcquire || order == gpu::Order::kAcquireRelease;
  return acquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED;
}

constexpr int scope_of(gpu::Scope scope) {
  switch (scope) {
    case gpu::Scope::kBlock: return __HIP_MEMORY_SCOPE_WORKGROUP;
    case gpu::Scope::kDevice: return __HIP_MEMORY_SCOPE_AGENT;
    case gpu::Scope::kSystem: return __HIP_MEMORY_SCOPE_SYSTEM;
  }
}

// Returns a pointer into the address space that the scope implies: 3 for shared memory, 1 for
// global memory. Instructions on such pointers neither determine the space nor wait for the other
// space.
template <gpu::Scope scope, class T>
__device__ auto in_its_space(T* address) {
  if constexpr (scope == gpu::Scope::kBlock) {
    return (__attribute__((address_space(3))) T*)address;
  } else {
    return (__attribute__((address_space(1))) T*)address;
  }
}

}  // namespace atomics

// Acquires and releases, for the calling thread.
template <gpu::Scope scope>
__device__ void fence() {
  if constexpr (scope == gpu::Scope::kBlock) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
  } else {
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "");
  }
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ T atomic_load(const T* source) {
  static_assert(order == gpu::Order::kRelaxed || order == gpu::Order::kAcquire);
  return __hip_atomic_load(atomics::in_its_space<scope>(source), atomics::order_of(order),
                           atomics::scope_of(scope));
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ void atomic_store(T* target, std::type_identity_t<T> value) {
  static_assert(order == gpu::Order::kRelaxed || order == gpu::Order::kRelease);
  __hip_atomic_store(atomics::in_its_space<scope>(target), value, atomics::order_of(order),
                     atomics::scope_of(scope));
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ T atomic_add(T* target, std::type_identity_t<T> value) {
  return __hip_atomic_fetch_add(atomics::in_its_space<scope>(target), value,
                                atomics::order_of(order), atomics::scope_of(scope));
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ T atomic_exchange(T* target, std::type_identity_t<T> value) {
  return __hip_atomic_exchange(atomics::in_its_space<scope>(target), value,
                               atomics::order_of(order), atomics::scope_of(scope));
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ T atomic_max(T* target, std::type_identity_t<T> value) {
  return __hip_atomic_fetch_max(atomics::in_its_space<scope>(target), value,
                                atomics::order_of(order), atomics::scope_of(scope));
}

template <class T>
__device__ T atomic_min(T* target, std::type_identity_t<T> value) {
  return __hip_atomic_fetch_min(atomics::in_its_space<gpu::Scope::kDevice>(target), value,
                                __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

template <gpu::Scope scope, gpu::Order order, class T>
__device__ T atomic_compare_exchange(T* target, std::type_identity_t<T> expected,
                                     std::type_identity_t<T> desired) {
  __hip_atomic_compare_exchange_strong(atomics::in_its_space<scope>(target), &expected, desired,
                                       atomics::order_of(order), atomics::failure_order_of(order),
                                       atomics::scope_of(scope));
  return expected;
}

template <class T>
__device__ void reduce_add(T* target, std::type_identity_t<T> value) {
  __hip_atomic_fetch_add(atomics::in_its_space<gpu::Scope::kDevice>(target), value,
                         __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_ATOMICS_H_
