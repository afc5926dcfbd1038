// SPDX-License-Identifier: Apache-2.0

// `millrace` with the subcommands for video alone, which tools/demo builds in half the time.
#include <millrace/tools/command/devices/devices_command.h>
#include <millrace/tools/command/encode/encode_command.h>
#include <millrace/tools/command/idct/idct_command.h>
#include <millrace/tools/command/me/me_command.h>
#include <millrace/tools/command/program/program.h>

namespace {

void add_subcommands(millrace::tools::Command& root) {
  millrace::tools::add_devices_command(root);
  millrace::tools::add_encode_command(root);
  millrace::tools::add_idct_command(root);
  millrace::tools::add_me_command(root);
}

}  // namespace

int main(int argc, char** argv) {
  return millrace::tools::run_program(argc, argv, &add_subcommands);
}
