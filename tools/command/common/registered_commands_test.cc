// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/registered_commands.h>

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

namespace millrace::tools {
namespace {

void add(CLI::App& app) { app.add_subcommand("count", "For this test"); }

const RegisterCommand registered(&add);

TEST(RegisteredCommandsTest, ACommandHasWhatIsLinked) {
  CLI::App app;
  add_registered_commands(app);
  EXPECT_EQ(app.get_subcommand("count")->get_name(), "count");
}

}  // namespace
}  // namespace millrace::tools
