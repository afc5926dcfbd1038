// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/registered_commands.h>

#include <gtest/gtest.h>

namespace millrace::tools {
namespace {

void add(Command& root) { root.add_subcommand("count", "For this test"); }

const RegisterCommand registered(&add);

TEST(RegisteredCommandsTest, ACommandHasWhatIsLinked) {
  Command root("millrace", "For this test");
  add_registered_commands(root);
  ASSERT_EQ(root.subcommands().size(), 1U);
  EXPECT_EQ(root.subcommands().front()->name(), "count");
}

}  // namespace
}  // namespace millrace::tools
