// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/number_option.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A mill with a subcommand that has an option of each kind.
struct Mill {
  Mill() {
    root.set_version([] { return "mill 1.0"; });
    Command& grind = root.add_subcommand("grind", "Grind sacks");
    grind.add_option({.names = "SACK", .help = "A sack", .store = into(sack), .is_required = true});
    grind.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help = "Where the flour goes",
                      .store = into(output)});
    grind.add_option({.names = "--stone",
                      .value_name = "NAME",
                      .help = "A stone",
                      .store = into(stones),
                      .is_repeatable = true});
    grind.add_option({.names = "--swap",
                      .value_name = "OLD NEW",
                      .help = "Two stones",
                      .store = into(swapped),
                      .values = 2});
    grind.add_option({.names = "--turns",
                      .value_name = "N",
                      .help = "Turns",
                      .store = whole_number_in("--turns", 1, 9, turns)});
    grind.add_flag("--fine", is_fine, "Grind twice");
    grind.on_run([this] { ++runs; });
    Command& weigh = root.add_subcommand("weigh", "Weigh sacks");
    weigh.add_option(
        {.names = "SACKS", .help = "Sacks", .store = into(stones), .is_repeatable = true});
    weigh.on_run([] { throw ExitStatus(7); });
    root.add_subcommand("rest", "Do nothing").on_run([] {});
  }

  void run(std::vector<const char*> words) {
    words.insert(words.begin(), "mill");
    run_command(root, static_cast<int>(words.size()), words.data(), false);
  }

  // Returns the message of the error that it throws.
  std::string error_of(const std::vector<const char*>& words) {
    try {
      run(words);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    ADD_FAILURE() << "no error was thrown";
    return "";
  }

  Command root{"mill", "Grinds grain"};
  std::string sack;
  std::string output;
  std::vector<std::string> stones;
  std::vector<std::string> swapped;
  int turns = 0;
  bool is_fine = false;
  int runs = 0;
};

TEST(RunCommand, StoresValuesBeforeItRunsTheSubcommand) {
  Mill mill;
  mill.run({"grind", "rye", "-o", "flour", "--stone", "a", "--stone=b", "--swap", "c", "d",
            "--turns", "9", "--fine"});
  EXPECT_EQ(mill.runs, 1);
  EXPECT_EQ(mill.sack, "rye");
  EXPECT_EQ(mill.output, "flour");
  EXPECT_THAT(mill.stones, ElementsAre("a", "b"));
  EXPECT_THAT(mill.swapped, ElementsAre("c", "d"));
  EXPECT_TRUE(mill.is_fine);
}

TEST(RunCommand, TakesNumbersAsDecimal) {
  Mill mill;
  mill.run({"grind", "rye", "--turns", "08"});
  EXPECT_EQ(mill.turns, 8);
}

TEST(RunCommand, ARepeatableOptionTakesOneValueATime) {
  Mill mill;
  mill.run({"grind", "--stone", "a", "rye"});
  EXPECT_EQ(mill.sack, "rye");
}

TEST(RunCommand, ARepeatableArgumentTakesAll) {
  Mill mill;
  EXPECT_THROW(mill.run({"weigh", "rye", "oats"}), ExitStatus);
  EXPECT_THAT(mill.stones, ElementsAre("rye", "oats"));
}

TEST(RunCommand, AFlagMayBeUnset) {
  Mill mill;
  mill.run({"grind", "rye", "--fine=false"});
  EXPECT_FALSE(mill.is_fine);
}

TEST(RunCommand, PassesOnWhatTheSubcommandThrows) {
  Mill mill;
  try {
    mill.run({"weigh"});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const ExitStatus& end) {
    EXPECT_EQ(end.status(), 7);
  }
}

TEST(RunCommand, PrintsHelpAndVersionAndRunsNothing) {
  Mill mill;
  testing::internal::CaptureStdout();
  mill.run({"grind", "--help"});
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::AllOf(HasSubstr("Grind sacks"), HasSubstr("-o,--output FILE"),
                             HasSubstr("Where the flour goes")));
  testing::internal::CaptureStdout();
  mill.run({"--version"});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "mill 1.0\n");
  EXPECT_EQ(mill.runs, 0);
}

TEST(RunCommand, NamesTheNearestSubcommand) {
  Mill mill;
  EXPECT_EQ(mill.error_of({"grnid"}),
            "no subcommand 'grnid'; there are: grind, weigh, rest (mill --help explains them); did "
            "you mean 'grind'?");
  EXPECT_EQ(mill.error_of({"bake"}),
            "no subcommand 'bake'; there are: grind, weigh, rest (mill --help explains them)");
  EXPECT_EQ(mill.error_of({}),
            "a subcommand is missing; there are: grind, weigh, rest (mill --help explains them)");
}

TEST(RunCommand, NamesTheNearestOption) {
  Mill mill;
  EXPECT_EQ(mill.error_of({"--verison"}),
            "no option '--verison' before a subcommand; there are: grind, weigh, rest (mill --help "
            "explains them); did you mean '--version'?");
  const std::string meant =
      "no option '--trns' of mill grind (mill grind --help lists them); did you mean '--turns'?";
  EXPECT_EQ(mill.error_of({"grind", "rye", "--trns", "3"}), meant);
  EXPECT_EQ(mill.error_of({"grind", "rye", "--trns=3"}), meant);
  EXPECT_EQ(mill.error_of({"grind", "rye", "--loud"}),
            "no option '--loud' of mill grind (mill grind --help lists them)");
}

TEST(RunCommand, NamesAnUnknownOptionBeforeWhatIsMissing) {
  Mill mill;
  EXPECT_THAT(mill.error_of({"grind", "--fien"}), HasSubstr("did you mean '--fine'?"));
}

TEST(RunCommand, NamesArgumentsThatAreTooManyOrMissing) {
  Mill mill;
  EXPECT_EQ(mill.error_of({"grind", "rye", "oats"}),
            "argument 'oats' is one too many; mill grind takes only SACK");
  EXPECT_EQ(mill.error_of({"rest", "long"}),
            "argument 'long' is one too many; mill rest takes none");
  EXPECT_EQ(mill.error_of({"grind"}), "SACK is missing; write mill grind SACK");
}

TEST(RunCommand, NamesOptionsWithMissingAndExtraValues) {
  Mill mill;
  EXPECT_EQ(mill.error_of({"grind", "rye", "--output"}),
            "--output has no value; write --output FILE");
  EXPECT_EQ(mill.error_of({"grind", "rye", "--turns", "1", "--turns", "2"}),
            "--turns is given several times; give it once");
  EXPECT_EQ(mill.error_of({"grind", "rye", "--turns", "10"}),
            "--turns is '10'; give a whole number from 1 to 9");
}

TEST(Command, HasTheNamesOfItsOptions) {
  Mill mill;
  EXPECT_THAT(mill.root.option_names(), ElementsAre("--version", "--help"));
  EXPECT_THAT(mill.root.subcommands().front()->option_names(),
              ElementsAre("-o", "--output", "--stone", "--swap", "--turns", "--fine", "--help"));
}

}  // namespace
}  // namespace millrace::tools
