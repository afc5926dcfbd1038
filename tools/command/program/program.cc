// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/benchmarks/harness/provenance.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/common/registered_commands.h>
#include <millrace/tools/command/completion/completion_command.h>
#include <millrace/tools/command/program/program.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/standard_streams.h>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <system_error>

namespace millrace::tools {
namespace {

constexpr int kBadInput = 2;

int fail(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << "millrace: " << message << '\n';
  return kBadInput;
}

// Prints the message of an error unless `is_silent`, and returns the exit status.
int fail_with(const std::exception& error, bool is_silent) {
  const auto* const own = dynamic_cast<const Error*>(&error);
  const int signal = interrupting_signal();
  if (own != nullptr && own->code() == ErrorCode::kCancelled && signal != 0) {
    if (!is_silent) fail(interruption(signal));
    return 128 + signal;
  }
  if (!is_silent) fail(words_of(error));
  return has_lost_reader() ? 128 + SIGPIPE : kBadInput;
}

// Returns a text such as "millrace 0.1.0 (commit 8bdc0f4, gcc 12.2.0; backends: simt, tbb)".
std::string version_text() {
  const BuildRecord build = build_record();
  std::string backends;
  for (const Backend* backend : linked_backends()) {
    backends += (backends.empty() ? "" : ", ") + std::string(backend->name());
    const auto toolkit = build.toolkits.find(std::string(backend->name()));
    if (toolkit != build.toolkits.end()) backends += ' ' + toolkit->second;
  }
  const std::string commit = build.commit.empty() ? "not known" : build.commit;
  return "millrace " + build.version + " (commit " + commit + ", " + build.compiler +
         "; backends: " + backends + ")";
}

bool has_reader(int descriptor) {
  pollfd polled = {.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&polled, 1, 0) < 0 || (polled.revents & POLLERR) == 0;
}

// Flushes standard output, which tables go to by stdio. Returns the exit status of the run.
int end_of_stdout(bool is_silent) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  const int error_number = has_reader(STDOUT_FILENO) ? errno : EPIPE;
  const std::string reason =
      error_number == 0 ? "" : ": " + std::generic_category().message(error_number);
  if (!is_silent) fail("standard output cannot be written" + reason);
  return error_number == EPIPE ? 128 + SIGPIPE : kBadInput;
}

// Names an argument, with the option before it, whose value it may be.
std::string name_of_argument(int i, char** argv) {
  const std::string option = i > 1 && argv[i - 1][0] == '-' ? argv[i - 1] + std::string(" ") : "";
  return "argument " + std::to_string(i) + ", here '" + option + argv[i] + "'";
}

// Throws where the ranks that were started together were not given the same arguments.
void compare_arguments(Communicator& world, int argc, char** argv) {
  ArgumentCheck check(world, "millrace");
  constexpr int kMost = ArgumentCheck::kMostArguments;
  std::string others;
  for (int i = 1; i < argc; ++i) {
    if (i < kMost) {
      check.add(name_of_argument(i, argv), argv[i]);
    } else {
      others += argv[i] + std::string(1, '\0');
    }
  }
  for (int i = std::max(argc, 1); i < kMost; ++i) check.add("argument " + std::to_string(i), "");
  check.add("the arguments from " + std::to_string(kMost) + " on", others).compare();
}

}  // namespace

int run_program(int argc, char** argv, void (*add_subcommands)(Command& root)) {
  hold_standard_streams();
  bool is_silent = launched_rank() > 0;  // Only rank 0 prints an error that all ranks have.
  prepare_signals(is_silent);
  try {
    Communicator& world = world_communicator();
    is_silent = world.rank() > 0;
    compare_arguments(world, argc, argv);
  } catch (const std::exception& error) {
    return fail_with(error, is_silent);
  }
  Command root("millrace", "Runs irregular work on every processor of this machine");
  root.set_version(version_text);
  root.set_footer(
      "Examples: millrace idct clip.mp4\n          millrace me clip.mp4 --overlay vectors.y4m\n"
      "          millrace sort keys.bin --type i32 -o sorted.bin\n"
      "          millrace three-star points.csv --radius 50 --place --png relays.png\n"
      "          millrace bench --quick\n"
      "`millrace SUBCOMMAND --help` lists the options of a subcommand.");
  add_subcommands(root);
  add_completion_command(root);
  add_registered_commands(root);
  try {
    run_command(root, argc, argv, is_silent);
  } catch (const ExitStatus& end) {
    return end.status();
  } catch (const std::exception& error) {
    return fail_with(error, is_silent);
  }
  return end_of_stdout(is_silent);
}

}  // namespace millrace::tools
