// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/peers/program_peer.h>

#include <sys/wait.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace millrace::tools {
namespace {

[[noreturn]] void fail(const std::string& command, const std::string& what) {
  throw Error(ErrorCode::kUnsupported,
              command + ": " + what + "; its last line must be a number and seconds, as '8 0.25'");
}

// Returns what the shell's command prints.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) fail(command, "the program does not start");
  std::string output;
  std::array<char, 4096> some;
  for (std::size_t count; (count = std::fread(some.data(), 1, some.size(), pipe)) > 0;) {
    output.append(some.data(), count);
  }
  const int ended = pclose(pipe);
  if (ended != 0) {
    const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : ended;
    fail(command, "the program has ended with the status " + std::to_string(status));
  }
  return output;
}

std::string last_line_of(const std::string& output) {
  std::istringstream lines(output);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

}  // namespace

ProgramPeer::Result ProgramPeer::run(int n) const {
  const std::string whole = command + " " + std::to_string(n);
  const std::string line = last_line_of(output_of(whole));
  std::istringstream words(line);
  Result result;
  words >> result.value >> result.seconds;
  if (!words || !(words >> std::ws).eof() || !(result.seconds > 0)) {
    fail(whole, "the last line is '" + line + "'");
  }
  return result;
}

std::optional<ProgramPeer> parse_program_peer(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals >= text.size() - 1) {
    reject(std::string(kProgramPeerVariable) + " is '" + text +
           "'; it must be NAME=COMMAND, as 'Lace=/opt/lace/fib -w 2'");
  }
  return ProgramPeer{text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<ProgramPeer> program_peer() {
  const char* const text = std::getenv(kProgramPeerVariable);
  return parse_program_peer(text == nullptr ? "" : text);
}

}  // namespace millrace::tools
