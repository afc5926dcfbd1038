// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/communicator.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/encode/clip_encode.h>
#include <millrace/tools/command/encode/encode_clips.h>
#include <millrace/tools/command/encode/encode_command.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

void encode_one(const EncodeOptions& options, std::shared_ptr<Device> device) {
  const InterruptGuard interrupt;
  ClipEncode encode(options, std::move(device), interrupt);
  const std::int64_t frames = encode.encode(true);
  if (frames == 0) {
    note(interruption(interrupt.signal()) + " before the first group; nothing was written");
    throw ExitStatus(128 + interrupt.signal());
  }
  encode.commit();
  if (!has_standard_output({options.out, options.reconstruction, options.common.json_path,
                            options.common.trace_path})) {
    encode.print();
  }
  if (!interrupt.interrupted()) return;
  note(interruption(interrupt.signal()) + "; " + frames_text(frames) + " complete and written");
  throw ExitStatus(128 + interrupt.signal());
}

void run(const EncodeOptions& options) {
  Communicator& world = world_communicator();
  if (options.clips.size() == 1) {
    if (options.device.find(',') != std::string::npos) {
      reject("--device is '" + options.device +
             "', and there is one clip, which one device encodes; name one device");
    }
    return run_on_rank_0(world, "encode of one clip", [&] {
      std::shared_ptr<Device> device =
          open_named_device(options.device.empty() ? default_device() : options.device);
      encode_one(options_of_clips(options).front(), std::move(device));
    });
  }
  run_on_rank(world, [&] {
    DeviceList devices;
    std::vector<EncodeOptions> clips;
    together(world, [&] {
      devices = devices_of_rank(world, options.device);
      clips = options_of_clips(options);
    });
    encode_clips(world, options, clips, devices);
  });
}

}  // namespace

void add_encode_command(Command& root) {
  Command& command = root.add_subcommand<EncodeOptions>(
      "encode", "Encode clips to H.264 streams of I and P pictures, by full motion search",
      add_encode_options, run);
  command.set_footer(
      "Examples: millrace encode clip.y4m -o out.mp4\n"
      "          millrace encode clip.y4m -o out.mkv --bitrate 2000\n"
      "          millrace encode first.mp4 second.mov -o coded/ --crf 26");
}

}  // namespace millrace::tools
