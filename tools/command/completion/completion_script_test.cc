// SPDX-License-Identifier: Apache-2.0

// The script of bash is run in bash, those of zsh and fish in these shells where they are
// installed.
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/completion/completion_script.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

using testing::AnyOf;
using testing::HasSubstr;

struct Mill {
  Mill() {
    root.set_version([] { return "mill 1.0"; });
    Command& grind = root.add_subcommand("grind", "Grind sacks: rye's first");
    grind.add_option({.names = "SACK",
                      .help = "A sack; - is standard input",
                      .store = into(text),
                      .files = OfferedFiles::kFiles});
    grind.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help = "The miller's [best] flour (default: flour)",
                      .store = into(text),
                      .files = OfferedFiles::kFiles});
    grind.add_option({.names = "--to",
                      .value_name = "FOLDER",
                      .help = "A folder",
                      .store = into(text),
                      .files = OfferedFiles::kFolders});
    grind.add_option({.names = "--device",
                      .value_name = "NAME",
                      .help = "A device. May be repeated",
                      .store = into(texts),
                      .is_repeatable = true,
                      .choices = [this] {
                        ++choices;
                        return std::vector<std::string>{"stone", "mill:0", "mill:1"};
                      }});
    grind.add_flag("--fine", is_fine, "Grind twice");
    Command& weigh = root.add_subcommand("weigh", "Weigh sacks");
    weigh.add_option({.names = "UNIT", .help = "The unit", .store = into(text), .choices = [] {
                        return std::vector<std::string>{"gram", "grain", "pound"};
                      }});
  }

  Command root{"mill", "Grinds grain"};
  std::string text;
  std::vector<std::string> texts;
  bool is_fine = false;
  int choices = 0;
};

// A folder with files that shells may offer.
class CompletionScriptTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "completion_script_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sacks");
    std::ofstream(folder_ / "sack of rye");
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Writes the script, and returns its path.
  fs::path put_script(Shell shell) {
    const fs::path path = folder_ / ".script";
    std::ofstream(path) << completion_script(mill_.root, shell);
    return path;
  }

  // Returns what bash offers for a line up to the cursor, a reply in each line.
  std::string replies(const std::string& line) {
    std::ofstream(folder_ / ".complete")
        << "source " << put_script(Shell::kBash).string() << "\ncd " << folder_.string()
        << "\nCOMP_LINE='" << line << "'\nCOMP_POINT=${#COMP_LINE}\n_millrace\n"
        << "printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    return output_of("bash --norc " + (folder_ / ".complete").string() + " 2>&1");
  }

  static std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    for (int letter = 0; pipe && (letter = std::fgetc(pipe.get())) != EOF;) {
      text += static_cast<char>(letter);
    }
    return text;
  }

  // Lets a shell read its script without running it, where the shell is installed.
  void expect_syntax(const std::string& shell, Shell kind) {
    if (std::system(("command -v " + shell + " >/dev/null").c_str()) != 0) {
      GTEST_SKIP() << "no " << shell << " here";
    }
    EXPECT_EQ(output_of(shell + " -n " + put_script(kind).string() + " 2>&1"), "");
  }

  Mill mill_;
  fs::path folder_;
};

TEST_F(CompletionScriptTest, BashOffersSubcommands) {
  EXPECT_EQ(replies("mill "), "grind\nweigh\n--version\n--help\n");
  EXPECT_EQ(replies("mill gr"), "grind\n");
  EXPECT_EQ(replies("mill --v"), "--version\n");
}

TEST_F(CompletionScriptTest, BashOffersTheOptionsOfASubcommand) {
  EXPECT_EQ(replies("mill grind -"), "-o\n--output\n--to\n--device\n--fine\n--help\n");
  EXPECT_EQ(replies("mill grind --fine --d"), "--device\n");
  EXPECT_EQ(replies("mill weigh -"), "--help\n");
}

