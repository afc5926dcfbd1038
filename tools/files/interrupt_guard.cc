// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/temporary_name.h>

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace millrace::tools {
namespace {

std::atomic<bool> is_guarded = false;
std::atomic<bool> is_quiet = false;
std::atomic<bool> lost_reader = false;
std::atomic<int> first_signal = 0;  // First signal of the current guard.
std::atomic<int> last_signal = 0;   // Last signal of any guard.
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

const char* name_of(int signal) {
  switch (signal) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGHUP: return "SIGHUP";
    case SIGQUIT: return "SIGQUIT";
    case SIGXCPU: return "SIGXCPU";
    case SIGUSR1: return "SIGUSR1";
    case SIGUSR2: return "SIGUSR2";
    default: return "a signal";
  }
}

// Prints the message of a signal. Safe in a signal handler.
void say_end(int signal) {
  if (is_quiet) return;
  char line[64] = "millrace: ended by ";
  std::strcat(line, name_of(signal));
  std::strcat(line, "\n");
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, std::strlen(line));
}

void answer(int signal) {
  const int error_number = errno;
  int none = 0;
  if (is_guarded && first_signal.compare_exchange_strong(none, signal)) {
    last_signal = signal;
    errno = error_number;
    return;
  }
  remove_temporary_files();
  say_end(signal);
  _exit(128 + signal);
}

struct sigaction answering() {
  struct sigaction action = {};
  action.sa_handler = answer;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : kEndingSignals) sigaddset(&action.sa_mask, signal);
  return action;
}

bool has_default(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

}  // namespace

void prepare_signals(bool is_silent) {
  is_quiet = is_silent;
  const struct sigaction action = answering();
  for (const int signal : kEndingSignals) {
    if (has_default(signal)) sigaction(signal, &action, nullptr);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (has_default(signal)) std::signal(signal, SIG_IGN);
  }
}

InterruptGuard::InterruptGuard() {
  if (is_guarded.exchange(true)) {
    reject("a second InterruptGuard is made; a process has one at most");
  }
  const struct sigaction action = answering();
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
    sigaction(kEndingSignals[i], nullptr, &old_[i]);
    if (old_[i].sa_handler != SIG_IGN) sigaction(kEndingSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
    sigaction(kEndingSignals[i], &old_[i], nullptr);
  }
  first_signal = 0;
  is_guarded = false;
}

int InterruptGuard::signal() const { return first_signal; }

int interrupting_signal() { return last_signal; }

void throw_if_interrupted() {
  if (is_guarded && first_signal != 0) throw Error(ErrorCode::kCancelled, "interrupted");
}

std::string interruption(int signal) {
  return signal == SIGINT ? "interrupted" : std::string("interrupted by ") + name_of(signal);
}

bool has_lost_reader() { return lost_reader; }

void note_lost_reader() { lost_reader = true; }

}  // namespace millrace::tools
