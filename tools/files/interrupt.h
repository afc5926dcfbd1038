// SPDX-License-Identifier: Apache-2.0

// Signals that end a run: what is temporary goes, and a loop can ask for them.
//
//   prepare_signals();  // Once, first thing in main().
//   InterruptGuard interrupt;
//   while (!interrupt.interrupted() && reader.next(picture)) { ... }
#ifndef MILLRACE_TOOLS_FILES_INTERRUPT_H_
#define MILLRACE_TOOLS_FILES_INTERRUPT_H_

#include <csignal>
#include <iterator>
#include <string>

#include <millrace/runtime/core/error.h>

namespace millrace::tools {

// The signals that end a run. SIGPIPE and SIGXFSZ are not among them: prepare_signals() makes
// errors of writes of them.
inline constexpr int kEndingSignals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                         SIGXCPU, SIGUSR1, SIGUSR2};

// Sets the answers of the whole process. One of kEndingSignals removes temporary files (see
// TemporaryName), says one line on standard error unless `is_silent`, and ends the process with
// status 128 + signal. SIGPIPE and SIGXFSZ are ignored, so that a write fails with EPIPE or EFBIG.
// A signal that was ignored, such as SIGHUP by nohup, or that has a handler stays so.
void prepare_signals(bool is_silent = false);

// While one lives, the first of kEndingSignals only sets a flag; a second one ends the process at
// once, as prepare_signals() says. A signal that was ignored stays ignored. One guard at a time in
// a process: a second throws Error(kInvalidArgument).
class InterruptGuard {
 public:
  InterruptGuard();
  // Gives the signals back the handlers they had.
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

  // The signal that came first, 0 if none did.
  int signal() const;

 private:
  struct sigaction old_[std::size(kEndingSignals)];
};

// The signal that a guard got last, also one that is gone; 0 if none did. Any thread.
int interrupting_signal();

// Throws Error(kCancelled) once a guard has got a signal. Any thread.
void throw_if_interrupted();

// "interrupted" for SIGINT, else "interrupted by SIGTERM" and so on.
std::string interruption(int signal);

// Returns true if a reader of this process's output has gone, which SIGPIPE would report.
bool has_lost_reader();
// Called by whoever gets EPIPE from a write.
void note_lost_reader();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_FILES_INTERRUPT_H_
