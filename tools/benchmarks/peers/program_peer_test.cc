// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/peers/program_peer.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

ErrorCode code_of_run(const std::string& command) {
  try {
    ProgramPeer{"other", command}.run(6);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "'" << command << "' is taken for a peer";
  return ErrorCode::kInternal;
}

TEST(ProgramPeer, HasANameAndACommand) {
  const auto peer = parse_program_peer("Lace=/opt/fib -w 2 --size=8");
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->name, "Lace");
  EXPECT_EQ(peer->command, "/opt/fib -w 2 --size=8");
}

TEST(ProgramPeer, IsNoneWithoutAText) { EXPECT_FALSE(parse_program_peer("")); }

TEST(ProgramPeer, MustHaveBoth) {
  for (const char* const text : {"Lace", "=fib", "Lace=", "="}) {
    EXPECT_THROW(parse_program_peer(text), Error) << text;
  }
}

TEST(ProgramPeer, GetsTheIndexAndPrintsTheNumberAndSecondsLast) {
  const ProgramPeer peer{"other", "other() { echo 2 workers; echo \"1$1 0.25\"; }; other"};
  const ProgramPeer::Result result = peer.run(6);
  EXPECT_EQ(result.value, 16u);
  EXPECT_EQ(result.seconds, 0.25);
}

TEST(ProgramPeer, IsUnsupportedWhereItFails) {
  EXPECT_EQ(code_of_run("/nowhere/fib 2>/dev/null"), ErrorCode::kUnsupported);
  EXPECT_EQ(code_of_run("echo 8 0.25; exit"), ErrorCode::kUnsupported);  // With the status 6.
}

TEST(ProgramPeer, IsUnsupportedWhereItsLastLineIsAnotherOne) {
  for (const char* const line :
       {"", "8", "8 seconds", "8 0", "8 -0.25", "8 0.25 s", "fib 8 0.25"}) {
    EXPECT_EQ(code_of_run("echo '" + std::string(line) + "' #"), ErrorCode::kUnsupported) << line;
  }
}

}  // namespace
}  // namespace millrace::tools
