// SPDX-License-Identifier: Apache-2.0

// The options of a command and its subcommands as a table, from which the parser, the help texts
// and the completion of shells are made.
//
//   Command root("mill", "Grinds grain");
//   Command& grind = root.add_subcommand("grind", "Grind a sack");
//   grind.add_option({.names = "SACK", .help = "The sack", .store = into(sack)});
//   grind.on_run([&] { ... });
//   run_command(root, argc, argv, false);
#ifndef MILLRACE_TOOLS_COMMAND_COMMON_COMMAND_LINE_H_
#define MILLRACE_TOOLS_COMMAND_COMMON_COMMAND_LINE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// Takes the value of an option as it was written. Throws Error (kInvalidArgument) for a wrong
// value.
using StoreValue = std::function<void(const std::string& value)>;

// The names that shells offer as a value.
enum class OfferedFiles { kNone, kFiles, kFolders };

struct Option {
  std::string names = {};  // "--device" or "-o,--output"; without a dash the option is positional.
  std::string value_name = {};  // Shown in help texts. Empty for positional options.
  std::string help = {};
  StoreValue store = {};  // Called once for each value.
  bool is_required = false;
  bool is_repeatable = false;  // May be given several times; a positional option then takes all.
  int values = 1;              // Values that follow the name.
  OfferedFiles files = OfferedFiles::kNone;
  std::function<std::vector<std::string>()> choices = nullptr;  // Values that shells offer.

  bool is_positional() const { return !names.starts_with('-'); }
  std::vector<std::string> split_names() const;  // "-o" and "--output".
};

struct Flag {
  std::string names = {};
  std::string help = {};
  std::function<void()> set = {};
};

// A command with its options or its subcommands.
class Command {
 public:
  Command(std::string name, std::string description);

  // Returns the new subcommand, which stays where it is while others are added.
  Command& add_subcommand(const std::string& name, const std::string& description);

  // Adds a subcommand whose options are the members of an Options, which it keeps. Calls
  // add(subcommand, options) at once, and run(options) once the options are stored.
  template <class Options>
  Command& add_subcommand(const std::string& name, const std::string& description,
                          void (*add)(Command&, Options&), std::function<void(Options&)> run) {
    Command& command = add_subcommand(name, description);
    auto options = std::make_shared<Options>();
    add(command, *options);
    command.on_run([options, run = std::move(run)] { run(*options); });
    return command;
  }

  // The variables of the options must outlive run_command().
  void add_option(Option option) { options_.push_back(std::move(option)); }
  void add_flag(const std::string& names, bool& flag, const std::string& help);
  void add_flag(Flag flag) { flags_.push_back(std::move(flag)); }

  // Sets the text below the options in --help.
  void set_footer(std::string footer) { footer_ = std::move(footer); }

  // Adds --version, which prints `text()`.
  void set_version(std::function<std::string()> text) { version_ = std::move(text); }

  // Sets the function that run_command() calls once the options are stored.
  void on_run(std::function<void()> run) { run_ = std::move(run); }

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  const std::string& footer() const { return footer_; }
  const std::vector<Option>& options() const { return options_; }
  const std::vector<Flag>& flags() const { return flags_; }
  const std::vector<std::unique_ptr<Command>>& subcommands() const { return subcommands_; }
  const std::function<std::string()>& version() const { return version_; }
  const std::function<void()>& run() const { return run_; }

  // Returns the names of all options that begin with a dash, --help among them.
  std::vector<std::string> option_names() const;

 private:
  std::string name_;
  std::string description_;
  std::string footer_;
  std::vector<Option> options_;
  std::vector<Flag> flags_;
  std::vector<std::unique_ptr<Command>> subcommands_;
  std::function<std::string()> version_;
  std::function<void()> run_;
};

// Stores of one value, and of all values of a repeatable option.
StoreValue into(std::string& value);
StoreValue into(std::vector<std::string>& values);

// Parses the arguments and calls the function of the chosen subcommand; `root` has subcommands of
// one level. Prints the texts of --help and --version to standard output, unless `is_silent`.
// Throws Error (kInvalidArgument) for a subcommand, an option or an argument that does not exist,
// with the nearest name, for a missing one, and whatever stores and the subcommand throw.
void run_command(const Command& root, int argc, const char* const* argv, bool is_silent);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_COMMON_COMMAND_LINE_H_
