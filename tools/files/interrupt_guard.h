// SPDX-License-Identifier: Apache-2.0

// Signals that end a run: temporary files are removed, and loops can poll for them.
//
//   prepare_signals();  // Once, first in main().
//   InterruptGuard interrupt;
//   while (!interrupt.interrupted() && reader.next(picture)) { ... }
#ifndef MILLRACE_TOOLS_FILES_INTERRUPT_GUARD_H_
#define MILLRACE_TOOLS_FILES_INTERRUPT_GUARD_H_

#include <millrace/runtime/core/error.h>

#include <csignal>
#include <iterator>
#include <string>

namespace millrace::tools {

// The signals that end a run. SIGPIPE and SIGXFSZ are not among them: prepare_signals() turns them
// into write errors.
inline constexpr int kEndingSignals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                         SIGXCPU, SIGUSR1, SIGUSR2};

// Sets the handlers of the process. Each of kEndingSignals removes temporary files (see
// TemporaryName), prints one line on standard error unless `is_silent`, and ends the process with
// status 128 + signal. SIGPIPE and SIGXFSZ are ignored, so that a write fails with EPIPE or EFBIG.
// A signal that was ignored, such as SIGHUP by nohup, or that has a handler stays so.
void prepare_signals(bool is_silent = false);

// While a guard lives, the first of kEndingSignals only sets a flag; a second one ends the process
// at once, as prepare_signals() states. A signal that was ignored stays ignored. A process has one
// guard at a time: a second throws Error(kInvalidArgument).
class InterruptGuard {
 public:
  InterruptGuard();
  // Restores the handlers of the signals.
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  // Returns true if a signal came since the guard was made. Any thread may call it.
  bool interrupted() const { return signal() != 0; }

  // Returns true if an error is kCancelled because of a signal; other errors of that time, such as
  // of a full disk, are reported.
  bool caused(const Error& error) const {
    return interrupted() && error.code() == ErrorCode::kCancelled;
  }

  // Returns the first signal, 0 if none came.
  int signal() const;

 private:
  struct sigaction old_[std::size(kEndingSignals)];
};

// Returns the last signal of any guard, also a destroyed one; 0 if none came. Any thread may call.
int interrupting_signal();

// Throws Error(kCancelled) once a guard has got a signal. Any thread may call.
void throw_if_interrupted();

// Returns "interrupted" for SIGINT, else "interrupted by SIGTERM" and so on.
std::string interruption(int signal);

// Returns true if a reader of this process's output has gone, which SIGPIPE would report.
bool has_lost_reader();
// Called after a write that fails with EPIPE.
void note_lost_reader();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INTERRUPT_GUARD_H_
