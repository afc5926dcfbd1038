// SPDX-License-Identifier: Apache-2.0

// Atomic operations and fences of the GPU calls on NVIDIA devices. backends/gpu/api.h specifies
// each.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_ATOMICS_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_ATOMICS_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/gpu/nvidia/ptx.h>
#include <millrace/backends/gpu/nvidia/word.h>
#include <millrace/runtime/core/target_function.h>

#include <cuda_runtime.h>

#include <type_traits>

namespace millrace::nvidia {

// Acquires and releases, for the calling thread. It is fence.acq_rel in PTX.
#pragma nv_exec_check_disable
template <gpu::Scope scope>
MILLRACE_FUNCTION void fence() {
  if constexpr (scope == gpu::Scope::kBlock) {
    asm volatile("fence.acq_rel.cta;" : : : "memory");
  } else if constexpr (scope == gpu::Scope::kDevice) {
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
  } else {
    asm volatile("fence.acq_rel.sys;" : : : "memory");
  }
}

namespace atomics {

template <class T>
MILLRACE_FUNCTION Word<T>* as_word(T* address) {
  return reinterpret_cast<Word<T>*>(address);
}

template <class T>
MILLRACE_FUNCTION const Word<T>* as_word(const T* address) {
  return reinterpret_cast<const Word<T>*>(address);
}

// The type for which the vendor's maximum is defined.
template <class T>
using Comparable = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Word<T>>, Word<T>>;

// Lets the compiler use the instructions of shared memory.
template <gpu::Scope scope, class T>
__device__ T* in_its_space(T* address) {
  if constexpr (scope == gpu::Scope::kBlock) __builtin_assume(__isShared(address));
  return address;
}

template <gpu::Scope scope, class W>
__device__ W relaxed_add(W* target, W value) {
  if constexpr (scope == gpu::Scope::kBlock) return atomicAdd_block(target, value);
  if constexpr (scope == gpu::Scope::kDevice) return atomicAdd(target, value);
  return atomicAdd_system(target, value);
}

template <gpu::Scope scope, class W>
__device__ W relaxed_exchange(W* target, W value) {
  if constexpr (scope == gpu::Scope::kBlock) return atomicExch_block(target, value);
  if constexpr (scope == gpu::Scope::kDevice) return atomicExch(target, value);
  return atomicExch_system(target, value);
}

template <gpu::Scope scope, class W>
__device__ W relaxed_max(W* target, W value) {
  if constexpr (scope == gpu::Scope::kBlock) return atomicMax_block(target, value);
  if constexpr (scope == gpu::Scope::kDevice) return atomicMax(target, value);
  return atomicMax_system(target, value);
}

template <class W>
__device__ W relaxed_min(W* target, W value) {
  return atomicMin(target, value);
}

template <gpu::Scope scope, class W>
__device__ W relaxed_compare_exchange(W* target, W expected, W desired) {
  if constexpr (scope == gpu::Scope::kBlock) return atomicCAS_block(target, expected, desired);
  if constexpr (scope == gpu::Scope::kDevice) return atomicCAS(target, expected, desired);
  return atomicCAS_system(target, expected, desired);
}

// Makes a relaxed operation one of order `order` by fences around it.
template <gpu::Scope scope, gpu::Order order, class Operation>
MILLRACE_FUNCTION std::invoke_result_t<Operation> fenced(Operation operation) {
  constexpr bool kBoth = order == gpu::Order::kAcquireRelease;
  if constexpr (kBoth || order == gpu::Order::kRelease) fence<scope>();
  const auto result = operation();
  if constexpr (kBoth || order == gpu::Order::kAcquire) fence<scope>();
  return result;
}

// A load from shared memory. In a build for racecheck it uses an instruction that racecheck knows
// to be atomic.
template <class T>
MILLRACE_FUNCTION T relaxed_load(const T* source) {
#ifdef RACECHECK
  auto* const address = in_its_space<gpu::Scope::kBlock>(const_cast<Word<T>*>(as_word(source)));
  return static_cast<T>(atomicOr_block(address, Word<T>{0}));
#else
  const volatile T* const address = in_its_space<gpu::Scope::kBlock>(source);
  return *address;
#endif
}

template <class T>
MILLRACE_FUNCTION void relaxed_store(T* target, T value) {
#ifdef RACECHECK
  relaxed_exchange<gpu::Scope::kBlock>(in_its_space<gpu::Scope::kBlock>(as_word(target)),
                                       static_cast<Word<T>>(value));
#else
  volatile T* const address = in_its_space<gpu::Scope::kBlock>(target);
  *address = value;
#endif
}

// True if an instruction has the order. Fences would make a barrier of the whole device slower.
template <gpu::Scope scope, gpu::Order order>
inline constexpr bool kHasInstruction =
    scope == gpu::Scope::kDevice&& order != gpu::Order::kRelaxed;

}  // namespace atomics

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_load(const T* source) {
  static_assert(order == gpu::Order::kRelaxed || order == gpu::Order::kAcquire);
  if constexpr (scope == gpu::Scope::kBlock) {
    return atomics::fenced<scope, order>([=] { return atomics::relaxed_load(source); });
  } else {
    return static_cast<T>(ptx::load<scope, order>(atomics::as_word(source)));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION void atomic_store(T* target, std::type_identity_t<T> value) {
  static_assert(order == gpu::Order::kRelaxed || order == gpu::Order::kRelease);
  if constexpr (scope == gpu::Scope::kBlock) {
    if constexpr (order == gpu::Order::kRelease) fence<scope>();
    atomics::relaxed_store(target, T{value});
  } else {
    ptx::store<scope, order>(atomics::as_word(target), static_cast<Word<T>>(value));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_add(T* target, std::type_identity_t<T> value) {
  auto* const address = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto word = static_cast<Word<T>>(value);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::add<order>(address, word));
  } else {
    return static_cast<T>(
        atomics::fenced<scope, order>([=] { return atomics::relaxed_add<scope>(address, word); }));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_exchange(T* target, std::type_identity_t<T> value) {
  auto* const address = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto word = static_cast<Word<T>>(value);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::exchange<order>(address, word));
  } else {
    return static_cast<T>(atomics::fenced<scope, order>(
        [=] { return atomics::relaxed_exchange<scope>(address, word); }));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_max(T* target, std::type_identity_t<T> value) {
  using Integer = atomics::Comparable<T>;
  auto* const address = reinterpret_cast<Integer*>(atomics::in_its_space<scope>(target));
  return static_cast<T>(atomics::fenced<scope, order>(
      [=] { return atomics::relaxed_max<scope>(address, static_cast<Integer>(value)); }));
}

#pragma nv_exec_check_disable
template <class T>
MILLRACE_FUNCTION T atomic_min(T* target, std::type_identity_t<T> value) {
  return static_cast<T>(
      atomics::relaxed_min(atomics::as_word(target), static_cast<Word<T>>(value)));
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_compare_exchange(T* target, std::type_identity_t<T> expected,
                                            std::type_identity_t<T> desired) {
  auto* const address = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto old = static_cast<Word<T>>(expected);
  const auto word = static_cast<Word<T>>(desired);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::compare_exchange<order>(address, old, word));
  } else {
    return static_cast<T>(atomics::fenced<scope, order>(
        [=] { return atomics::relaxed_compare_exchange<scope>(address, old, word); }));
  }
}

#pragma nv_exec_check_disable
template <class T>
MILLRACE_FUNCTION void reduce_add(T* target, std::type_identity_t<T> value) {
  if constexpr (std::is_floating_point_v<T>) {
    atomicAdd(target, value);
  } else {
    atomicAdd(atomics::as_word(target), static_cast<Word<T>>(value));
  }
}

}  // namespace millrace::nvidia

#endif  // MILLRACE_BACKENDS_GPU_NVIDIA_ATOMICS_H_