TEST_F(CompletionScriptTest, BashOffersValues) {
  EXPECT_EQ(replies("mill grind --device "), "stone\nmill:0\nmill:1\n");
  EXPECT_EQ(replies("mill grind --device s"), "stone\n");
  EXPECT_EQ(replies("mill grind --device=s"), "stone\n");
  EXPECT_EQ(replies("mill weigh gra"), "gram\ngrain\n");
}

TEST_F(CompletionScriptTest, BashOffersWhatFollowsAColon) {
  // Readline takes "mill" and ":" for words of their own.
  EXPECT_EQ(replies("mill grind --device mill:"), "0\n1\n");
}

TEST_F(CompletionScriptTest, BashOffersFilesAndFolders) {
  const auto has_both = AnyOf("sack of rye\nsacks\n", "sacks\nsack of rye\n");
  EXPECT_THAT(replies("mill grind sack"), has_both);
  EXPECT_THAT(replies("mill grind rye -o sack"), has_both);
  EXPECT_EQ(replies("mill grind rye --to sack"), "sacks\n");
}

TEST_F(CompletionScriptTest, ZshDescribesOptions) {
  const std::string script = completion_script(mill_.root, Shell::kZsh);
  EXPECT_THAT(script, HasSubstr("#compdef mill\n"));
  EXPECT_THAT(script, HasSubstr("'grind:Grind sacks\\: rye'\\''s first'\n"));
  EXPECT_THAT(script, HasSubstr("'(-o --output)'{-o,--output}'[The miller'\\''s \\[best\\] "
                                "flour]:FILE:_files'"));
  EXPECT_THAT(script, HasSubstr("'*--device[A device]:NAME:(stone mill\\:0 mill\\:1)'"));
  EXPECT_THAT(script, HasSubstr("'--fine[Grind twice]'"));
  EXPECT_THAT(script, HasSubstr("':UNIT:(gram grain pound)'"));
  expect_syntax("zsh", Shell::kZsh);
}

TEST_F(CompletionScriptTest, FishDescribesOptions) {
  const std::string script = completion_script(mill_.root, Shell::kFish);
  const std::string grind = "complete -c mill -n '__fish_seen_subcommand_from grind'";
  EXPECT_THAT(script, HasSubstr("complete -c mill -n __fish_use_subcommand -a grind -d 'Grind "
                                "sacks: rye\\'s first'\n"));
  EXPECT_THAT(script,
              HasSubstr(grind + " -s o -l output -r -F -d 'The miller\\'s [best] flour'\n"));
  EXPECT_THAT(script, HasSubstr(grind + " -l device -x -a 'stone mill:0 mill:1' -d 'A device'\n"));
  EXPECT_THAT(script, HasSubstr(grind + " -l fine -d 'Grind twice'\n"));
  EXPECT_THAT(script, HasSubstr(grind + " -F\n"));
  expect_syntax("fish", Shell::kFish);
}

TEST_F(CompletionScriptTest, ChoicesAreMadeForAScriptAlone) {
  EXPECT_EQ(mill_.choices, 0);
  completion_script(mill_.root, Shell::kBash);
  EXPECT_EQ(mill_.choices, 1);
}

TEST(ParseShell, TakesThreeShells) {
  EXPECT_EQ(parse_shell("bash"), Shell::kBash);
  EXPECT_EQ(parse_shell("zsh"), Shell::kZsh);
  EXPECT_EQ(parse_shell("fish"), Shell::kFish);
  try {
    parse_shell("bsh");
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "no script for shell 'bsh'; there are: bash, zsh, fish; did you mean 'bash'?");
  }
}

TEST(FirstClause, EndsAtTheFirstMark) {
  EXPECT_EQ(first_clause("Stop after N frames (default: all)"), "Stop after N frames");
  EXPECT_EQ(first_clause("A sack; - is standard input"), "A sack");
  EXPECT_EQ(first_clause("Grind twice"), "Grind twice");
}

}  // namespace
}  // namespace millrace::tools
