// SPDX-License-Identifier: Apache-2.0

// Atomic operations and fences of the GPU calls on NVIDIA devices; backends/gpu/api.h says what
// each promises.
#ifndef MILLRACE_BACKENDS_GPU_NVIDIA_ATOMICS_H_
#define MILLRACE_BACKENDS_GPU_NVIDIA_ATOMICS_H_

#include <type_traits>

#include <cuda_runtime.h>

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/gpu/nvidia/ptx.h>
#include <millrace/backends/gpu/nvidia/word.h>
#include <millrace/runtime/core/target_function.h>

namespace millrace::nvidia {

// Acquire and release of the thread that calls it; in PTX fence.acq_rel.
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
MILLRACE_FUNCTION Word<T>* as_word(T* place) {
  return reinterpret_cast<Word<T>*>(place);
}

template <class T>
MILLRACE_FUNCTION const Word<T>* as_word(const T* place) {
  return reinterpret_cast<const Word<T>*>(place);
}

// T as the type that the vendor's maximum is for.
template <class T>
using Comparable = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Word<T>>, Word<T>>;

// Lets the compiler choose shared memory's own instructions.
template <gpu::Scope scope, class T>
__device__ T* in_its_space(T* place) {
  if constexpr (scope == gpu::Scope::kBlock) __builtin_assume(__isShared(place));
  return place;
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

template <gpu::Scope scope, class W>
__device__ W relaxed_compare_exchange(W* target, W expected, W desired) {
  if constexpr (scope == gpu::Scope::kBlock) return atomicCAS_block(target, expected, desired);
  if constexpr (scope == gpu::Scope::kDevice) return atomicCAS(target, expected, desired);
  return atomicCAS_system(target, expected, desired);
}

// A relaxed operation made into one of `order` by fences around it.
template <gpu::Scope scope, gpu::Order order, class Operation>
MILLRACE_FUNCTION std::invoke_result_t<Operation> fenced(Operation operation) {
  constexpr bool kBoth = order == gpu::Order::kAcquireRelease;
  if constexpr (kBoth || order == gpu::Order::kRelease) fence<scope>();
  const auto result = operation();
  if constexpr (kBoth || order == gpu::Order::kAcquire) fence<scope>();
  return result;
}

// Of shared memory. In a build for racecheck by instructions that it knows to be atomic.
template <class T>
MILLRACE_FUNCTION T relaxed_load(const T* source) {
#ifdef RACECHECK
  auto* const place = in_its_space<gpu::Scope::kBlock>(const_cast<Word<T>*>(as_word(source)));
  return static_cast<T>(atomicOr_block(place, Word<T>{0}));
#else
  const volatile T* const place = in_its_space<gpu::Scope::kBlock>(source);
  return *place;
#endif
}

template <class T>
MILLRACE_FUNCTION void relaxed_store(T* target, T value) {
#ifdef RACECHECK
  relaxed_exchange<gpu::Scope::kBlock>(in_its_space<gpu::Scope::kBlock>(as_word(target)),
                                       static_cast<Word<T>>(value));
#else
  volatile T* const place = in_its_space<gpu::Scope::kBlock>(target);
  *place = value;
#endif
}

// Fences would cost a barrier of the whole device more.
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
  auto* const place = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto word = static_cast<Word<T>>(value);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::add<order>(place, word));
  } else {
    return static_cast<T>(
        atomics::fenced<scope, order>([=] { return atomics::relaxed_add<scope>(place, word); }));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_exchange(T* target, std::type_identity_t<T> value) {
  auto* const place = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto word = static_cast<Word<T>>(value);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::exchange<order>(place, word));
  } else {
    return static_cast<T>(atomics::fenced<scope, order>(
        [=] { return atomics::relaxed_exchange<scope>(place, word); }));
  }
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_max(T* target, std::type_identity_t<T> value) {
  using Integer = atomics::Comparable<T>;
  auto* const place = reinterpret_cast<Integer*>(atomics::in_its_space<scope>(target));
  return static_cast<T>(atomics::fenced<scope, order>(
      [=] { return atomics::relaxed_max<scope>(place, static_cast<Integer>(value)); }));
}

#pragma nv_exec_check_disable
template <gpu::Scope scope, gpu::Order order, class T>
MILLRACE_FUNCTION T atomic_compare_exchange(T* target, std::type_identity_t<T> expected,
                                            std::type_identity_t<T> desired) {
  auto* const place = atomics::as_word(atomics::in_its_space<scope>(target));
  const auto old = static_cast<Word<T>>(expected);
  const auto word = static_cast<Word<T>>(desired);
  if constexpr (atomics::kHasInstruction<scope, order>) {
    return static_cast<T>(ptx::compare_exchange<order>(place, old, word));
  } else {
    return static_cast<T>(atomics::fenced<scope, order>(
        [=] { return atomics::relaxed_compare_exchange<scope>(place, old, word); }));
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
