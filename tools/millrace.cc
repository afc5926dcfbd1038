// SPDX-License-Identifier: Apache-2.0

// The `millrace` command.
#include <millrace/tools/command/bench/bench_command.h>
#include <millrace/tools/command/decode/decode_command.h>
#include <millrace/tools/command/devices/devices_command.h>
#include <millrace/tools/command/devices/tune_command.h>
#include <millrace/tools/command/encode/encode_command.h>
#include <millrace/tools/command/features/features_command.h>
#include <millrace/tools/command/idct/idct_command.h>
#include <millrace/tools/command/me/me_command.h>
#include <millrace/tools/command/program/program.h>
#include <millrace/tools/command/report/report_command.h>
#include <millrace/tools/command/sort/sort_command.h>
#include <millrace/tools/command/three_star/three_star_command.h>
#include <millrace/tools/reproduce/reproduce_command.h>

namespace {

void add_subcommands(millrace::tools::Command& root) {
  millrace::tools::add_devices_command(root);
  millrace::tools::add_decode_command(root);
  millrace::tools::add_encode_command(root);
  millrace::tools::add_idct_command(root);
  millrace::tools::add_me_command(root);
  millrace::tools::add_features_command(root);
  millrace::tools::add_sort_command(root);
  millrace::tools::add_three_star_command(root);
  millrace::tools::add_bench_command(root);
  millrace::tools::add_reproduce_command(root);
  millrace::tools::add_report_command(root);
  millrace::tools::add_tune_command(root);
}

}  // namespace

int main(int argc, char** argv) {
  return millrace::tools::run_program(argc, argv, &add_subcommands);
}
