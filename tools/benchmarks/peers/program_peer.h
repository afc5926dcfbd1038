// SPDX-License-Identifier: Apache-2.0

// A peer that is a program of the user's, so that what cannot be linked is measured, too.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_PROGRAM_PEER_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_PROGRAM_PEER_H_

#include <cstdint>
#include <optional>
#include <string>

namespace millrace::tools {

// Computes a number of Fibonacci by a task for each call, without a cut-off. The shell runs
// `command` with the number's index appended. The last line that it prints has the number and the
// seconds of the computation, as "14930352 0.0192"; its own start is not timed.
struct ProgramPeer {
  std::string name;
  std::string command;

  struct Result {
    std::uint64_t value;
    double seconds;
  };

  // Runs the program once. Throws kUnsupported if it fails or its last line is another one. Any
  // thread may call.
  Result run(int n) const;
};

// Returns the peer of a text "NAME=COMMAND", or none if it is empty. Throws kInvalidArgument for
// other texts.
std::optional<ProgramPeer> parse_program_peer(const std::string& text);

// The environment variable whose value names the peer.
inline constexpr char kProgramPeerVariable[] = "MILLRACE_FIBONACCI_PEER";

// Returns the peer that the variable names; otherwise as parse_program_peer().
std::optional<ProgramPeer> program_peer();

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_PROGRAM_PEER_H_
