// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/ranks/distributed_motion_estimator.h>
#include <millrace/algorithms/motion_estimation/stream/motion_estimator.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/group/device_group.h>
#include <millrace/runtime/ranks/agreement.h>
#include <millrace/runtime/ranks/world.h>
#include <millrace/runtime/timeline/timeline.h>
#include <millrace/tools/command/clip/clip_frames.h>
#include <millrace/tools/command/common/device_portions.h>
#include <millrace/tools/command/common/exit_status.h>
#include <millrace/tools/command/common/progress.h>
#include <millrace/tools/command/common/ranks.h>
#include <millrace/tools/command/me/me_command.h>
#include <millrace/tools/command/me/me_options.h>
#include <millrace/tools/command/me/me_outputs.h>
#include <millrace/tools/command/me/motion_input.h>
#include <millrace/tools/command/me/motion_summary.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/files/names/file_name.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

struct Result {
  std::string device;
  std::int64_t frames = 0;  // Frames that were read; all but the first were searched.
  double seconds = 0;       // From the first frame read to the last one written.
  double search_seconds = 0;
  MotionSummary summary;
  std::vector<DevicePortion> portions = {};
  int signal = 0;  // Signal of a rank that ended the run; the same on all ranks.

  double frames_per_second() const { return rate(seconds); }
  double search_frames_per_second() const { return rate(search_seconds); }

  double rate(double time) const {
    return time > 0 ? static_cast<double>(summary.pictures()) / time : 0;
  }
};

void check_options(const MeOptions& options) {
  std::vector<std::string> taken = options.clip.files();
  for (const std::string& path : {options.reconstructed, options.predictor_file()}) {
    if (!path.empty()) taken.push_back(path);
  }
  const CommonOptions& common = options.common;
  check_outputs_differ({{"--output", options.out},
                        {"--overlay", options.overlay},
                        {"--json", common.json_path},
                        {"--trace", common.trace_path}},
                       taken);
}

void note_window(const MeOptions& options, const VideoReader& clip) {
  const int window = 2 * options.range;
  if (clip.width() >= window && clip.height() >= window) return;
  const auto square = std::to_string(window) + "x" + std::to_string(window);
  note(std::to_string(clip.width()) + "x" + std::to_string(clip.height()) +
       " is smaller than the search window, " + square +
       "; the samples at its edges are repeated beyond them");
}

motion::EstimatorOptions estimator_options(const MeOptions& options) {
  return {.search = options.search(),
          .references = options.references,
          .predictor = options.predictor_rule(),
          .decides_modes = true,
          .has_reconstruction = !options.reconstructed.empty()};
}

// The estimator of this rank: of one process on a group of devices, or of several ranks.
struct Estimator {
  Estimator(Communicator& world, const DeviceGroup& group, const MeOptions& options,
            const MotionInput& input) {
    const int width = input.padded_width();
    const int height = input.padded_height();
    if (world.size() > 1) {
      of_ranks.emplace(DistributedQueue{world, group.queue(0)}, width, height,
                       estimator_options(options));
    } else {
      alone.emplace(group, width, height, estimator_options(options));
    }
  }

  PipelineReport run(const motion::EstimatorStages<std::uint8_t>& stages) {
    return alone ? alone->run(stages) : of_ranks->run(stages);
  }

  std::vector<DevicePortion> portions() const {
    return alone ? alone->portions() : std::vector<DevicePortion>();
  }

  std::optional<motion::MotionEstimator<std::uint8_t>> alone;
  std::optional<motion::DistributedMotionEstimator<std::uint8_t>> of_ranks;
};

// Collective. Searches every picture; stops at --frames or at a signal. Only rank 0 has outputs and
// returns a summary.
Result search_clip(Communicator& world, const MeOptions& options, const DeviceGroup& group,
                   MotionInput& input, const InterruptGuard& interrupt, MeOutputs* outputs) {
  const std::int64_t limit = options.common.frames;
  std::optional<Progress> progress;
  if (outputs != nullptr) progress.emplace(expected_frames(input.clip(), limit));
  Result result = {.device = group.name(), .summary = MotionSummary(options.search())};
  Estimator estimator(world, group, options, input);

  ClipFrames frames(limit, interrupt);
  const auto produce = [&](const motion::InputPicture<std::uint8_t>& target) {
    return frames.next([&] { return input.read(target); });
  };
  const auto consume = [&](const motion::PictureMotion& motion) {
    if (outputs == nullptr) return input.drop();
    const TimelineScope scope("host sum up and write", "frame");
    const MotionView picture = input.view(motion);
    ++result.frames;
    if (motion.references > 0) result.summary.add(picture);
    outputs->add(picture);
    progress->advance();
  };
  const PipelineReport report = estimator.run({.produce = produce, .consume = consume});
  result.seconds = report.seconds;
  result.search_seconds = report.compute_seconds;
  result.portions = estimator.portions();
  result.signal = frames.agree(world, options.clip.path);
  return result;
}

nlohmann::json to_json(const MeOptions& options, const VideoReader& clip, const Result& result) {
  const MotionSummary& summary = result.summary;
  return {{"clip", options.clip.path},
          {"source_format", clip.source_format()},
          {"frames", result.frames},
          {"width", clip.width()},
          {"height", clip.height()},
          {"lost", clip.losses().lost},
          {"concealed", clip.losses().concealed},
          {"range", options.range},
          {"qp", options.qp},
          {"precision", options.precision},
          {"predictor", options.predictor},
          {"references", options.references},
          {"total_cost", summary.total_cost()},
          {"frames_per_s", result.frames_per_second()},
          {"search_frames_per_s", result.search_frames_per_second()},
          {"device", result.device},
          {"devices", portions_json(result.portions)},
          {"share", summary.fraction_json()},
          {"scene_cuts", summary.scene_cuts()}};
}

