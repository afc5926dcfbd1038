// Turns Ctrl-C into a question that a loop can ask.
//
//   InterruptGuard interrupt;
//   while (!interrupt.interrupted() && reader.next(picture)) { ... }
#ifndef MILLRACE_TOOLS_FILES_INTERRUPT_H_
#define MILLRACE_TOOLS_FILES_INTERRUPT_H_

#include <csignal>

#include <millrace/runtime/error.h>

namespace millrace::tools {

// While one lives, the first SIGINT or SIGTERM only sets a flag; the same signal a second time
// ends the process as it would have without the guard. A signal that was ignored stays ignored.
// One guard at a time in a process: a second throws Error(kInvalidArgument).
class InterruptGuard {
 public:
  InterruptGuard();
  // Gives SIGINT and SIGTERM back the handlers they had.
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Whether a signal came since the guard was made. Any thread may ask.
  bool interrupted() const { return signal() != 0; }

  // Whether an error is kCancelled because of a signal; others that come meanwhile, such as of a
  // full disk, are to be told.
  bool caused(const Error& error) const {
    return interrupted() && error.code() == ErrorCode::kCancelled;
  }

  // The signal that came last, 0 if none did.
  int signal() const;

 private:
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INTERRUPT_H_
