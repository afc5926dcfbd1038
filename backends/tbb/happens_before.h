// Says to ThreadSanitizer what oneTBB's library, which is not instrumented, does: work handed to it
// starts after the handing over, and a join follows the end of all work. Without
// ThreadSanitizer everything here is empty.
#ifndef MILLRACE_BACKENDS_TBB_HAPPENS_BEFORE_H_
#define MILLRACE_BACKENDS_TBB_HAPPENS_BEFORE_H_

#include <utility>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace millrace::tbb_backend {

#if defined(__SANITIZE_THREAD__)
inline char handoff_clock;
inline void announce_handoff() { __tsan_release(&handoff_clock); }
inline void observe_handoff() { __tsan_acquire(&handoff_clock); }
#else
inline void announce_handoff() {}
inline void observe_handoff() {}
#endif

// A function object as oneTBB takes it: whatever thread copied it in happens before its call, and
// its call happens before the next observe_handoff().
template <class Function>
class Handoff {
 public:
  explicit Handoff(Function function) : function_(std::move(function)) { announce_handoff(); }
  Handoff(const Handoff& other) : function_(other.copied()) { announce_handoff(); }
  Handoff& operator=(const Handoff&) = delete;

  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    observe_handoff();
    function_(std::forward<Arguments>(arguments)...);
    announce_handoff();
  }

 private:
  const Function& copied() const {
    observe_handoff();
    return function_;
  }

  Function function_;
};

}  // namespace millrace::tbb_backend

#endif  // MILLRACE_BACKENDS_TBB_HAPPENS_BEFORE_H_
