// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/host/nearest_name.h>
#include <millrace/tools/command/completion/completion_script.h>
#include <millrace/tools/files/names/joined_names.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace millrace::tools {
namespace {

constexpr const char* kShellNames[] = {"bash", "zsh", "fish"};

std::vector<std::string> choices_of(const Option& option) {
  return option.choices ? option.choices() : std::vector<std::string>();
}

// Returns the text with a backslash before each of `letters`.
std::string escaped(const std::string& text, std::string_view letters) {
  std::string result;
  for (const char letter : text) {
    if (letters.find(letter) != letters.npos) result += '\\';
    result += letter;
  }
  return result;
}

// Returns the text in single quotes for bash and zsh.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + '\'';
}

// Returns the text in single quotes for fish, where backslashes escape.
std::string quoted_for_fish(const std::string& text) { return "'" + escaped(text, "\\'") + "'"; }

std::vector<std::string> subcommand_names(const Command& root) {
  std::vector<std::string> names;
  for (const auto& subcommand : root.subcommands()) names.push_back(subcommand->name());
  return names;
}

// bash. The script splits words at blanks. Readline splits them at the colons of "cuda:0", too, so
// a reply is shortened by its text up to the last colon.

std::string bash_reply(const Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  std::string reply;
  if (!choices.empty()) reply += " _millrace_words " + quoted(joined_names(choices, "\n")) + ';';
  if (option.files == OfferedFiles::kFiles) reply += " _millrace_files -f;";
  if (option.files == OfferedFiles::kFolders) reply += " _millrace_files -d;";
  return reply;
}

std::string bash_command(const Command& command) {
  std::string script = "    " + command.name() + ")\n      case $before in\n";
  std::string positional;
  for (const Option& option : command.options()) {
    if (option.is_positional()) {
      positional += bash_reply(option);
      continue;
    }
    script += "        " + joined_names(option.split_names(), "|") + ')' + bash_reply(option) +
              " return ;;\n";
  }
  script += "      esac\n      case $word in\n        -*) _millrace_words " +
            quoted(joined_names(command.option_names(), "\n")) + " ;;\n";
  if (!positional.empty()) script += "        *)" + positional + " ;;\n";
  return script + "      esac ;;\n";
}

std::string bash_script(const Command& root) {
  std::vector<std::string> first = subcommand_names(root);
  for (const std::string& name : root.option_names()) first.push_back(name);
  std::string script =
      "# source <(millrace completion bash)\n"
      "_millrace_words() {\n"
      "  local IFS=$'\\n'\n"
      "  COMPREPLY+=($(compgen -W \"$1\" -- \"$word\"))\n"
      "  local begin=${word%\"${word##*:}\"}\n"
      "  COMPREPLY=(\"${COMPREPLY[@]#\"$begin\"}\")\n"
      "}\n"
      "_millrace_files() {\n"
      "  local IFS=$'\\n'\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  COMPREPLY+=($(compgen \"$1\" -- \"$word\"))\n"
      "}\n"
      "_millrace() {\n"
      "  local line=${COMP_LINE:0:COMP_POINT} words word= before= command= each\n"
      "  read -ra words <<< \"$line\"\n"
      "  COMPREPLY=()\n"
      "  case $line in *[[:blank:]]) ;; *)\n"
      "    word=${words[${#words[@]}-1]}\n"
      "    unset \"words[${#words[@]}-1]\" ;;\n"
      "  esac\n"
      "  before=${words[${#words[@]}-1]}\n"
      "  case $word in --*=*) before=${word%%=*} word=${word#*=} ;; esac\n"
      "  for each in \"${words[@]:1}\"; do\n"
      "    case $each in -*) ;; *) command=$each; break ;; esac\n"
      "  done\n"
      "  case $command in\n"
      "    '') _millrace_words " +
      quoted(joined_names(first, "\n")) + " ;;\n";
  for (const auto& subcommand : root.subcommands()) script += bash_command(*subcommand);
  return script +
         "  esac\n"
         "}\n"
         "complete -F _millrace " +
         root.name() + '\n';
}

// zsh

std::string zsh_action(const Option& option) {
  const std::vector<std::string> choices = choices_of(option);
  if (option.files == OfferedFiles::kFolders) return "_files -/";
  if (option.files == OfferedFiles::kFiles) return "_files";
  std::vector<std::string> words;
  for (const std::string& choice : choices) words.push_back(escaped(choice, ":() "));
  return words.empty() ? " " : '(' + joined_names(words, " ") + ')';
}

// Returns a specification of _arguments: '(-o --output)'{-o,--output}'[help]:FILE:_files'.
std::string zsh_option(const std::vector<std::string>& names, const std::string& help,
                       const std::string& values, bool is_repeatable) {
  const std::string text = '[' + escaped(first_clause(help), "[]:\\") + ']' + values;
  if (is_repeatable) return quoted('*' + names.front() + text);
  if (names.size() == 1) return quoted(names.front() + text);
  return quoted('(' + joined_names(names, " ") + ')') + '{' + joined_names(names, ",") + '}' +
         quoted(text);
}

