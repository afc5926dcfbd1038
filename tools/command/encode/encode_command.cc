// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/clip/clip_options.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/encode/clip_encode.h>
#include <millrace/tools/command/encode/encode_clips.h>
#include <millrace/tools/command/encode/encode_command.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>

#include <cstdint>
#include <memory>
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
  std::shared_ptr<Device> device =
      open_named_device(options.device.empty() ? default_device() : options.device);
  const std::vector<EncodeOptions> clips = options_of_clips(options);
  if (clips.size() == 1) {
    encode_one(clips.front(), std::move(device));
  } else {
    encode_clips(options, clips, device);
  }
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
