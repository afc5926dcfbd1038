// SPDX-License-Identifier: Apache-2.0

// A stack that a host thread can switch to and from, known to the sanitizers.
//
//   Fiber here;                 // the calling thread's own stack
//   Fiber other(64 * 1024);
//   other.prepare(entry, argument);
//   here.switch_to(other);      // runs entry(argument) until something switches back to here
//
// To ThreadSanitizer each fiber is a thread, and a switch synchronizes nothing.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_

#include <cstddef>

namespace millrace::simt {

class Fiber {
 public:
  // Runs on the fiber. Returns the fiber to continue with; the fiber has then ended.
  using Entry = Fiber& (*)(void* argument);

  // Represents the calling thread, which alone may switch to and from it.
  Fiber();

  // Allocates a stack, with an inaccessible page below it. Throws Error(kOutOfMemory).
  explicit Fiber(std::size_t stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Makes the next switch to the fiber start entry(argument). An earlier entry that has not ended
  // is abandoned: its destructors do not run.
  void prepare(Entry entry, void* argument);

  // Called on this fiber. Continues with `next`, and returns when something switches back.
  void switch_to(Fiber& next);

  // Called on this fiber. Continues with `next`. Nothing may switch back before the next prepare().
  [[noreturn]] void leave_to(Fiber& next);

 private:
  struct Arrival;

  void begin_anew();
  void jump_to(Fiber& next, void** fake_stack);
  void arrive(Fiber& previous, void* previous_context);

  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  void* context_ = nullptr;  // The suspended state; Boost's fcontext_t.
  Fiber* next_ = nullptr;    // The fiber it last switched to.
  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* address_sanitizer_ = nullptr;  // ASan's fake stack while the fiber is suspended.
  void* thread_sanitizer_ = nullptr;
  bool has_ended_ = false;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_
