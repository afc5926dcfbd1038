// SPDX-License-Identifier: Apache-2.0

// The only source of the command that includes CLI11, which takes a compiler ten seconds.
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/tools/command/common/command_line.h>
#include <millrace/tools/files/names/joined_names.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace millrace::tools {
namespace {

CLI::Option* add_to(CLI::App& app, const Option& option) {
  const StoreValue& store = option.store;
  if (option.is_repeatable || option.values > 1) {
    CLI::Option* const added = app.add_option_function<std::vector<std::string>>(
        option.names,
        [store](const std::vector<std::string>& values) {
          for (const std::string& value : values) store(value);
        },
        option.help);
    if (option.values > 1) added->expected(option.values);
    if (!option.is_positional() && option.is_repeatable) added->allow_extra_args(false);
    return added;
  }
  return app.add_option_function<std::string>(option.names, store, option.help);
}

void fill(CLI::App& app, const Command& command) {
  for (const Option& option : command.options()) {
    add_to(app, option)->type_name(option.value_name)->required(option.is_required);
  }
  for (const Flag& flag : command.flags()) {
    const auto set = [set = flag.set](std::int64_t count) {
      if (count > 0) set();
    };
    app.add_flag_function(flag.names, set, flag.help);
  }
  if (!command.footer().empty()) app.footer(command.footer());
  if (command.version()) {
    app.set_version_flag("--version", command.version(), "Print the version, build and backends");
  }
  if (command.run()) app.callback(command.run());
}

std::string subcommand_problem(const Command& root, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const auto& subcommand : root.subcommands()) names.push_back(subcommand->name());
  const std::string known =
      "; there are: " + joined_names(names) + " (" + root.name() + " --help explains them)";
  if (words.empty()) return "a subcommand is missing" + known;
  const std::string& word = words.front();
  if (word.starts_with('-')) {
    return "no option '" + word + "' before a subcommand" + known +
           suggestion(word, root.option_names());
  }
  return "no subcommand '" + word + "'" + known + suggestion(word, names);
}

// An option's name and its value may be one word: "--device=tbb".
std::string unknown_option(const Command& root, const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::string full_name = root.name() + ' ' + command.name();
  return "no option '" + name + "' of " + full_name + " (" + full_name + " --help lists them)" +
         suggestion(name, command.option_names());
}

std::string unknown_argument(const Command& root, const Command& command, const std::string& word) {
  std::vector<std::string> taken;
  for (const Option& option : command.options()) {
    if (option.is_positional()) taken.push_back(option.names);
  }
  return "argument '" + word + "' is one too many; " + root.name() + ' ' + command.name() +
         " takes " + (taken.empty() ? "none" : "only " + joined_names(taken));
}

// Returns "--device NAME", or the name of a positional option.
std::string usage_of(const Option& option) {
  const std::string name = option.split_names().back();
  return option.is_positional() ? name : name + ' ' + option.value_name;
}

// CLI11 writes "--device: 1 required NAME missing" and "--qp: At Most 1 required but received 2".
std::string mismatch(const std::string& words, const Command& command) {
  const std::size_t colon = words.find(": ");
  const std::string name = words.substr(0, colon);
  if (colon == words.npos) return words;
  if (words.find("At Most") != words.npos) return name + " is given several times; give it once";
  for (const Option& option : command.options()) {
    const std::vector<std::string> names = option.split_names();
    if (std::ranges::find(names, name) == names.end()) continue;
    return name + " has no value; write " + usage_of(option);
  }
  return words;
}

// CLI11 writes "CLIP is required". Shows the command with all that is.
std::string missing_problem(const std::string& words, const Command& root, const Command& command) {
  std::string usage = root.name() + ' ' + command.name();
  for (const Option& option : command.options()) {
    if (option.is_required) usage += ' ' + usage_of(option);
  }
  return words.substr(0, words.find(' ')) + " is missing; write " + usage;
}

// The message for arguments that are not those of the chosen subcommand.
std::string problem_of(const CLI::ParseError& error, const Command& root, const Command& command,
                       const std::vector<std::string>& unknown) {
  // An unknown option is named first: what else is wrong often follows from it.
  for (const std::string& word : unknown) {
    if (word.size() > 1 && word.starts_with('-')) return unknown_option(root, command, word);
  }
  if (!unknown.empty()) return unknown_argument(root, command, unknown.front());
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return mismatch(error.what(), command);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return missing_problem(error.what(), root, command);
  }
  return error.what();
}

}  // namespace

std::vector<std::string> Option::split_names() const {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    all.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

Command::Command(std::string name, std::string description)
    : name_(std::move(name)), description_(std::move(description)) {}

Command& Command::add_subcommand(const std::string& name, const std::string& description) {
  return *subcommands_.emplace_back(std::make_unique<Command>(name, description));
}

void Command::add_flag(const std::string& names, bool& flag, const std::string& help) {
  add_flag({.names = names, .help = help, .set = [&flag] { flag = true; }});
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const Option& option : options_) {
    if (option.is_positional()) continue;
    for (const std::string& name : option.split_names()) names.push_back(name);
  }
  for (const Flag& flag : flags_) names.push_back(flag.names);
  if (version_) names.emplace_back("--version");
  names.emplace_back("--help");
  return names;
}

StoreValue into(std::string& value) {
  return [&value](const std::string& text) { value = text; };
}

StoreValue into(std::vector<std::string>& values) {
  return [&values](const std::string& text) { values.push_back(text); };
}

void run_command(const Command& root, int argc, const char* const* argv, bool is_silent) {
  CLI::App app(root.description(), root.name());
  app.require_subcommand(1);
  fill(app, root);
  for (const auto& subcommand : root.subcommands()) {
    fill(*app.add_subcommand(subcommand->name(), subcommand->description()), *subcommand);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // Help or the version.
      if (!is_silent) app.exit(error);
      return;
    }
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (chosen.empty()) reject(subcommand_problem(root, app.remaining()));
    const auto command = std::ranges::find_if(root.subcommands(), [&](const auto& each) {
      return each->name() == chosen.front()->get_name();
    });
    reject(problem_of(error, root, **command, chosen.front()->remaining()));
  }
}

}  // namespace millrace::tools
