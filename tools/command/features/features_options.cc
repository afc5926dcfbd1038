// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/common_options.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/features/features_options.h>
#include <millrace/tools/command/features/maps/heat_map.h>
#include <millrace/tools/files/names/file_name.h>

#include <algorithm>
#include <iterator>

namespace millrace::tools {
namespace {

constexpr const char* kFormats[] = {"ldjson", "csv", "npz", "svg", "p1204"};
constexpr int kMostJobs = 1024;

void add_input_options(Command& command, FeaturesOptions& options) {
  command.add_option({.names = "STREAM",
                      .help = "H.264 streams: byte streams, containers (MP4, MKV, AVI, MPEG-TS), "
                              "captures (pcap, pcapng); folders of them; @LIST of names, one a "
                              "line; - for standard input",
                      .store = into(options.streams),
                      .is_required = true,
                      .is_repeatable = true,
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--sdp",
                      .value_name = "FILE",
                      .help = "Session description of the captures: ports, payload types and "
                              "parameter sets",
                      .store = into(options.sdp),
                      .files = OfferedFiles::kFiles});
  add_frames_option(command, options.frames, "Read only the first N frames of each stream");
  command.add_flag("--follow", options.follows,
                   "Wait at the end of a growing byte stream for more, until its file is removed "
                   "or a signal comes; streams that appear in a folder or an @LIST are read, too");
}

void add_device_options(Command& command, FeaturesOptions& options) {
  command.add_option(
      {.names = "--device",
       .value_name = "NAME",
       .help = "Parse and decode many streams at a time on this device, or on several with "
               "commas between their names (`millrace devices` lists them); auto: on the GPUs and "
               "cores that are predicted to be fastest, from the number, the lengths and the "
               "pictures of the streams, and from rates of a sample and of earlier runs "
               "(default: each stream on one of the host's cores)",
       .store = into(options.device),
       .choices = [] {
         std::vector<std::string> names = device_choices();
         names.emplace_back(kAutoDevice);
         return names;
       }});
  command.add_option({.names = "--jobs",
                      .value_name = "N",
                      .help = "Read N streams at a time on the host's cores (default: one for each "
                              "core)",
                      .store = whole_number_in("--jobs", 1, kMostJobs, options.jobs)});
}

void add_decoding_options(Command& command, FeaturesOptions& options) {
  command.add_flag("--decode", options.decodes,
                   "Decode the pictures too, and add their blockiness, spatial and temporal "
                   "information");
  command.add_option({.names = "--reference",
                      .value_name = "CLIP",
                      .help = "Decode, and add PSNR and SSIM against this clip, whose frames are "
                              "those of the stream in output order",
                      .store = into(options.reference),
                      .files = OfferedFiles::kFiles});
}

void add_output_options(Command& command, FeaturesOptions& options) {
  command.add_option({.names = "--format",
                      .value_name = "NAME",
                      .help = "ldjson (a line of JSON a frame), csv, npz (columns for NumPy), svg "
                              "(a plot of QP and bits) or p1204 (-o names a folder); by the "
                              "ending of -o, or else ldjson",
                      .store = into(options.format),
                      .choices = [] {
                        return std::vector<std::string>(std::begin(kFormats), std::end(kFormats));
                      }});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE",
                      .help = "Write to this file instead of standard output; with --heat the "
                              "drawing",
                      .store = into(options.out),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--macroblocks",
                      .value_name = "FILE.npz",
                      .help = "Write maps of QP, type, bits, vectors and coefficients of one "
                              "stream",
                      .store = into(options.macroblocks),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--heat",
                      .value_name = "QP|bits|type",
                      .help = "Draw a map of one stream instead: all frames to -o FILE.y4m, the "
                              "last one to -o FILE.png",
                      .store = into(options.heat),
                      .choices = [] {
                        return std::vector<std::string>{"QP", "bits", "type"};
                      }});
  command.add_flag("--force", options.common.force, "Replace existing files");
  add_trace_option(command, options.common);
  command.add_flag("--resume", options.resumes,
                   "Go on after an interruption: add to -o FILE what is missing (ldjson and "
                   "p1204)");
}

void check_decoding_options(const FeaturesOptions& options, const std::string& format) {
  if (options.chosen_features() == FeatureSet::kParsed) return;
  if (!options.heat.empty()) {
    reject("--heat draws and writes no features; leave out --decode and --reference");
  }
  if (format == "p1204") {
    reject(
        "--format p1204 has no features of decoded pictures; leave out --decode and "
        "--reference");
  }
  const auto is_input = [](const std::string& name) { return name == "-" || name == "@-"; };
  if (options.reference == "-" &&
      std::any_of(options.streams.begin(), options.streams.end(), is_input)) {
    reject("--reference and STREAM are both standard input; give one of them as a file");
  }
}

