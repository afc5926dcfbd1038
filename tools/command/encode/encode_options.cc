// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/encode/encode_options.h>
#include <millrace/tools/video/encoding/paper_preset.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

namespace millrace::tools {
namespace {

using h264::EncoderProfile;
using h264::EncoderSearch;
using h264::ModeDecision;

constexpr EncoderProfile kProfiles[] = {EncoderProfile::kBaseline, EncoderProfile::kMain,
                                        EncoderProfile::kHigh};
constexpr EncoderSearch kSearches[] = {EncoderSearch::kFull, EncoderSearch::kHexagon,
                                       EncoderSearch::kDiamond};
constexpr ModeDecision kDecisions[] = {ModeDecision::kCost, ModeDecision::kRateDistortion};
constexpr h264::DeviceWork kDeviceWorks[] = {h264::DeviceWork::kSearch,
                                             h264::DeviceWork::kPictures};
constexpr int kMostQp = 51;
constexpr int kMostPicturesAGroup = 1000;
constexpr int kMostSlices = 144;  // Rows of the largest picture.
constexpr char kPaper[] = "paper";
constexpr const char* kContainers[] = {"mp4", "mkv", "264"};

// Adds an option whose values are the words of `choices`.
template <class Choice, std::size_t kCount>
void add_choice(Command& command, const std::string& option, const std::string& help,
                const Choice (&choices)[kCount], std::optional<Choice>& chosen) {
  std::vector<std::string> words;
  std::string listed;
  for (std::size_t i = 0; i < kCount; ++i) {
    words.emplace_back(to_string(choices[i]));
    listed += (i == 0 ? "" : i + 1 == kCount ? " or " : ", ") + words.back();
  }
  command.add_option({.names = option,
                      .value_name = "NAME",
                      .help = help,
                      .store =
                          [=, &choices, &chosen](const std::string& text) {
                            for (const Choice choice : choices) {
                              if (text == to_string(choice)) chosen = choice;
                            }
                            if (chosen && text == to_string(*chosen)) return;
                            reject(option + " is '" + text + "'; give " + listed);
                          },
                      .choices = [words] { return words; }});
}

void add_coding_options(Command& command, EncodeOptions& options) {
  command.add_option({.names = "--qp",
                      .value_name = "Q",
                      .help =
                          "Quantisation parameter of all pictures, 0 to 51: every 6 more double "
                          "the step (default: 28)",
                      .store = whole_number_in("--qp", 0, kMostQp, options.qp)});
  command.add_option({.names = "--crf",
                      .value_name = "Q",
                      .help = "Code at about equal quality, 0 to 51: groups with little change "
                              "have QPs below Q, groups with much change QPs above it",
                      .store = whole_number_in("--crf", 0, kMostQp, options.quality)});
  command.add_option({.names = "--bitrate",
                      .value_name = "KBIT",
                      .help = "Code at this mean rate in kbit/s, in one pass: each group has the "
                              "bits of its duration",
                      .store = whole_number_in("--bitrate", 1, h264::kMostKbitPerSecond,
                                               options.kbit_per_second)});
  command.add_option({.names = "--gop",
                      .value_name = "N",
                      .help = "Code groups of an I picture and N - 1 P pictures, 1 to 1000; scene "
                              "cuts begin one, too (default: 12)",
                      .store = whole_number_in("--gop", 1, kMostPicturesAGroup, options.gop)});
  add_choice(command, "--profile",
             "Code for decoders of this profile: baseline (CAVLC), main (CABAC) or high (8x8 "
             "transforms, too; the default)",
             kProfiles, options.profile);
  add_choice(command, "--decide",
             "Choose modes by SATD and the bits of vectors (cost), or by squared error and all "
             "bits (rd, the default)",
             kDecisions, options.decision);
  add_choice(command, "--search",
             "Search all whole samples of the range (full, the default), or by steps: hexagon, "
             "diamond",
             kSearches, options.search);
  command.add_option({.names = "--range",
                      .value_name = "R",
                      .help = "Search -R to R-1 whole samples around the predictor each way, 8 to "
                              "128 (default: 32)",
                      .store = whole_number_in("--range", 8, 128, options.range)});
  command.add_option({.names = "--references",
                      .value_name = "N",
                      .help = "Refer to the N pictures before, 1 to 4 (default: 1)",
                      .store = whole_number_in("--references", 1, 4, options.references)});
  command.add_option({.names = "--slices",
                      .value_name = "N",
                      .help = "Divide pictures into N slices, up to one a row of macroblocks "
                              "(default: 1)",
                      .store = whole_number_in("--slices", 1, kMostSlices, options.slices)});
  command.add_option({.names = "--preset",
                      .value_name = "NAME",
                      .help = "Begin with the settings of the motion estimation paper (paper): "
                              "baseline, cost, full search, range 32, one reference, no scene "
                              "cuts; other options override them",
                      .store =
                          [&options](const std::string& name) {
                            if (name != kPaper) {
                              reject("--preset is '" + name + "'; give paper");
                            }
                            options.has_paper_preset = true;
                          },
                      .choices = [] { return std::vector<std::string>{kPaper}; }});
}

void add_run_options(Command& command, EncodeOptions& options) {
  command.add_option(
      {.names = "-o,--output",
       .value_name = "FILE.264|.mp4|.mkv|DIR/",
       .help =
           "Write the stream: as a byte stream (.264), or in a container; - is "
           "standard output, as a byte stream; a folder gets a file for each clip, named after it",
       .store = into(options.out),
       .is_required = true,
       .files = OfferedFiles::kFiles});
  command.add_option({.names = "--container",
                      .value_name = "mp4|mkv|264",
                      .help = "Write files of this kind to the folder (default: mp4)",
                      .store =
                          [&options](const std::string& name) {
                            if (std::ranges::count(kContainers, name) == 0) {
                              reject("--container is '" + name + "'; give mp4, mkv or 264");
                            }
                            options.container = name;
                          },
                      .choices =
                          [] {
                            return std::vector<std::string>(std::begin(kContainers),
                                                            std::end(kContainers));
                          }});
  command.add_option({.names = "--reconstruction",
                      .value_name = "FILE.y4m|.yuv",
                      .help = "Write the pictures that decoders of the stream show",
                      .store = into(options.reconstruction),
                      .files = OfferedFiles::kFiles});
  add_device_option(command, options.device,
                    "Encode on this device, or several clips on several, with commas between "
                    "their names (`millrace devices` lists them; default: a GPU, else "
                    "the CPU); the stream is the same on all");
  add_choice(command, "--on-device",
             "Work that a GPU does: the full search only (search), or all but writing slices "
             "(pictures), which needs fewer cores and a clip of many groups (default: pictures for "
             "clips of 60 frames and more with --search full --decide cost; else search)",
             kDeviceWorks, options.device_work);
  add_policy_option(
      command, [&options](const std::string& name) { options.policy = parse_policy(name); },
      "Schedule the tasks of --on-device pictures by this policy: persistent, uberkernel, "
      "kernel-per-type or auto (default: uberkernel)");
  add_frames_option(command, options.common.frames, "Stop after N frames (default: all frames)");
  add_output_options(command, options.common);
  add_trace_option(command, options.common);
}

// Rejects options that both say how QPs are chosen.
void check_one_rate(const EncodeOptions& options) {
  std::vector<std::string> given;
  if (options.qp) given.emplace_back("--qp");
  if (options.quality) given.emplace_back("--crf");
  if (options.kbit_per_second) given.emplace_back("--bitrate");
  if (given.size() < 2) return;
  reject(given[0] + " and " + given[1] + " are both given; give one of them");
}

}  // namespace

h264::EncoderOptions EncodeOptions::encoder() const {
  check_one_rate(*this);
  h264::EncoderOptions encoder =
      has_paper_preset ? paper_encoder_options() : h264::EncoderOptions();
  encoder.profile = profile.value_or(encoder.profile);
  encoder.decision = decision.value_or(encoder.decision);
  encoder.search = search.value_or(encoder.search);
  encoder.qp = qp.value_or(quality.value_or(encoder.qp));
  if (quality) encoder.rate = h264::EncoderRate::kQuality;
  if (kbit_per_second) {
    encoder.rate = h264::EncoderRate::kBitrate;
    encoder.kbit_per_second = *kbit_per_second;
  }
  encoder.pictures_a_group = gop.value_or(encoder.pictures_a_group);
  encoder.range = range.value_or(encoder.range);
  encoder.references = references.value_or(encoder.references);
  encoder.slices = slices.value_or(encoder.slices);
  encoder.device_work = device_work.value_or(encoder.device_work);
  if (policy && encoder.device_work != h264::DeviceWork::kPictures) {
    reject("--policy schedules the tasks of --on-device pictures; give both, or neither");
  }
  encoder.policy = policy.value_or(encoder.policy);
  return encoder;
}

void add_encode_options(Command& command, EncodeOptions& options) {
  add_clips_options(command, options.clip, options.clips);
  add_coding_options(command, options);
  add_run_options(command, options);
}

const char* to_string(EncoderProfile profile) {
  switch (profile) {
    case EncoderProfile::kBaseline: return "baseline";
    case EncoderProfile::kMain: return "main";
    default: return "high";
  }
}

const char* to_string(EncoderSearch search) {
  switch (search) {
    case EncoderSearch::kFull: return "full";
    case EncoderSearch::kHexagon: return "hexagon";
    default: return "diamond";
  }
}

const char* to_string(ModeDecision decision) {
  return decision == ModeDecision::kCost ? "cost" : "rd";
}

const char* to_string(h264::DeviceWork work) {
  return work == h264::DeviceWork::kSearch ? "search" : "pictures";
}

const char* to_string(h264::EncoderRate rate) {
  switch (rate) {
    case h264::EncoderRate::kQuality: return "crf";
    case h264::EncoderRate::kBitrate: return "bitrate";
    default: return "qp";
  }
}

}  // namespace millrace::tools
