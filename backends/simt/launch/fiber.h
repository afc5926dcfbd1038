// SPDX-License-Identifier: Apache-2.0

// A stack that a host thread can switch to and from, known to the sanitizers.
//
//   Fiber here;                      // the calling thread's own stack
//   Fiber other(64 * 1024);
//   other.prepare(entry, argument);
//   here.switch_to(other);           // runs entry(argument) until something switches back to
//   `here`
//
// To ThreadSanitizer each fiber is a thread, and a switch synchronises nothing.
#ifndef MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_
#define MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_

#include <cstddef>

namespace millrace::simt {

class Fiber {
 public:
  // Runs on the fiber. Returns the fiber to go on with; then this one has ended.
  using Entry = Fiber& (*)(void* argument);

  // Stands for the calling thread, which alone may switch to and from it.
  Fiber();

  // A new stack; below it is a page that cannot be touched. Throws Error(kOutOfMemory).
  explicit Fiber(std::size_t stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // The next switch to it starts entry(argument). What it ran before, if that has not ended, is
  // abandoned as it stands: no destructor runs.
  void prepare(Entry entry, void* argument);

  // Called on this fiber: goes on with `next`, and returns when something switches back.
  void switch_to(Fiber& next);

  // Called on this fiber: goes on with `next`. Nothing may switch back before the next prepare().
  [[noreturn]] void leave_to(Fiber& next);

 private:
  struct Arrival;

  void begin_anew();
  void jump_to(Fiber& next, void** fake_stack);
  void arrive(Fiber& previous, void* previous_context);

  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  void* context_ = nullptr;  // Where it goes on; Boost's fcontext_t.
  Fiber* next_ = nullptr;    // Whom it last switched to.
  void* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0;
  void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
  void* address_sanitizer_ = nullptr;  // Its fake stack while it does not run.
  void* thread_sanitizer_ = nullptr;
  bool has_ended_ = false;
};

}  // namespace millrace::simt

#endif  // MILLRACE_BACKENDS_SIMT_LAUNCH_FIBER_H_