// A device gives features and pictures, but no macroblocks.
void check_device_options(const FeaturesOptions& options) {
  const bool has_device = !options.device.empty() && options.device != kAutoDevice;
  if (!options.common.trace_path.empty() && !has_device) {
    reject("--trace shows what a device and the host do for it; name one by --device");
  }
  if (options.device.empty() || options.device == kAutoDevice) return;
  const auto reject_with = [](const std::string& option, const std::string& why) {
    reject("--device " + why + "; leave out --device or " + option);
  };
  const std::string keeps = "keeps macroblocks on the device";
  if (!options.heat.empty()) reject_with("--heat", keeps);
  if (!options.macroblocks.empty()) reject_with("--macroblocks", keeps);
  if (options.jobs > 0) reject_with("--jobs", "leaves no streams to the host's cores");
}

// Each rank reads streams of its own, and rank 0 writes what they have.
void check_rank_options(const FeaturesOptions& options) {
  const auto reject_with = [](const std::string& option, const std::string& why) {
    reject(option + " " + why + "; run it without mpirun");
  };
  if (!options.heat.empty()) reject_with("--heat", "draws one stream");
  if (!options.macroblocks.empty()) reject_with("--macroblocks", "has maps of one stream");
  if (options.chosen_format() == "svg") reject_with("--format svg", "draws one stream");
  if (options.follows) reject_with("--follow", "needs a single process");
  if (options.resumes) reject_with("--resume", "needs a single process");
  const auto is_input = [](const std::string& name) { return name == "-" || name == "@-"; };
  if (std::ranges::any_of(options.streams, is_input) || options.reference == "-") {
    reject_with("standard input", "needs a single process");
  }
  if (options.device == kAutoDevice) {
    reject("--device auto chooses for one process; name the device of each rank");
  }
}

}  // namespace

std::string FeaturesOptions::chosen_format() const {
  if (!format.empty()) return format;
  if (heat.empty() && out.ends_with(".csv")) return "csv";
  if (heat.empty() && out.ends_with(".npz")) return "npz";
  if (heat.empty() && out.ends_with(".svg")) return "svg";
  return "ldjson";
}

FeatureSet FeaturesOptions::chosen_features() const {
  if (!reference.empty()) return FeatureSet::kCompared;
  return decodes ? FeatureSet::kDecoded : FeatureSet::kParsed;
}

void add_features_options(Command& command, FeaturesOptions& options) {
  add_input_options(command, options);
  add_decoding_options(command, options);
  add_output_options(command, options);
  add_device_options(command, options);
}

void check_features_options(const FeaturesOptions& options, int ranks) {
  if (ranks > 1) check_rank_options(options);
  std::vector<std::string> inputs = options.streams;
  for (const std::string& path : {options.reference, options.sdp}) {
    if (!path.empty()) inputs.push_back(path);
  }
  std::erase_if(inputs, [](const std::string& name) { return name == "-" || name[0] == '@'; });
  const bool has_lines = options.out.empty() && options.heat.empty();
  check_outputs_differ({{"--output", has_lines ? "-" : options.out},
                        {"--macroblocks", options.macroblocks},
                        {"--trace", options.common.trace_path}},
                       inputs);
  const std::string format = options.chosen_format();
  check_decoding_options(options, format);
  check_device_options(options);
  if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats)) {
    reject("--format is '" + format + "'; give ldjson, csv, npz, svg or p1204");
  }
  const bool is_file = !options.out.empty() && !is_written_directly(options.out);
  if (!options.heat.empty()) {
    heat_value_named(options.heat);
    if (options.out.empty()) reject("--heat needs -o FILE.y4m or -o FILE.png");
    if (!options.format.empty() || options.resumes) {
      reject("--heat draws and writes no features; leave out --format and --resume");
    }
  } else if (options.out.empty() && (format == "npz" || format == "svg" || format == "p1204")) {
    reject("--format " + format + " needs -o " + (format == "p1204" ? "FOLDER" : "FILE." + format));
  }
  if (options.resumes && format != "ldjson" && format != "p1204") {
    reject("--resume goes on with ldjson and p1204; " + format + " is written as a whole");
  }
  if (options.resumes && !is_file) reject("--resume needs -o FILE, which it adds to");
}

}  // namespace millrace::tools