void print_fractions(const MotionSummary& summary) {
  std::printf("kind   ");
  for (const char* name : kPartitionNames) std::printf("  %6s", name);
  std::printf("\n%% area ");
  for (int kind = 0; kind < kPartitionKinds; ++kind) {
    std::printf("  %6.1f", 100 * summary.fraction(kind));
  }
  std::printf("\nscene cuts:");
  for (const std::uint64_t frame : summary.scene_cuts()) {
    std::printf(" %llu", static_cast<unsigned long long>(frame));
  }
  std::printf("%s\n", summary.scene_cuts().empty() ? " none" : "");
}

void print_report(const MeOptions& options, const VideoReader& clip, const Result& result) {
  std::printf("%s: %dx%d, %s, range %d, QP %d, %s samples\n", options.clip.path.c_str(),
              clip.width(), clip.height(), frames_text(result.frames).c_str(), options.range,
              options.qp, options.precision.c_str());
  std::printf("%s: %.1f frames/s, the search alone %.1f; total cost %llu\n", result.device.c_str(),
              result.frames_per_second(), result.search_frames_per_second(),
              static_cast<unsigned long long>(result.summary.total_cost()));
  const std::string losses = losses_text(clip.losses());
  if (!losses.empty()) std::printf("%s\n", losses.c_str());
  print_device_portions(result.portions);
  print_fractions(result.summary);
  const char* word = "wrote";
  for (const std::string& path :
       {options.out, options.overlay, options.common.json_path, options.common.trace_path}) {
    if (path.empty()) continue;
    std::printf("%-5s %s\n", word, path.c_str());
    word = "";
  }
}

// The objects of a rank. Only rank 0 has files to write.
struct RankRun {
  std::optional<DeviceGroup> group{};
  std::optional<MotionInput> input{};
  std::string clip_sample{};
  std::string other_samples{};
  std::optional<InterruptGuard> interrupt{};
  std::optional<MeOutputs> outputs{};
};

void prepare(const MeOptions& options, const Communicator& world, RankRun& rank) {
  rank.group.emplace(world.size() == 1 ? open_group_or_default(options.device)
                                       : open_rank_group(world, options.device));
  static_cast<void>(options.search());  // Throws for a wrong precision.
  check_options(options);
  check_clip_of_ranks(options.clip, world.size());
  rank.input.emplace(options);
  rank.clip_sample = sample_of_file(options.clip.path);
  for (const std::string& path : {options.reconstructed, options.predictor_file()}) {
    rank.other_samples += sample_of_file(path);
  }
  // Before there are temporary files that a signal would leave.
  rank.interrupt.emplace();
  if (world.rank() > 0) return;
  rank.outputs.emplace(options, rank.input->clip());
}

// Called once files are in place: an error before that is the only line.
void write_notes(const MeOptions& options, const MotionInput& input) {
  const VideoReader& clip = input.clip();
  note_clip(clip);
  note(input.reconstruction_converted());
  if (is_interlaced(clip.field_order())) {
    note("frames are interlaced: each holds two fields, and is searched as a whole");
  }
  note_window(options, clip);
  note_end_of_clip(options.clip, clip);
}

// Writes and prints the results on rank 0, once all is searched.
void finish(const MeOptions& options, RankRun& rank, const Result& result) {
  const VideoReader& clip = rank.input->clip();
  if (result.summary.pictures() == 0) {
    if (result.signal == 0) {
      reject(options.clip.path +
             ": has one frame, and so nothing to search; give a clip of two or more");
    }
    note(interruption(result.signal) + " before the second frame; nothing was written");
    return;
  }
  rank.outputs->commit(to_json(options, clip, result));
  write_notes(options, *rank.input);
  const CommonOptions& common = options.common;
  const bool is_quiet =
      has_standard_output({options.out, options.overlay, common.json_path, common.trace_path});
  if (!is_quiet) print_report(options, clip, result);
  if (result.signal != 0) {
    note(interruption(result.signal) + "; " + frames_text(result.frames) + " complete and written");
  }
}

void run_rank(const MeOptions& options, Communicator& world) {
  RankRun rank;
  together(world, [&] { prepare(options, world, rank); });
  compare_clips(world, options.clip.path, rank.clip_sample, rank.input->clip());
  ArgumentCheck(world, "millrace me")
      .add("the files of --reconstructed and --predictor", rank.other_samples)
      .compare();
  MeOutputs* const outputs = rank.outputs ? &*rank.outputs : nullptr;
  const Result result =
      search_clip(world, options, *rank.group, *rank.input, *rank.interrupt, outputs);
  together(world, [&] {
    if (outputs != nullptr) finish(options, rank, result);
  });
  const int signal = result.signal != 0 ? result.signal : signal_of_any(world, *rank.interrupt);
  if (signal != 0) throw ExitStatus(128 + signal);
}

void run(const MeOptions& options) {
  Communicator& world = world_communicator();
  run_on_rank(world, [&] { run_rank(options, world); });
}

}  // namespace

void add_me_command(Command& root) {
  root.add_subcommand<MeOptions>(
      "me", "Search a clip for motion: H.264 full search of all 41 partitions of macroblocks",
      add_me_options, run);
}

}  // namespace millrace::tools
