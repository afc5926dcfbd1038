// SPDX-License-Identifier: Apache-2.0

// The sanitizers' interfaces for fibers. The functions are weak, and null in a program without that
// sanitizer.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_SANITIZERS_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_SANITIZERS_H_

#include <cstddef>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizers' own
// names.
extern "C" {
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* address, std::size_t bytes);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                  std::size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** old_bottom,
                                                   std::size_t* old_bytes);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void AnnotateIgnoreReadsBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreReadsEnd(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace millrace::simt {

inline bool has_address_sanitizer() noexcept { return __sanitizer_start_switch_fiber != nullptr; }
inline bool has_thread_sanitizer() noexcept { return __tsan_switch_to_fiber != nullptr; }

// Accesses before release(address) happen before accesses after a later acquire(address).
inline void release(void* address) noexcept {
  if (__tsan_release != nullptr) __tsan_release(address);
}
inline void acquire(void* address) noexcept {
  if (__tsan_acquire != nullptr) __tsan_acquire(address);
}

// While one lives, ThreadSanitizer ignores this fiber's memory accesses. All fibers use the
// scheduler's own data, and to ThreadSanitizer they are unsynchronized threads. No switch may
// happen meanwhile.
class IgnoreAccesses {
 public:
  IgnoreAccesses() noexcept {
    if (AnnotateIgnoreReadsBegin != nullptr) begin();
  }
  ~IgnoreAccesses() {
    if (AnnotateIgnoreReadsBegin != nullptr) end();
  }
  IgnoreAccesses(const IgnoreAccesses&) = delete;
  IgnoreAccesses& operator=(const IgnoreAccesses&) = delete;

  // Ends all that live, for a fiber that is never resumed.
  static void end_all() noexcept {
    while (depth > 0) end();
  }

 private:
  static void begin() noexcept {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    ++depth;
  }
  static void end() noexcept {
    --depth;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }

  static inline constinit thread_local int depth = 0;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_SANITIZERS_H_
