// SPDX-License-Identifier: Apache-2.0

// Runs the real `millrace` command.
//
//   const Finished finished = run_millrace(folder, {"idct", "clip.y4m", "--json", "-"});
//   EXPECT_EQ(finished.exit_status, 0);
#ifndef MILLRACE_TESTS_END_TO_END_MILLRACE_PROCESS_H_
#define MILLRACE_TESTS_END_TO_END_MILLRACE_PROCESS_H_

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace millrace::end_to_end {

struct Finished {
  int exit_status = 0;  // 128 + signal if a signal ended it, as in shells.
  std::string out;
  std::string err;
  std::size_t peak_bytes = 0;  // Peak of resident memory.
};

struct ProcessOptions {
  std::string out_path{};             // Standard output goes to this file and is not captured.
  bool err_terminal = false;          // Standard error is a terminal.
  std::size_t most_file_bytes = 0;    // Writing more is an error, as on a full disk; 0: no limit.
  std::size_t most_memory_bytes = 0;  // Limit of the address space; 0: no limit.
  int ignored_signal = 0;             // Ignored as nohup ignores SIGHUP; 0: none.
};

// A process that was started; it must be waited for.
class MillraceProcess {
 public:
  // Starts in `folder`, with nothing on standard input. Throws std::system_error.
  MillraceProcess(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                  const ProcessOptions& options = {});

  // Starts another program, with its name as the first argument.
  MillraceProcess(const std::filesystem::path& folder, const std::string& program,
                  const std::vector<std::string>& arguments, const ProcessOptions& options);

  bool is_running() const;

  // Returns true where it has the file or pipe of that path open.
  bool has_open(const std::filesystem::path& path) const;

  // Returns once `condition` is true or the process has ended. It polls, because no event reports
  // another process's files: how long that takes decides nothing.
  void wait_until(const std::function<bool()>& condition) const;

  void send_signal(int number) const;

  Finished wait();

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Closer>;

  void open_terminal();

  File out_;
  File err_;       // The reading side, if it is a terminal.
  File terminal_;  // The other side, or null.
  pid_t process_ = -1;
};

// Returns true if this machine makes terminals for ProcessOptions::err_terminal. A container may
// have no /dev/pts.
bool has_terminals();

// The signals that end a run as Ctrl-C does.
inline constexpr int kEndingSignals[] = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
                                         SIGXCPU, SIGUSR1, SIGUSR2};

// Returns the beginning of the command's message after a signal: "interrupted", "interrupted by
// SIGHUP".
std::string interruption(int signal);

// Runs a line of bash in `folder`; $M is the path of the command.
Finished run_shell(const std::filesystem::path& folder, const std::string& line);

Finished run_millrace(const std::filesystem::path& folder,
                      const std::vector<std::string>& arguments,
                      const ProcessOptions& options = {});

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_MILLRACE_PROCESS_H_
