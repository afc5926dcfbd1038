// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/decode/decode_options.h>

namespace millrace::tools {

bool DecodeOptions::has_folder() const { return names_folder(output); }

void add_decode_options(Command& command, DecodeOptions& options) {
  command.add_option({.names = "STREAM",
                      .help = "H.264 stream: a byte stream, a container (MP4, MKV, AVI, MPEG-TS) "
                              "or a capture (pcap, pcapng), of several streams as FILE#STREAM; - "
                              "is standard input; with -o DIR/ several, folders of them, and @LIST "
                              "of names, one a line",
                      .store = into(options.streams),
                      .is_required = true,
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE.y4m|DIR/",
                      .help = "Write the pictures in output order, cropped; - is standard output; "
                              "a folder gets a file for each stream, named after it",
                      .store = into(options.output),
                      .is_required = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--sdp",
                      .value_name = "FILE",
                      .help = "Session description of a capture: ports, payload types and "
                              "parameter sets",
                      .store = into(options.sdp),
                      .files = OfferedFiles::kFiles});
  add_device_option(command, options.device,
                    "Decode on this device, or with -o DIR/ on several, which share the streams, "
                    "with commas between their names (`millrace devices` lists them); one stream "
                    "is decoded by one device, since its pictures refer to each other (default: "
                    "on the host's cores, each stream on one)");
  add_frames_option(command, options.common.frames,
                    "Stop after N frames of each stream (default: all frames)");
  add_output_options(command, options.common);
}

void check_decode_options(const DecodeOptions& options) {
  if (options.has_folder()) return;
  const std::string with_folder = "; give a folder, with / at the end of its name";
  if (options.streams.size() > 1) {
    reject("--output is '" + options.output + "', and there are " +
           std::to_string(options.streams.size()) + " streams" + with_folder);
  }
  const std::string& stream = options.streams.front();
  if (stream.starts_with('@') || names_folder(stream)) {
    reject("--output is '" + options.output + "', and " + stream + " names several streams" +
           with_folder);
  }
  if (options.device.find(',') != std::string::npos) {
    reject("--device is '" + options.device +
           "', and there is one stream, whose pictures refer to each other; name one device");
  }
}

}  // namespace millrace::tools
