// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/millrace_process.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <thread>

namespace millrace::end_to_end {
namespace {

void check(bool good, const char* what) {
  if (!good) throw std::system_error(errno, std::generic_category(), what);
}

// Leaves the core to the process between two polls of its state.
void leave_core() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// Relative to the folder Bazel starts tests in.
const std::string& millrace_path() {
  static const std::string path = std::filesystem::absolute("tools/millrace").string();
  return path;
}

// Limits a resource of this process's children while it lives; 0 bytes: no limit.
class Limit {
 public:
  Limit(int resource, std::size_t bytes) : resource_(resource), is_set_(bytes > 0) {
    if (!is_set_) return;
    check(getrlimit(resource_, &before_) == 0, "getrlimit");
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    check(setrlimit(resource_, &limit) == 0, "setrlimit");
  }
  ~Limit() {
    if (is_set_) setrlimit(resource_, &before_);
  }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  const int resource_;
  const bool is_set_;
  rlimit before_ = {};
};

// Until it goes, children are started to ignore the signal.
class IgnoredSignal {
 public:
  explicit IgnoredSignal(int number) : number_(number), answer_(std::signal(number, SIG_IGN)) {}
  ~IgnoredSignal() { std::signal(number_, answer_); }
  IgnoredSignal(const IgnoredSignal&) = delete;
  IgnoredSignal& operator=(const IgnoredSignal&) = delete;

 private:
  const int number_;
  void (*const answer_)(int);
};

std::vector<std::string> with_first(const std::string& first, std::vector<std::string> rest) {
  rest.insert(rest.begin(), first);
  return rest;
}

// Returns the contents of a file from its start, or of a terminal from now on.
std::string contents(std::FILE* file) {
  const int descriptor = fileno(file);
  lseek(descriptor, 0, SEEK_SET);
  std::string text;
  char piece[4096];
  for (ssize_t count; (count = read(descriptor, piece, sizeof piece)) > 0;) {
    text.append(piece, count);
  }
  return text;
}

// Returns the side of a new terminal that reads what is shown, or -1.
int open_terminal_reader() {
  const int reader = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (reader < 0) return -1;
  if (grantpt(reader) == 0 && unlockpt(reader) == 0 && access(ptsname(reader), W_OK) == 0) {
    return reader;
  }
  close(reader);
  return -1;
}

}  // namespace

MillraceProcess::MillraceProcess(const std::filesystem::path& folder,
                                 const std::vector<std::string>& arguments,
                                 const ProcessOptions& options)
    : MillraceProcess(folder, millrace_path(), with_first("millrace", arguments), options) {}

MillraceProcess::MillraceProcess(const std::filesystem::path& folder, const std::string& program,
                                 const std::vector<std::string>& arguments,
                                 const ProcessOptions& options)
    : out_(std::tmpfile()), err_(std::tmpfile()) {
  check(out_ && err_, "tmpfile");
  if (options.err_terminal) open_terminal();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (options.out_path.empty()) {
    posix_spawn_file_actions_adddup2(&actions, fileno(out_.get()), STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, options.out_path.c_str(), O_WRONLY,
                                     0);
  }
  posix_spawn_file_actions_adddup2(&actions, fileno(terminal_ ? terminal_.get() : err_.get()),
                                   STDERR_FILENO);

  // Who runs this test may ignore signals that the command answers.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t answered;
  sigemptyset(&answered);
  sigaddset(&answered, SIGPIPE);
  for (const int signal : kEndingSignals) {
    if (signal != options.ignored_signal) sigaddset(&answered, signal);
  }
  posix_spawnattr_setsigdefault(&attributes, &answered);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const IgnoredSignal file_is_too_large(SIGXFSZ);
  const IgnoredSignal as_requested(options.ignored_signal != 0 ? options.ignored_signal : SIGXFSZ);
  const Limit of_files(RLIMIT_FSIZE, options.most_file_bytes);
  const Limit of_memory(RLIMIT_AS, options.most_memory_bytes);
  errno = posix_spawn(&process_, program.c_str(), &actions, &attributes, argv.data(), environ);
  const bool started = errno == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  check(started, program.c_str());
}

// This side stays open until the end: without it, a read would fail before it gave everything.
void MillraceProcess::open_terminal() {
  const int reader = open_terminal_reader();
  check(reader >= 0, "posix_openpt");
  err_.reset(fdopen(reader, "r"));
  const int writer = open(ptsname(reader), O_RDWR | O_NOCTTY | O_CLOEXEC);
  check(writer >= 0, "ptsname");
  terminal_.reset(fdopen(writer, "w"));
}

bool has_terminals() {
  const int reader = open_terminal_reader();
  if (reader >= 0) close(reader);
  return reader >= 0;
}

bool MillraceProcess::is_running() const {
  siginfo_t ended = {};
  check(waitid(P_PID, process_, &ended, WEXITED | WNOHANG | WNOWAIT) == 0, "waitid");
  return ended.si_pid == 0;
}

bool MillraceProcess::has_open(const std::filesystem::path& path) const {
  const std::filesystem::path file = std::filesystem::canonical(path);
  // The process may close descriptors or end meanwhile.
  std::error_code gone;
  std::filesystem::directory_iterator entry("/proc/" + std::to_string(process_) + "/fd", gone);
  for (const std::filesystem::directory_iterator end; entry != end; entry.increment(gone)) {
    if (std::filesystem::read_symlink(entry->path(), gone) == file) return true;
  }
  return false;
}

void MillraceProcess::wait_until(const std::function<bool()>& condition) const {
  while (is_running() && !condition()) leave_core();
}

void MillraceProcess::send_signal(int number) const { kill(process_, number); }

Finished MillraceProcess::wait() {
  std::string shown;
  // A terminal holds little; a process that writes more waits until this side reads.
  while (terminal_ && is_running()) {
    shown += contents(err_.get());
    leave_core();
  }
  int status = 0;
  rusage usage = {};
  check(wait4(process_, &status, 0, &usage) == process_, "wait4");
  return {.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = contents(out_.get()),
          .err = shown + contents(err_.get()),
          .peak_bytes = static_cast<std::size_t>(usage.ru_maxrss) << 10};
}

std::string interruption(int signal) {
  return signal == SIGINT ? "interrupted"
                          : std::string("interrupted by SIG") + sigabbrev_np(signal);
}

Finished run_shell(const std::filesystem::path& folder, const std::string& line) {
  const std::string with_command = "M='" + millrace_path() + "'; " + line;
  return MillraceProcess(folder, "/bin/bash", {"bash", "-c", with_command}, {}).wait();
}

Finished run_millrace(const std::filesystem::path& folder,
                      const std::vector<std::string>& arguments, const ProcessOptions& options) {
  return MillraceProcess(folder, arguments, options).wait();
}

}  // namespace millrace::end_to_end
