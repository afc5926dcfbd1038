// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/common/number_option.h>
#include <millrace/tools/command/me/me_options.h>

#include <string>
#include <vector>

namespace millrace::tools {
namespace {

using motion::Precision;
using motion::PredictorRule;

constexpr Precision kPrecisions[] = {Precision::kInteger, Precision::kHalf, Precision::kQuarter};
constexpr int kMostQp = 51;

Precision parse_precision(const std::string& text) {
  for (const Precision precision : kPrecisions) {
    if (text == to_string(precision)) return precision;
  }
  reject("--precision is '" + text + "'; give integer, half or quarter");
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const Precision precision : kPrecisions) names.emplace_back(to_string(precision));
  return names;
}

void add_search_options(Command& command, MeOptions& options) {
  command.add_option(
      {.names = "--range",
       .value_name = "R",
       .help = "Search -R to R-1 whole samples around the predictor each way, 8 to 128 (default: "
               "32)",
       .store =
           whole_number_in("--range", motion::kLeastRange, motion::kMostRange, options.range)});
  command.add_option({.names = "--qp",
                      .value_name = "QP",
                      .help = "Quantisation parameter, 0 to 51, which sets the cost of a vector's "
                              "bits (default: 28)",
                      .store = whole_number_in("--qp", 0, kMostQp, options.qp)});
  command.add_option(
      {.names = "--precision",
       .value_name = "NAME",
       .help = "Refine vectors to integer, half or quarter samples (default: quarter)",
       .store = into(options.precision),
       .choices = precision_names});
  command.add_option(
      {.names = "--predictor",
       .value_name = "previous|zero|FILE",
       .help = "Begin searches at the vector of the frame before (previous, the default), at zero, "
               "or at the 16x16 vectors of a file that -o FILE.bin wrote",
       .store = into(options.predictor),
       .files = OfferedFiles::kFiles,
       .choices = [] {
         return std::vector<std::string>{"previous", "zero"};
       }});
  command.add_option(
      {.names = "--references",
       .value_name = "N",
       .help = "Search the N frames before, 1 to 4 (default: 1)",
       .store = whole_number_in("--references", 1, motion::kMostReferences, options.references)});
  command.add_option({.names = "--reconstructed",
                      .value_name = "CLIP",
                      .help = "Search in the frames of this clip, an encoder's reconstruction of "
                              "the frames of the first",
                      .store = into(options.reconstructed),
                      .files = OfferedFiles::kFiles});
}

void add_run_options(Command& command, MeOptions& options) {
  add_device_option(command, options.device,
                    "Search on this device (`millrace devices` lists them), or on several that "
                    "share the work, with commas between their names (default: a GPU, else the "
                    "CPU)");
  command.add_option({.names = "--frames",
                      .value_name = "N",
                      .help = "Stop after N frames (default: all frames)",
                      // One frame has nothing to be predicted from.
                      .store = whole_number_from("--frames", 2, options.common.frames)});
  command.add_option({.names = "-o,--output",
                      .value_name = "FILE.csv|.bin",
                      .help = "Write the vectors and costs of all 41 partitions: as .csv, or with "
                              "the modes as .bin; - is standard output, as .csv",
                      .store = into(options.out),
                      .files = OfferedFiles::kFiles});
  command.add_option({.names = "--overlay",
                      .value_name = "FILE.y4m|.png",
                      .help = "Draw the chosen partitions and their vectors over the frames: as a "
                              ".y4m video, or as one picture a frame, NAME-00001.png and so on; - "
                              "is standard output, as .y4m",
                      .store = into(options.overlay),
                      .files = OfferedFiles::kFiles});
  add_output_options(command, options.common);
  add_trace_option(command, options.common);
}

}  // namespace

motion::SearchOptions MeOptions::search() const {
  return {
      .range = range, .lambda = motion::motion_lambda(qp), .precision = parse_precision(precision)};
}

PredictorRule MeOptions::predictor_rule() const {
  if (predictor == "previous") return PredictorRule::kPrevious;
  return predictor == "zero" ? PredictorRule::kZero : PredictorRule::kGiven;
}

std::string MeOptions::predictor_file() const {
  return predictor_rule() == PredictorRule::kGiven ? predictor : "";
}

void add_me_options(Command& command, MeOptions& options) {
  add_clip_options(command, options.clip);
  add_search_options(command, options);
  add_run_options(command, options);
}

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::kInteger: return "integer";
    case Precision::kHalf: return "half";
    default: return "quarter";
  }
}

}  // namespace millrace::tools
