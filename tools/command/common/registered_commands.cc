// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/registered_commands.h>

#include <vector>

namespace millrace::tools {
namespace {

using Add = void (*)(Command& root);

std::vector<Add>& registry() {
  static std::vector<Add> instance;
  return instance;
}

}  // namespace

RegisterCommand::RegisterCommand(Add add) { registry().push_back(add); }

void add_registered_commands(Command& root) {
  for (const Add add : registry()) add(root);
}

}  // namespace millrace::tools