std::string zsh_command(const Command& command) {
  std::string script = "    " + command.name() + ")\n      _arguments";
  const auto add = [&](const std::string& spec) { script += " \\\n        " + spec; };
  for (const Option& option : command.options()) {
    const std::string action = zsh_action(option);
    if (option.is_positional()) {
      add(quoted((option.is_repeatable ? "*:" : ":") + option.names + ':' + action));
      continue;
    }
    std::string values;
    for (int i = 0; i < option.values; ++i) {
      values += ':' + escaped(option.value_name, ":") + ':' + action;
    }
    add(zsh_option(option.split_names(), option.help, values, option.is_repeatable));
  }
  for (const Flag& flag : command.flags()) add(zsh_option({flag.names}, flag.help, "", false));
  add(zsh_option({"--help"}, "Print the help and exit", "", false));
  return script + " ;;\n";
}

std::string zsh_script(const Command& root) {
  std::string script =
      "#compdef " + root.name() +
      "\n# source <(millrace completion zsh), or save it as _millrace in a folder of $fpath\n"
      "_millrace() {\n"
      "  local -a subcommands\n"
      "  subcommands=(\n";
  for (const auto& subcommand : root.subcommands()) {
    script += "    " +
              quoted(subcommand->name() + ':' + escaped(subcommand->description(), ":\\")) + '\n';
  }
  script +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe subcommand subcommands\n"
      "    compadd -- " +
      joined_names(root.option_names(), " ") +
      "\n    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n";
  for (const auto& subcommand : root.subcommands()) script += zsh_command(*subcommand);
  return script +
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _millrace ]]; then _millrace \"$@\"; else compdef _millrace " +
         root.name() + "; fi\n";
}

// fish

std::string fish_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return text;
}

std::string fish_values(const Option& option) {
  if (option.files == OfferedFiles::kFolders) return " -x -a '(__fish_complete_directories)'";
  const std::string choices = joined_names(choices_of(option), " ");
  const std::string words = choices.empty() ? "" : " -a " + quoted_for_fish(choices);
  return (option.files == OfferedFiles::kFiles ? " -r -F" : " -x") + words;
}

std::string fish_command(const std::string& root, const Command& command) {
  const std::string begin =
      "complete -c " + root + " -n '__fish_seen_subcommand_from " + command.name() + "'";
  const auto described = [](const std::string& help) {
    return " -d " + quoted_for_fish(first_clause(help)) + '\n';
  };
  std::string script;
  for (const Option& option : command.options()) {
    if (!option.is_positional()) {
      script +=
          begin + fish_names(option.split_names()) + fish_values(option) + described(option.help);
      continue;
    }
    const std::string choices = joined_names(choices_of(option), " ");
    if (option.files != OfferedFiles::kNone) script += begin + " -F\n";
    if (!choices.empty()) script += begin + " -a " + quoted_for_fish(choices) + '\n';
  }
  for (const Flag& flag : command.flags()) {
    script += begin + fish_names({flag.names}) + described(flag.help);
  }
  return script;
}

std::string fish_script(const Command& root) {
  const std::string begin = "complete -c " + root.name();
  std::string script = "# millrace completion fish | source\n" + begin + " -f\n" + begin +
                       " -l help -d 'Print the " + "help and exit'\n";
  if (root.version()) {
    script += begin + " -n __fish_use_subcommand -l version -d 'Print the version'\n";
  }
  for (const auto& subcommand : root.subcommands()) {
    script += begin + " -n __fish_use_subcommand -a " + subcommand->name() + " -d " +
              quoted_for_fish(subcommand->description()) + '\n';
  }
  for (const auto& subcommand : root.subcommands()) {
    script += fish_command(root.name(), *subcommand);
  }
  return script;
}

}  // namespace

std::vector<std::string> shell_names() { return {std::begin(kShellNames), std::end(kShellNames)}; }

Shell parse_shell(const std::string& name) {
  for (const Shell shell : {Shell::kBash, Shell::kZsh, Shell::kFish}) {
    if (name == kShellNames[static_cast<int>(shell)]) return shell;
  }
  reject("no script for shell '" + name + "'; there are: " + joined_names(shell_names(), ", ") +
         suggestion(name, shell_names()));
}

std::string completion_script(const Command& root, Shell shell) {
  switch (shell) {
    case Shell::kBash: return bash_script(root);
    case Shell::kZsh: return zsh_script(root);
    default: return fish_script(root);
  }
}

std::string first_clause(const std::string& help) {
  std::size_t end = help.size();
  for (const char* const mark : {"; ", ": ", " (", ". "}) end = std::min(end, help.find(mark));
  return help.substr(0, end);
}

}  // namespace millrace::tools
