// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/me/me_options.h>

#include <CLI/CLI.hpp>

#include <millrace/runtime/core/error.h>

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
  throw Error(ErrorCode::kInvalidArgument,
              "--precision is '" + text + "'; it is integer, half or quarter");
}

void add_search_options(CLI::App& command, MeOptions& options) {
  command
      .add_option("--range", options.range,
                  "Whole samples searched around the predictor: -R to R-1 each way, 8 to 128 "
                  "(default: 32)")
      ->type_name("R")
      ->transform(whole_number(motion::kLeastRange, motion::kMostRange));
  command
      .add_option("--qp", options.qp,
                  "Quantisation parameter, 0 to 51, which says what a vector's bits cost "
                  "(default: 28)")
      ->type_name("QP")
      ->transform(whole_number(0, kMostQp));
  command
      .add_option("--precision", options.precision,
                  "How far vectors are refined: integer, half or quarter (default) samples")
      ->type_name("NAME");
  command
      .add_option("--predictor", options.predictor,
                  "Where searches begin: the vector of the frame before (previous, the default), "
                  "zero, or the 16x16 vectors of a file that -o FILE.bin made")
      ->type_name("previous|zero|FILE");
  command
      .add_option("--references", options.references,
                  "Search so many of the frames before, 1 to 4 (default: 1)")
      ->type_name("N")
      ->transform(whole_number(1, motion::kMostReferences));
  command
      .add_option("--reconstructed", options.reconstructed,
                  "Refer to the frames of this clip, which an encoder has made of CLIP's")
      ->type_name("CLIP");
}

void add_run_options(CLI::App& command, MeOptions& options) {
  command
      .add_option(
          "--device", options.device,
          "A device by name, or several with commas between them, which share the work (see "
          "`millrace devices`; default: a GPU, else the CPU)")
      ->type_name("NAME");
  command
      .add_option("--frames", options.common.frames, "Stop after this many frames (default: all)")
      ->type_name("N")
      ->transform(whole_number(2));  // One has nothing to be predicted from.
  command
      .add_option(
          "-o,--output", options.out,
          "Write the vectors and costs of all 41 partitions: .csv, or .bin with the modes; - is "
          "standard output, as .csv")
      ->type_name("FILE.csv|.bin");
  command
      .add_option("--overlay", options.overlay,
                  "Draw the chosen parts and their vectors over the frames: a .y4m video, or one "
                  "picture a frame, NAME-00001.png and so on; - is standard output, as .y4m")
      ->type_name("FILE.y4m|.png");
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

void add_me_options(CLI::App& command, MeOptions& options) {
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
