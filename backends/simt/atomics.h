// SPDX-License-Identifier: Apache-2.0

// Device side: atomic operations, clock and pause. The scheduler may switch threads at each atomic
// operation.
#ifndef MILLRACE_BACKENDS_SIMT_ATOMICS_H_
#define MILLRACE_BACKENDS_SIMT_ATOMICS_H_

#include <millrace/backends/gpu/api_types.h>
#include <millrace/backends/simt/launch/kernel_run.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <type_traits>

namespace millrace::simt {

constexpr std::memory_order memory_order(gpu::Order order) {
  switch (order) {
    case gpu::Order::kRelaxed: return std::memory_order_relaxed;
    case gpu::Order::kAcquire: return std::memory_order_acquire;
    case gpu::Order::kRelease: return std::memory_order_release;
    case gpu::Order::kAcquireRelease: return std::memory_order_acq_rel;
  }
  return std::memory_order_seq_cst;
}

// May switch to another thread. Stops the launch if the scope does not fit the memory.
template <gpu::Scope scope>
KernelRun& begin_atomic(const void* address) {
  KernelRun& run = *this_thread->run;
  run.interleave();
  const BlockRun& block = *this_thread->block;
  const auto offset = reinterpret_cast<std::uintptr_t>(address) -
                      reinterpret_cast<std::uintptr_t>(block.shared.get());
  const bool is_shared = offset < block.shared_bytes;
  if (is_shared != (scope == gpu::Scope::kBlock)) [[unlikely]] {
    run.fail(is_shared ? "uses an atomic operation of wider scope than block on shared memory"
                       : "uses an atomic operation of block scope on other than shared memory");
  }
  return run;
}

template <class T>
T note_change(KernelRun& run, T before, T after) {
  if (before != after) run.note_progress();
  return before;
}

template <class T>
concept AtomicInteger = std::is_integral_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

}  // namespace millrace::simt

namespace millrace::simt_backend {

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
T atomic_load(const T* address) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  if constexpr (scope == gpu::Scope::kSystem) run.note_wait_for_host();
  return std::atomic_ref(const_cast<T&>(*address)).load(simt::memory_order(order));
}

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
void atomic_store(T* address, std::type_identity_t<T> value) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  const std::atomic_ref target(*address);
  simt::note_change(run, target.load(std::memory_order_relaxed), value);
  target.store(value, simt::memory_order(order));
}

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
T atomic_add(T* address, std::type_identity_t<T> value) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  if (value != 0) run.note_progress();
  return std::atomic_ref(*address).fetch_add(value, simt::memory_order(order));
}

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
T atomic_exchange(T* address, std::type_identity_t<T> value) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  return simt::note_change(
      run, std::atomic_ref(*address).exchange(value, simt::memory_order(order)), value);
}

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
T atomic_max(T* address, std::type_identity_t<T> value) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  const std::atomic_ref target(*address);
  T before = target.load(std::memory_order_relaxed);
  while (!target.compare_exchange_weak(before, before < value ? value : before,
                                       simt::memory_order(order), std::memory_order_relaxed)) {
  }
  return simt::note_change(run, before, before < value ? value : before);
}

template <simt::AtomicInteger T>
T atomic_min(T* address, std::type_identity_t<T> value) {
  simt::KernelRun& run = simt::begin_atomic<gpu::Scope::kDevice>(address);
  const std::atomic_ref target(*address);
  T before = target.load(std::memory_order_relaxed);
  while (!target.compare_exchange_weak(before, before < value ? before : value,
                                       std::memory_order_relaxed)) {
  }
  return simt::note_change(run, before, before < value ? before : value);
}

template <gpu::Scope scope, gpu::Order order, simt::AtomicInteger T>
T atomic_compare_exchange(T* address, std::type_identity_t<T> expected,
                          std::type_identity_t<T> desired) {
  simt::KernelRun& run = simt::begin_atomic<scope>(address);
  T before = expected;
  if (std::atomic_ref(*address).compare_exchange_strong(before, desired,
                                                        simt::memory_order(order))) {
    simt::note_change(run, expected, desired);
  }
  return before;
}

template <class T>
requires simt::AtomicInteger<T> || std::is_floating_point_v<T>
void reduce_add(T* address, std::type_identity_t<T> value) {
  simt::begin_atomic<gpu::Scope::kDevice>(address).note_progress();
  std::atomic_ref(*address).fetch_add(value, std::memory_order_relaxed);
}

// Implemented as an operation on one word that all fences share, because ThreadSanitizer
// understands it, unlike a fence. It orders more than a GPU's fence does.
template <gpu::Scope scope>
void fence() {
  simt::this_thread->run->interleave();
  static std::atomic<unsigned> word{0};
  word.fetch_add(1, std::memory_order_acq_rel);
}

// Returns nanoseconds.
inline std::uint64_t clock_cycles() {
  simt::this_thread->run->note_wait_for_host();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

// Only gives other threads their turns, without regard to time.
inline void pause(unsigned /*nanoseconds*/) { simt::this_thread->run->pause(); }

}  // namespace millrace::simt_backend

#endif  // MILLRACE_BACKENDS_SIMT_ATOMICS_H_
