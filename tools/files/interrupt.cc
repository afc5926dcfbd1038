#include <millrace/tools/files/interrupt.h>

#include <atomic>

#include <millrace/runtime/error.h>

namespace millrace::tools {
namespace {

std::atomic<bool> guarded = false;
std::atomic<int> last_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

void remember(int number) { last_signal = number; }

// SA_RESETHAND gives the second signal its default effect: it ends the process.
void install(int number, struct sigaction& old) {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(number, nullptr, &old);
  if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guarded.exchange(true)) {
    throw Error(ErrorCode::kInvalidArgument, "a second InterruptGuard; a process has one at most");
  }
  last_signal = 0;
  install(SIGINT, old_interrupt_);
  install(SIGTERM, old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  guarded = false;
}

int InterruptGuard::signal() const { return last_signal; }

}  // namespace millrace::tools
