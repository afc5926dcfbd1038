// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/decode/decode_command.h>
#include <millrace/tools/command/decode/decode_options.h>
#include <millrace/tools/command/decode/one_stream.h>
#include <millrace/tools/command/decode/stream_folder.h>

namespace millrace::tools {
namespace {

void run(const DecodeOptions& options) {
  check_decode_options(options);
  Communicator& world = world_communicator();
  if (options.has_folder()) {
    return run_on_rank(world, [&] { decode_to_folder(options, world); });
  }
  run_on_rank_0(world, "decode of one stream", [&] { decode_one_stream(options); });
}

}  // namespace

void add_decode_command(Command& root) {
  Command& command = root.add_subcommand<DecodeOptions>(
      "decode", "Decode H.264 streams to pictures", add_decode_options, run);
  command.set_footer(
      "Examples: millrace decode clip.mp4 -o clip.y4m\n"
      "          millrace decode streams/ -o pictures/ --device cuda:0,cuda:1");
}

}  // namespace millrace::tools
