// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/completion/completion_command.h>
#include <millrace/tools/command/completion/completion_script.h>

#include <cstdio>
#include <memory>
#include <string>

namespace millrace::tools {

void add_completion_command(Command& root) {
  Command& command =
      root.add_subcommand("completion", "Print a script that completes words in a shell");
  const auto shell = std::make_shared<std::string>();
  command.add_option({.names = "SHELL",
                      .help = "The shell: bash, zsh or fish",
                      .store = into(*shell),
                      .is_required = true,
                      .choices = shell_names});
  command.set_footer(
      "Load it in the shell's start-up file:\n"
      "  bash: source <(millrace completion bash)\n"
      "  zsh:  source <(millrace completion zsh)\n"
      "  fish: millrace completion fish | source\n"
      "The script has the devices of this machine, so print it again after a change of devices.");
  command.on_run([shell, &root] {
    const Shell chosen = parse_shell(*shell);
    run_on_rank_0(world_communicator(), "completion",
                  [&] { std::fputs(completion_script(root, chosen).c_str(), stdout); });
  });
}

}  // namespace millrace::tools
